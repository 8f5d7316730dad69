// T-08: backup, export and move work on a read-only home and leave it unchanged.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServerProcess } from "../crash/server-process.ts";
import { type FaultyDisk, faultyDisk } from "../faults/disk-faults.ts";
import { newHome, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { begin, pdpp } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";

const folder = newHome();
const home = join(folder, "home");
let disk: FaultyDisk;

beforeAll(async () => {
  mkdirSync(home);
  const server = await testServer({ home });
  await server.register("library", library);
  await server.ingest("books", await server.connect("library"), BOOKS);
  await server.close();
  disk = faultyDisk(home);
});
afterAll(() => {
  disk.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the content and modification time of every file. */
function stateOf(at: string): string[] {
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .sort();
}

/** Makes access(2) and every write report a read-only disk, as on a read-only mount. */
async function onReadOnlyDisk(args: string[], env: Record<string, string> = {}) {
  const before = stateOf(home);
  disk.fail("read-only");
  try {
    const run = await begin(args, { env: { ...env, ...disk.env } }).ended;
    expect(run.stderr, run.stderr).not.toMatch(/\n\s+at /);
    expect(stateOf(home)).toEqual(before);
    return run;
  } finally {
    disk.heal();
  }
}

it("T-08 pdpp backup copies a read-only home, and the backup can be restored", async () => {
  const backup = join(folder, "backup");
  const made = await onReadOnlyDisk(["backup", backup, "--home", home]);
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("cannot be written to")]);
  const restored = join(folder, "restored");
  expect((await pdpp(["restore", backup, "--home", restored])).code).toBe(0);
  expect((await pdpp(["doctor", "--home", restored])).code).toBe(0);
});

it("T-08 pdpp export writes all records of a read-only home", async () => {
  const made = await onReadOnlyDisk(["export", "books", "--home", home]);
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout.trim().split("\n")).toHaveLength(BOOKS.length);
});

it("T-08 pdpp move copies an owner from a read-only home into a database", async () => {
  const database = await emptyDatabase();
  try {
    const args = ["move", "--from", home, "--to", database.url, "--home", join(folder, "moved"), "--json"];
    const made = await onReadOnlyDisk(args);
    expect(made.code, made.stderr).toBe(0);
    expect(made.json.records).toBe(BOOKS.length);
  } finally {
    await database.drop();
  }
});

it("T-08 a command that writes, and a server, report that the home is read-only and say what to do", async () => {
  const refused = await onReadOnlyDisk(["grants", "issue", "--all", "--home", home]);
  expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringMatching(/read-only/)]);
  disk.fail("read-only");
  await expect(startServerProcess(home, disk.env)).rejects.toThrow(/read-only/);
  disk.heal();
});
