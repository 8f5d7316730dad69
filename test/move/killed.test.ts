// P-07: a move killed halfway leaves the source unchanged and the target without the owner.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/store/place.ts";
import { Database } from "../../src/store/postgres/connection.ts";
import { migrateDatabase } from "../../src/store/postgres/prepare.ts";
import { pdpp } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";
import { type Everything, fillEverything } from "./everything.ts";

const BIN = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-killed-"));
const at = (name: string): string => join(folder, name);
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let mine: Everything;

beforeAll(async () => {
  database = await emptyDatabase();
  await migrateDatabase(database.url);
  mine = await fillEverything(at("home"));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({ DATABASE_URL: database.url });

/** Kills the command while it waits for a table that is copied after the records. */
async function killHalfway(args: readonly string[], signal: "SIGKILL" | "SIGINT" = "SIGKILL"): Promise<string> {
  const connections = new Database(database.url, { connections: 2 });
  let child: ChildProcess | undefined;
  let said = "";
  await connections.session(async (holding) => {
    await holding.script("BEGIN; LOCK TABLE audit_entry IN ACCESS EXCLUSIVE MODE");
    const stdio = ["ignore", "ignore", "pipe"] as const;
    child = spawn(process.execPath, [BIN, "move", ...args], { env: { ...process.env, ...env() }, stdio: [...stdio] });
    child.stderr!.on("data", (part: Buffer) => (said += part.toString()));
    const ended = once(child, "close");
    const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'audit_entry'::regclass";
    while ((await holding.script(waits)).length === 0) expect(child.exitCode).toBeNull();
    child.kill(signal);
    expect(await ended).toEqual(signal === "SIGKILL" ? [null, signal] : [130, null]);
    await holding.script("ROLLBACK");
  });
  await connections.close();
  return said;
}

async function count(sql: string): Promise<unknown> {
  const connections = new Database(database.url, { connections: 1 });
  try {
    return (await connections.session((connection) => connection.script(sql)))[0]![0];
  } finally {
    await connections.close();
  }
}

test("P-07 a killed move into PostgreSQL can be repeated completely, and so can a killed move out of it", async () => {
  const into = ["--from", at("home"), "--to", "DATABASE_URL", "--home", at("server")];
  const before = readFileSync(join(at("home"), "records.db"));
  expect(await killHalfway(into, "SIGINT")).toContain("Stopped: the owner was not added to the target");
  await expect
    .poll(() =>
      count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"),
    )
    .toBe(0);
  expect(await count("SELECT (SELECT count(*) FROM home) + (SELECT count(*) FROM record)")).toBe(0);
  expect(readFileSync(join(at("home"), "records.db")).equals(before)).toBe(true);

  const moved = await pdpp(["move", ...into, "--json"], { env: env() });
  expect([moved.code, moved.json]).toMatchObject([0, { object: "move", owner: mine.subject, missing_blobs: [] }]);
  const twice = await pdpp(["move", ...into, "--json"], { env: env() });
  expect([twice.code, JSON.parse(twice.stderr || twice.stdout)]).toMatchObject([
    6,
    { error: { code: "already_exists" } },
  ]);

  const out = ["--from", "DATABASE_URL", "--to", at("back"), "--home", at("server")];
  await killHalfway(out);
  expect(existsSync(join(at("back"), "records.db"))).toBe(false);
  expect(readdirSync(at("back")).some((name) => name.startsWith(".moving-"))).toBe(true);
  const back = await pdpp(["move", ...out], { env: env() });
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining(moved.json.sha256)]);
  expect(back.stderr).toContain(`Next: pdpp serve --home ${at("back")}`);
  expect(readdirSync(at("back")).sort()).toEqual(["audit.db", "blobs", "key", "lock.db", "postern-home", "records.db"]);
  const store = await openStore({ home: at("back") });
  expect(await store.audit.verify()).toEqual({ entries: 3 });
  await store.close();
});

test("P-07 a move into a database that uses the same home directory copies the blobs and says where they are", async () => {
  const other = await emptyDatabase();
  const run = await pdpp(["move", "--from", at("home"), "--to", "DATABASE_URL", "--home", at("home")], {
    env: { DATABASE_URL: other.url },
  });
  const folder = join(at("home"), mine.subject);
  expect([run.code, run.stderr]).toEqual([
    0,
    expect.stringContaining(`The owner's blobs are in ${folder}, which is in the source`),
  ]);
  expect(existsSync(join(folder, "blobs"))).toBe(true);
  await other.drop();
});

test("P-07 invalid sources and targets are refused, and no password is printed", async () => {
  for (const [args, code, said] of [
    [["--from", at("home")], 2, "specify both places"],
    [["--from", at("nowhere"), "--to", at("x")], 5, "there is no home"],
    [["--from", at("home"), "--to", "mysql://me:secret@x/y"], 2, "a directory or a postgres:// address"],
    [["--from", at("home"), "--to", "postgres:/me:secret@x/y"], 2, "is not a valid address"],
    [["--from", at("home"), "--to", "database_url"], 2, "write DATABASE_URL in capitals"],
    [
      ["--from", at("home"), "--to", "postgres://me:sec#ret@x/y"],
      2,
      "not a postgres:// address: it cannot be parsed as written",
    ],
    [["--from", `${database.url}?owner=sub_nobody`, "--to", at("x")], 5, "no owner sub_nobody"],
  ] as const) {
    const run = await pdpp(["move", ...args]);
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(run.stderr + run.stdout).not.toContain("secret");
    expect(existsSync(at("x"))).toBe(false);
  }
});
