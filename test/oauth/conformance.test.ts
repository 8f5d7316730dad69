// The MCP conformance suite for authorization servers, as its maintainers publish it. The owner approves when the suite
// waits.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { answer, back, register, type World, world } from "./world.ts";

const VERSION = "0.2.0-alpha.12";
const SCENARIOS = ["authorization-code-grant", "authorization-server-metadata-endpoint"];
const place = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"));

let it: World;
let results: string;
beforeAll(async () => {
  it = await world();
  results = mkdtempSync(join(tmpdir(), "pdpp-conformance-"));
});
afterAll(async () => {
  await it.close();
  rmSync(results, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens the URL that the suite prints, approves the request, and sends the response to the suite's callback. */
async function approveIn(text: string): Promise<boolean> {
  const href = /^http\S+\/oauth\/authorize\?\S+$/m.exec(text)?.[0];
  if (href === undefined) return false;
  const page = await it.browser.get(href);
  const receipt = await answer(it.browser, page, { streams: [`${it.town}/books`] });
  await fetch(await back(it.browser, receipt));
  return true;
}

async function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(place, "dist/index.js"), ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let approving: Promise<boolean> | undefined;
  const read = (part: Buffer): void => {
    output += part;
    if (approving === undefined && /\/oauth\/authorize\?\S+\n/.test(output)) approving = approveIn(output);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  await approving;
  return { code, output };
}

test(`P-03 @modelcontextprotocol/conformance ${VERSION} authorization passes`, async () => {
  const { version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  expect(version).toBe(VERSION);
  const port = await freePort();
  const client = await register(it, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const { code, output } = await run([
    "authorization",
    ...["--url", it.url, "--client-id", client.client_id, "--resource", `${it.url}/mcp`],
    ...["--port", String(port), "--output-dir", results],
  ]);
  expect(code, output).toBe(0);
  const checks = readdirSync(results, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("checks.json"))
    .map((name) => [name, JSON.parse(readFileSync(join(results, name), "utf8"))] as [string, Loose[]]);
  for (const scenario of SCENARIOS) expect(checks.some(([name]) => name.includes(scenario))).toBe(true);
  const statuses = checks.flatMap(([, list]) => list.map(({ id, status }) => `${id}: ${status}`));
  expect(statuses.length).toBeGreaterThanOrEqual(3);
  expect(statuses.filter((line) => !line.endsWith("SUCCESS"))).toEqual([]);
});
