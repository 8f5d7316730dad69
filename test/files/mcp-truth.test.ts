// /files/mcp tells what it does not know: directories that were not scanned, members that are gone, digests that are missing.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  expect(text).toContain("photos/ (not scanned below this depth) ");
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

/** Every row of a list that the shell pages through. */
async function paged(name: string, args: object, first: Loose, rows: (answer: Loose) => Loose[]): Promise<Loose[]> {
  const all = [...rows(first)];
  for (let { nextCursor } = first; nextCursor !== undefined; ) {
    const page = (await call(name, { ...args, cursor: nextCursor })).structuredContent;
    all.push(...rows(page));
    nextCursor = page.nextCursor;
  }
  return all;
}

test("S-19 results and sets page to the end, here and over HTTP, in one order", async () => {
  const ran = (await call("query-run", { filter: { name: "*.jpg" }, name: "photos" })).structuredContent;
  const { queryId, selectionId } = ran;
  const all = await paged("query-run", { queryId }, ran, ({ report }) => report.sample);
  expect(new Set(all.map(({ nodeId }) => nodeId)).size).toBe(YEARS.length * PHOTOS_PER_YEAR);
  expect(all.map(({ size }) => size)).toEqual(all.map(({ size }) => size).sort((one, other) => other - one));
  const get = { op: "get", selectionId };
  const set = (await call("resource-set-ops", get)).structuredContent;
  expect(await paged("resource-set-ops", get, set, ({ sample }) => sample)).toEqual(all);
  const { body } = await server.get(ran.nextPageUrl, { token });
  const rest = all.slice(ran.report.sample.length).map(({ nodeId }) => nodeId);
  expect(body.entries.map(({ nodeId }: Loose) => nodeId)).toEqual(rest.slice(0, body.entries.length));
});

test("S-19 rows that share a name carry the shortest path that tells them apart, in both halves", async () => {
  const { structuredContent, text } = await call("query-run", { filter: { name: "IMG_0001.jpg" } });
  const paths = structuredContent.report.sample.map(({ path }: Loose) => path);
  expect(paths.sort()).toEqual(YEARS.map((year) => `${year}/IMG_0001.jpg`));
  for (const path of paths) expect(text).toContain(`- ${path} `);
  const pdf = (await call("query-run", { filter: { name: "invoice-0.pdf" } })).structuredContent.report.sample;
  expect(pdf).toHaveLength(1);
  expect(pdf[0]).not.toHaveProperty("path");
});

test("S-18 a set counts what is there now, each byte once, and says how many members are gone", async () => {
  const filter = { or: [{ name: "invoice-?.pdf" }, { name: "same-invoice.pdf" }, { name: "old" }] };
  const { selectionId } = (await call("query-run", { filter, name: "papers" })).structuredContent;
  const get = async (): Promise<Loose> =>
    (await call("resource-set-ops", { op: "get", selectionId })).structuredContent;
  // same-invoice.pdf is another name of invoice-1.pdf, and old holds invoice-0.pdf.
  expect(await get()).toMatchObject({ counts: { entries: 4, files: 3, dirs: 1 }, totalSize: 25 });
  expect(await get()).not.toHaveProperty("missing");

  rmSync(join(tree, "letters/old/invoice-0.pdf"));
  writeFileSync(join(tree, "letters/old/invoice-0.pdf"), "%PDF-1.4 zero and more");
  rmSync(join(tree, "letters/same-invoice.pdf"));
  await scanned();
  expect(await get()).toMatchObject({ counts: { entries: 3, files: 2, dirs: 1 }, totalSize: 34, missing: 1 });
  rmSync(join(tree, "letters/old"), { recursive: true });
  await scanned();
  const { structuredContent: less, text } = await call("resource-set-ops", { op: "get", selectionId });
  expect(less).toMatchObject({ counts: { entries: 1, files: 1, dirs: 0 }, totalSize: 12, missing: 3 });
  expect(less.sample.map(({ name }: Loose) => name)).toEqual(["invoice-1.pdf"]);
  expect(text).toContain("3 members are gone from the disk");
  const { sets } = (await call("resource-set-ops", { op: "list" })).structuredContent;
  expect(sets.find((set: Loose) => set.selectionId === selectionId)).toMatchObject({ totalSize: 12, missing: 3 });
  const { body } = await server.get(`/api/resource-sets/${selectionId}/entries`, { token });
  expect(body).toMatchObject({ total: 4, missing: 3 });
  expect(body.entries.filter((entry: Loose) => entry.missing)).toHaveLength(3);
});
