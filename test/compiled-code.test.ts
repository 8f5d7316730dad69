// The code that pdpp loads: its compiled form is cached for the next run, and its sources use little memory.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

it("a command works even if the cache folder cannot be created", async () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const { stdout, stderr } = await run(file);
  expect(stdout).toContain("pdpp");
  expect(stderr).toBe("");
});

/** Returns the build files that a file loads when it starts, including itself. */
function loadedBy(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(path, "utf8");
  found.set(path, text);
  for (const [, name] of text.matchAll(/^(?:import|export)\b.*?"(\.[^"]+)";$/gm))
    loadedBy(join(dirname(path), name!), found);
  return found;
}

it("O-09 a thread's sources are ASCII, which takes one byte per character in memory", () => {
  const sources = loadedBy(join(import.meta.dirname, "../dist/engine/threads/thread.js"));
  expect(sources.size).toBeGreaterThan(20);
  const others = [...sources].filter(([, text]) => Buffer.byteLength(text) !== text.length).map(([path]) => path);
  expect(others).toEqual([]);
});
