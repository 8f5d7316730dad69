// pdpp caches compiled code for its next run, and works without a cache.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { begin, ok } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-compiled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (cache: string) => ok(begin(["version"], { env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: "" } }).ended);

it("compiled code is stored in the user's cache folder", async () => {
  await run(folder);
  const kept = readdirSync(join(folder, "postern"), { recursive: true });
  expect(kept.length).toBeGreaterThan(1);
});

it("a command works if the cache folder cannot be created", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const { stdout, stderr } = await run(file);
  expect(stdout).toContain("pdpp");
  expect(stderr).toBe("");
});
