// /files/mcp tells what it does not know: directories that were not scanned, members that are gone, digests that are missing.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { type ShellCall, shellClient } from "./shell-client.ts";
import { PHOTOS_PER_YEAR, plantTree, YEARS } from "./tree.ts";

let server: TestServer;
let tree: string;
let token: string;
let call: ShellCall;

beforeAll(async () => {
  server = await testServer();
  tree = plantTree();
  await (await server.files()).addRoot({ path: tree });
  token = (await server.grant({ files: { roots: [tree] }, client_name: "Disk walker" })).access_token;
  call = shellClient(server.url, token);
});
afterAll(async () => {
  await server?.close();
  rmSync(tree, { recursive: true, force: true });
});

async function scanned(args: object = {}): Promise<Loose> {
  const started = (await call("index", { root: tree, ...args })).structuredContent;
  await (await server.files()).files.jobEnded(started.jobId);
  return started;
}

test("S-16 directories that were not scanned say so, and a query over them says that it is partial", async () => {
  const { indexId } = await scanned({ depthLimit: 1 });
  const { structuredContent: listed, text } = await call("cd", { path: tree });
  expect(listed.entries).toHaveLength(2);
  for (const entry of listed.entries) {
    expect(entry).toMatchObject({ kind: "dir", atLeast: true, note: "not scanned below this depth" });
    expect(entry).not.toHaveProperty("counts");
  }
  expect(text).toContain("photos/ size unknown (not scanned below this depth)");
  expect(text).not.toContain("0 B");
  expect((await call("cd", { path: "/" })).structuredContent.entries).toMatchObject([{ name: tree, atLeast: true }]);
  const inside = await call("cd", { path: `${tree}/photos` });
  expect(inside.structuredContent).toMatchObject({ entries: [], hint: expect.stringContaining("not scanned") });
  expect(inside.text).toContain(`index({"root":"${tree}"})`);
  const node = (await call("inspect", { path: `${tree}/photos` })).structuredContent;
  expect(node).toMatchObject({ atLeast: true, note: "not scanned below this depth" });

  const ran = await call("query-run", { filter: { name: "*.jpg" } });
  const partial = `${indexId} is partial: 2 directories were not scanned (depthLimit 1), so more may match.`;
  expect(ran.structuredContent).toMatchObject({ report: { matches: 0 }, partial });
  expect(ran.text).toContain(partial);
  const found = await server.get(`/api/indexes/${indexId}/find`, { token, query: { filter: '{"name":"*.jpg"}' } });
  expect(found.body).toMatchObject({ partial });
});

test("S-16 a session uses the fullest index of a root, unless it is told otherwise", async () => {
  const photos = YEARS.length * PHOTOS_PER_YEAR;
  const filter = { name: "*.jpg" };
  const shallow = (await call("cd", { path: tree })).structuredContent.indexId;
  const whole = (await scanned()).indexId;
  const ran = (await call("query-run", { filter })).structuredContent;
  expect(ran.report.matches).toBe(photos);
  expect(ran).not.toHaveProperty("partial");
  const listed = (await call("cd", { path: tree })).structuredContent;
  expect(listed.indexId).toBe(whole);
  for (const entry of listed.entries) expect(entry).not.toHaveProperty("atLeast");

  const again = await scanned({ depthLimit: 1 });
  expect(again).toMatchObject({ indexId: shallow, note: expect.stringContaining(whole) });
  expect((await call("query-run", { filter })).structuredContent.report.matches).toBe(photos);
  expect((await call("cd", { path: "." })).structuredContent.indexId).toBe(whole);

  expect((await call("cd", { path: tree, indexId: shallow })).structuredContent.indexId).toBe(shallow);
  expect((await call("cd", { path: "." })).structuredContent.indexId).toBe(shallow);
  expect((await call("query-run", { filter })).structuredContent.report.matches).toBe(0);
  await call("cd", { path: "/" });
  expect((await call("cd", { path: tree })).structuredContent.indexId).toBe(whole);
  const unknown = await call("cd", { path: tree, indexId: "ix99" });
  expect(unknown.structuredContent.error).toMatchObject({ code: "not_found", param: "indexId" });
});
