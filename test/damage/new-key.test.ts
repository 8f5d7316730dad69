// T-04: every command refuses a home without its key. `pdpp doctor --new-key` creates a new key and says what becomes
// invalid.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newHome, testServer } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { pdpp } from "../pdpp.ts";

const home = newHome();
const backup = `${home}-backup`;
const key = join(home, "key");
const run = (...args: string[]) => pdpp([...args, "--home", home, "--json"]);

beforeAll(async () => {
  const server = await testServer({ home });
  await server.register("library", library);
  await server.ingest("books", await server.connect("library"), BOOKS);
  await server.grant({ all: true });
  await server.close();
  expect((await run("backup", backup)).code).toBe(0);
});
afterAll(() => {
  for (const folder of [home, backup, `${home}-restored`]) rmSync(folder, { recursive: true, force: true });
});

it("T-04 a backup contains the key, and a restored home has it, readable only by the home's owner", async () => {
  const restored = `${home}-restored`;
  expect((await pdpp(["restore", backup, "--home", restored])).code).toBe(0);
  expect(readFileSync(join(restored, "key")).equals(readFileSync(key))).toBe(true);
  expect(statSync(join(restored, "key")).mode & 0o777).toBe(0o600);
});

it("T-04 no command replaces a missing or damaged key, and each says what to do", async () => {
  const original = readFileSync(key);
  for (const damage of [() => rmSync(key), () => writeFileSync(key, "short")]) {
    damage();
    for (const args of [["activity"], ["grants", "list"], ["connections"], ["backup", `${backup}-2`]]) {
      const refused = await run(...args);
      expect(refused.code, args.join(" ")).toBe(1);
      expect(refused.stderr + refused.stdout).toMatch(/key_missing/);
      expect(refused.stderr + refused.stdout).toMatch(/doctor --new-key/);
      expect(refused.stderr).not.toMatch(/\n\s+at /);
    }
    expect(existsSync(key) && statSync(key).size === 32).toBe(false);
    writeFileSync(key, original, { mode: 0o600 });
  }
  expect((await run("activity")).code).toBe(0);
});

it("T-04 --new-key asks first and keeps grants and activity; the log stays valid and records the change", async () => {
  expect((await run("doctor", "--new-key")).code).toBe(6);
  rmSync(key);
  const unanswered = await run("doctor", "--new-key");
  expect([unanswered.code, existsSync(key)]).toEqual([4, false]);
  const before = readdirSync(home);
  const made = await run("doctor", "--new-key", "--yes");
  expect(made.code).toBe(0);
  expect(made.json).toMatchObject({
    object: "new_key",
    ends: expect.arrayContaining([expect.stringMatching(/cursors/)]),
  });
  expect(made.json.entries).toBeGreaterThan(0);
  expect(readdirSync(home)).toEqual(expect.arrayContaining(before));
  const log = await run("activity");
  expect(log.json.data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["newKey", "issueGrant"]),
  );
  const verified = await run("activity", "verify");
  expect(verified.code).toBe(0);
  expect((await run("doctor")).json.ok).toBe(true);
});
