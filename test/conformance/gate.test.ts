// The product itself under the official suite: real data, a grant, and a baseline of checks for features that it lacks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gate, libraryGate } from "../mcp.ts";
import { type BearerProxy, bearerProxy } from "./bearer-proxy.ts";
import { REVISIONS, runSuite } from "./suite.ts";

const BASELINE = fileURLToPath(new URL("baseline.yml", import.meta.url));
const entries = readFileSync(BASELINE, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("  - "));
const excused = new Set<string>();

let proxy: BearerProxy;
let gate: Gate;

beforeAll(async () => {
  proxy = await bearerProxy();
  gate = await libraryGate({ publicUrl: proxy.url });
  proxy.aim(gate.server.url, gate.token);
});
afterAll(async () => {
  proxy.close();
  await gate.close();
});

test.each(REVISIONS)("X-02 /mcp fails only those checks of %s that the baseline lists", async (revision) => {
  const verdict = await runSuite(`${proxy.url}/mcp`, revision, BASELINE);
  for (const entry of verdict.excused) excused.add(entry);
  expect(verdict).toMatchObject({ exitCode: 0, unexpected: [], stale: [] });
});

test("X-02 every line of the baseline is one check, has a reason, and is needed", () => {
  for (const entry of entries) expect(entry).toMatch(/^ {2}- [\w-]+:[\w-]+ +# \S.+$/);
  expect(entries.map((entry) => entry.split(" ")[3])).toEqual(expect.arrayContaining([...excused]));
  expect(excused.size).toBe(entries.length);
});
