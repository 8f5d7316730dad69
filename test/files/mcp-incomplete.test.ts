// /files/mcp reports what it does not know: unscanned directories, deleted members and missing digests.
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool } from "../mcp.ts";
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

test("S-16 unscanned directories are marked, and a query over them says that it is partial", async () => {
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
  // That query has no name, so it is not listed.
  expect((await call("query-list", {})).text).toContain('query-run({"filter":{"name":"*.pdf"},"name":"NAME"})');
  expect(ran.text).toContain(partial);
  const found = await server.get(`/api/indexes/${indexId}/find`, { token, query: { filter: '{"name":"*.jpg"}' } });
  expect(found.body).toMatchObject({ partial });
});

test("S-16 a session uses a root's most complete index, unless told otherwise", async () => {
  const photos = YEARS.length * PHOTOS_PER_YEAR;
  const filter = { name: "*.jpg" };
  const shallow = (await call("cd", { path: tree })).structuredContent.indexId;
  const { indexId: whole, note } = await scanned();
  expect(note).toContain(`Until this scan has finished, cd and query-run may use ${shallow}`);
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

/** Returns every row of a paged list. */
async function paged(name: string, args: object, first: Loose, rows: (answer: Loose) => Loose[]): Promise<Loose[]> {
  const all = [...rows(first)];
  for (let { nextCursor } = first; nextCursor !== undefined; ) {
    const page = (await call(name, { ...args, cursor: nextCursor })).structuredContent;
    all.push(...rows(page));
    nextCursor = page.nextCursor;
  }
  return all;
}

test("S-19 results and sets can be paged to the end, through MCP and over HTTP, in the same order", async () => {
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

test("S-19 rows with the same name show the shortest path that distinguishes them, in text and data", async () => {
  const { structuredContent, text } = await call("query-run", { filter: { name: "IMG_0001.jpg" } });
  const paths = structuredContent.report.sample.map(({ path }: Loose) => path);
  expect(paths.sort()).toEqual(YEARS.map((year) => `${year}/IMG_0001.jpg`));
  for (const path of paths) expect(text).toContain(`- ${path} `);
  const pdf = (await call("query-run", { filter: { name: "invoice-0.pdf" } })).structuredContent.report.sample;
  expect(pdf).toHaveLength(1);
  expect(pdf[0]).not.toHaveProperty("path");
});

test("S-18 a set counts its existing members, each byte once, and says how many are missing", async () => {
  const filter = { or: [{ name: "invoice-?.pdf" }, { name: "same-invoice.pdf" }, { name: "old" }] };
  const { selectionId } = (await call("query-run", { filter, name: "papers" })).structuredContent;
  const get = async (): Promise<Loose> =>
    (await call("resource-set-ops", { op: "get", selectionId })).structuredContent;
  // same-invoice.pdf is a hard link to invoice-1.pdf, and old contains invoice-0.pdf.
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

test("S-17 a filter on copies reports missing digests, and the suggested call computes them", async () => {
  const copy = "the same ".repeat(1000);
  for (const name of ["copy-1.txt", "copy-2.txt"]) writeFileSync(join(tree, "letters", name), copy);
  await scanned();
  const filter = { duplicate: true };
  const ran = await call("query-run", { filter });
  const said = "Digests are missing for 2 of 2 files of at least 4096 bytes that have the same size as another file";
  expect(ran.structuredContent).toMatchObject({ report: { matches: 0 }, digests: expect.stringContaining(said) });
  const make = { root: tree, digests: true };
  expect(ran.text).toContain(`index(${JSON.stringify(make)})`);
  const { jobId } = (await call("index", make)).structuredContent;
  await (await server.files()).files.jobEnded(jobId);
  expect((await call("job-progress", { jobId })).structuredContent).toMatchObject({
    kind: "digest",
    status: "succeeded",
  });
  const again = (await call("query-run", { filter })).structuredContent;
  expect(again.report).toMatchObject({ matches: 2, totalSize: 2 * copy.length });
  expect(again).not.toHaveProperty("digests");
  const [{ nodeId }] = again.report.sample;
  expect((await call("inspect", { nodeId })).structuredContent.digest).toBe(
    `sha256:${createHash("sha256").update(copy).digest("hex")}`,
  );

  const { access_token } = await server.grant({ files: { roots: [tree], may: ["navigate", "index"] } });
  const less = shellClient(server.url, access_token);
  for (const refused of [await less("index", make), await less("query-run", { filter, save: false, indexId: "ix2" })])
    expect(refused.structuredContent.error.code).toBe("insufficient_scope");
});

test("S-22 inspect shows the growth of a directory and the versions of a file", async () => {
  const path = join(tree, "letters", "ledger.csv");
  writeFileSync(path, "1\n");
  await scanned();
  rmSync(path);
  writeFileSync(path, "1\n2\n3\n");
  writeFileSync(join(tree, "letters", "more.csv"), "x".repeat(100));
  await scanned();
  const { structuredContent: letters, text } = await call("inspect", { path: `${tree}/letters` });
  expect(letters.growth).toMatchObject({ size: 104, files: 1, dirs: 0 });
  expect(text).toContain("+104 B, +1 files, +0 dirs");
  for (const name of ["children", "history", "largest", "types"])
    expect((await server.get(letters.urls[name], { token })).status, name).toBe(200);
  const { structuredContent: ledger, text: words } = await call("inspect", { path });
  expect(ledger.versions.map(({ size }: Loose) => size)).toEqual([6, 2]);
  expect(ledger.versions[0].foundAt > ledger.versions[1].foundAt).toBe(true);
  expect(words).toContain("Before: 2 B, modified ");
  const { body } = await server.get(ledger.urls.history, { token });
  expect(body.versions).toEqual(ledger.versions);
});

test("S-23 each chat that the client identifies has a separate session; unnamed results are not listed and can be deleted", async () => {
  const chat = (name: string): ShellCall => shellClient(server.url, token, { "Mcp-Session-Id": name });
  const [one, other] = [chat("chat one"), chat("chat two")];
  await one("cd", { path: `${tree}/photos/2015` });
  await other("cd", { path: `${tree}/letters` });
  expect((await one("cd", { path: "." })).structuredContent.cwd).toBe(`${tree}/photos/2015`);
  expect((await other("cd", { path: "." })).structuredContent.cwd).toBe(`${tree}/letters`);
  const named = await call("cd", { path: "." }, { "openai/session": "chat one" });
  expect(named.structuredContent.cwd).toBe(`${tree}/photos/2015`);

  const listed = async (): Promise<[string[], string[]]> => [
    (await call("query-list", {})).structuredContent.queries.map(({ queryId }: Loose) => queryId),
    (await call("resource-set-ops", { op: "list" })).structuredContent.sets.map((set: Loose) => set.selectionId),
  ];
  const before = await listed();
  const filter = { name: "*.pdf" };
  const { queryId, selectionId } = (await call("query-run", { filter })).structuredContent;
  const looked = (await call("query-run", { filter, save: false })).structuredContent;
  expect(looked.report).toMatchObject({ matches: 1 });
  expect(looked).not.toHaveProperty("selectionId");
  expect(await listed()).toEqual(before);
  expect((await call("query-run", { queryId })).structuredContent).toMatchObject({ selectionId });
  await call("resource-set-ops", { op: "delete", selectionId });
  for (const gone of [await call("query-get", { queryId }), await call("resource-set-ops", { op: "get", selectionId })])
    expect(gone.structuredContent.error.code).toBe("not_found");
  const kept = (await call("query-run", { filter, name: "papers again" })).structuredContent;
  expect((await listed())[0]).toContain(kept.queryId);
  await call("resource-set-ops", { op: "delete", queryId: kept.queryId });
  expect((await listed())[0]).not.toContain(kept.queryId);
});

test("S-23 an unsaved query can be paged to the end with only the navigate power", async () => {
  const { access_token } = await server.grant({ files: { roots: [tree], may: ["navigate"] } });
  const looker = shellClient(server.url, access_token);
  await looker("cd", { path: tree });
  const args = { filter: { name: "*.jpg" }, save: false };
  const first = (await looker("query-run", args)).structuredContent;
  const all = [...first.report.sample];
  for (let { nextCursor } = first; nextCursor !== undefined; ) {
    const page = (await looker("query-run", { ...args, cursor: nextCursor })).structuredContent;
    all.push(...page.report.sample);
    nextCursor = page.nextCursor;
  }
  expect(new Set(all.map(({ nodeId }) => nodeId)).size).toBe(YEARS.length * PHOTOS_PER_YEAR);
  expect((await looker("query-run", { filter: args.filter })).structuredContent.error.code).toBe("insufficient_scope");
});

test("S-24 a file with indexed text shows its record's handle and window link", async () => {
  const lens = await server.files();
  const [root] = await lens.roots();
  const path = join(tree, "letters", "copy-1.txt");
  expect((await call("inspect", { path })).structuredContent).not.toHaveProperty("text");
  await lens.setText(root!.rootId, true);
  const job = await lens.syncRecords(root!.rootId);
  await lens.files.jobEnded(job!.jobId);
  const { structuredContent: found, text } = await call("inspect", { path });
  expect(found.text.record).toMatch(new RegExp(`^${root!.connectionId}/file_text:[\\w-]{16}$`));
  expect(text).toContain(found.text.window);
  const reader = await server.grant({ selections: [{ connection_id: root!.connectionId, stream: "file_text" }] });
  for (const id of [found.text.record, found.text.window])
    expect((await callTool(server.url, reader.access_token, "fetch", { id })).text).toContain("the same the same");
  const photo = await call("inspect", { path: `${tree}/photos/2015/IMG_0001.jpg` });
  expect(photo.structuredContent).not.toHaveProperty("text");
});

test("S-17 S-18 index with verify finds a file that was rewritten in place", async () => {
  const path = join(tree, "rewritten.txt");
  writeFileSync(path, "one");
  await scanned();
  const size = async () => (await call("inspect", { path })).structuredContent.size;
  expect(await size()).toBe(3);
  writeFileSync(path, "three");
  await scanned({ verify: true });
  expect(await size()).toBe(5);
  const { text } = await call("resource-set-ops", { op: "create", name: "x", queryId: "fq_1" });
  expect(text).toContain("queryId is only for delete");
  expect(text).toContain('query-run({"queryId":"fq_1"})');
});
