// /files/mcp with unusual names, paths and filters: results stay small and complete, with links to the rest.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { MCP_HEADERS, type Result, textAndDataBytes } from "../mcp.ts";

const RESULT_BYTES = 6_000;
const DEPTH = 80;
const ODD = 45;

let server: TestServer;
let tree: string;
let token: string;

beforeAll(async () => {
  server = await testServer();
  tree = mkdtempSync(join(tmpdir(), "pdpp-odd-"));
  for (const [folder, name] of [
    ["bytes", "\xff".repeat(250)],
    ["lines", "\n".repeat(60)],
    ["quotes", '"'.repeat(200)],
  ] as const) {
    mkdirSync(join(tree, folder));
    for (let n = 0; n < ODD; n++)
      writeFileSync(Buffer.from(`${tree}/${folder}/${name}${String(n).padStart(3, "0")}`, "latin1"), "x".repeat(n));
  }
  const here = process.cwd();
  process.chdir(tree);
  for (let level = 0; level < DEPTH; level++) {
    const name = `level-${level}-${"d".repeat(180)}`;
    mkdirSync(name);
    process.chdir(name);
  }
  writeFileSync("bottom.txt", "bottom");
  symlinkSync(`${"../".repeat(1300)}x`, "far");
  process.chdir(here);
  mkdirSync(join(tree, "two  spaces\u00a0here"));
  mkdirSync(join(tree, "twins"));
  writeFileSync(join(tree, "twins/a\nb"), "newline");
  writeFileSync(join(tree, "twins/a\\x0ab"), "as it is written");
  mkdirSync(join(tree, "project/node_modules/one/node_modules/two"), { recursive: true });
  writeFileSync(join(tree, "project/node_modules/a.js"), "a".repeat(1000));
  writeFileSync(join(tree, "project/node_modules/one/b.js"), "b".repeat(100));
  writeFileSync(join(tree, "project/node_modules/one/node_modules/two/c.js"), "c".repeat(10));
  await (await server.files()).addRoot({ path: tree });
  token = (await server.grant({ files: { roots: [tree] }, client_name: "Disk walker" })).access_token;
});
afterAll(async () => {
  await server?.close();
  rmSync(tree, { recursive: true, force: true });
});

/** Calls a tool and checks that the result is small. */
async function call(name: string, args: object, bearer = token): Promise<Result> {
  const response = await fetch(`${server.url}/files/mcp`, {
    method: "POST",
    headers: { ...MCP_HEADERS, Authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const answer = (await response.json()) as Loose;
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  for (const bytes of textAndDataBytes(answer.result)) expect(bytes, name).toBeLessThanOrEqual(RESULT_BYTES);
  return { ...answer.result, text: answer.result.content[0].text };
}

/** Reads a whole list page by page, through MCP and over HTTP with the URL of the first page. */
async function everything(name: string, args: object, items: (answer: Loose) => Loose[]): Promise<Loose[]> {
  const first = (await call(name, args)).structuredContent;
  const all = [...items(first)];
  for (let { nextCursor } = first; nextCursor !== undefined; ) {
    const page = await call(name, { ...args, cursor: nextCursor });
    const { entryLink } = page.structuredContent;
    for (const { runUrl, entriesUrl } of items(page.structuredContent))
      expect(entryLink ?? runUrl ?? entriesUrl).toMatch(/^\/api\//);
    all.push(...items(page.structuredContent));
    nextCursor = page.structuredContent.nextCursor;
  }
  const rest: Loose[] = [];
  for (let { nextPageUrl } = first; nextPageUrl !== undefined; ) {
    const { status, body } = await server.get(nextPageUrl.replace(server.url, ""), { token });
    expect(status).toBe(200);
    rest.push(...items(body));
    nextPageUrl = body.nextPageUrl;
  }
  const ids = ({ nodeId, queryId, selectionId }: Loose): string => nodeId ?? queryId ?? selectionId;
  expect(rest.map(ids)).toEqual(all.slice(items(first).length).map(ids));
  return all;
}

describe("a first cd", () => {
  test("S-04 right after index, shows the root or says that its scan is running", async () => {
    const { jobId, indexId } = (await call("index", { root: tree })).structuredContent;
    const { structuredContent: first, text } = await call("cd", { path: tree });
    expect(first).toMatchObject({ cwd: tree, indexId });
    if (first.entries.length === 0) expect(first).toMatchObject({ job: { jobId } });
    expect(text).not.toContain("index({");
    await (await server.files()).files.jobEnded(jobId);
    expect((await call("cd", { path: tree })).structuredContent.entries.length).toBeGreaterThan(4);
  });

  test("S-03 a root's entry links to its listing and counts everything below it", async () => {
    const [entry] = (await call("cd", { path: "/" })).structuredContent.entries;
    const { body } = await server.get(entry.link, { token });
    expect(body.parent.counts).toMatchObject(entry.counts);
  });
});

describe("S-02 text and data each stay within 6 KB", () => {
  test.each(["bytes", "lines", "quotes"])(
    "a directory with unusual names (%s) is listed page by page, with each name once",
    async (folder) => {
      const all = await everything("cd", { path: `${tree}/${folder}` }, ({ entries }) => entries);
      expect(new Set(all.map(({ name }) => name)).size).toBe(ODD);
      const { report } = (await call("query-run", { filter: { path: `${folder}/*` }, name: "n".repeat(200) }))
        .structuredContent;
      expect(report.matches).toBe(ODD);
      expect(report.sample.length).toBeGreaterThan(0);
    },
  );

  test("a directory eighty levels down is listed with the nearest part of its path", async () => {
    await call("cd", { path: tree });
    let found = await call("cd", { path: `level-0-${"d".repeat(180)}` });
    for (let level = 1; level < DEPTH; level++) found = await call("cd", { path: `level-${level}-${"d".repeat(180)}` });
    const { breadcrumb, entries, sessionId } = found.structuredContent;
    const { link } = (await call("session-preferences", { sessionId })).structuredContent;
    expect(breadcrumb[0].nodeId).toBe("n1-1");
    expect(breadcrumb.at(-1).name).toMatch(/^level-79/);
    expect(breadcrumb.map(({ name }: Loose) => name)).toContain("…");
    // The link leads to the full path.
    const session = (await server.get(link, { token })).body;
    expect(session.cwd.split("/")).toHaveLength(tree.split("/").length + DEPTH);
    for (const { nodeId } of entries) {
      const { structuredContent: node } = await call("inspect", { nodeId });
      expect(node.path).toMatch(/…/);
      const { body } = await server.get(node.link, { token });
      expect(body.path).toBe(`${session.cwd}/${body.name}`);
    }
    expect((await call("cd", { path: ".." })).structuredContent.entries[0].name).toMatch(/^level-79/);
  });

  test("lists of queries and selections with long names, and a longer filter, are shortened", async () => {
    const filter = { or: Array.from({ length: 150 }, (_, n) => ({ name: `${"long".repeat(80)}${n}` })) };
    let queryId = "";
    for (let n = 0; n < 25; n++)
      ({ queryId } = (await call("query-run", { filter, name: `€${n}`.repeat(50) })).structuredContent);
    expect((await everything("query-list", {}, ({ queries }) => queries)).length).toBeGreaterThanOrEqual(25);
    const sets = await everything("resource-set-ops", { op: "list" }, (answer) => answer.sets);
    expect(sets.length).toBeGreaterThanOrEqual(25);
    const got = await call("query-get", { queryId, full: true });
    expect(got.structuredContent.filter).toBeUndefined();
    expect(got.text).toContain("too long to show here");
    const { body } = await server.get(got.structuredContent.filterUrl, { token });
    expect(body.filter).toEqual(filter);
  });

  test("an error about a path of sixty thousand characters is shortened", async () => {
    const path = `${tree}/${"x/".repeat(30_000)}`;
    expect((await call("cd", { path })).isError).toBe(true);
    expect((await call("cd", { path, cursor: "AAAA" })).isError).toBe(true);
    expect((await call("inspect", { path })).isError).toBe(true);
  });
});

describe("an agent that sees only the text", () => {
  test("S-13 can enter a directory whose name has two spaces, using the name as printed", async () => {
    const { text } = await call("cd", { path: tree });
    const [, name] = /^(two.*)\/ \d+ B/m.exec(text)!;
    expect((await call("cd", { path: name })).structuredContent.cwd).toBe(`${tree}/two  spaces\u00a0here`);
  });

  test("S-13 gets the file whose printed name it used, even if that text is another file's real name", async () => {
    const { text } = await call("cd", { path: `${tree}/twins` });
    expect([...text.matchAll(/^(\S+) (\d+) B/gm)].map(([, name]) => name)).toEqual(["a\\x0ab", "a\\\\x0ab"]);
    for (const [, name, size] of text.matchAll(/^(\S+) (\d+) B/gm))
      expect((await call("inspect", { path: name! })).structuredContent.size).toBe(Number(size));
  });

  test("S-09 reads sizes in the units it requested", async () => {
    const sessionId = (await call("cd", { path: `${tree}/project`, sessionId: "new" })).structuredContent.sessionId;
    const looks = async (): Promise<string> => (await call("cd", { path: `${tree}/project`, sessionId })).text;
    expect(await looks()).toContain("node_modules/ 1.1 KiB");
    await call("session-preferences", { sessionId, units: "decimal" });
    expect(await looks()).toContain("node_modules/ 1.1 kB");
    await call("session-preferences", { sessionId, units: "bytes" });
    expect(await looks()).toContain("node_modules/ 1110 B");
    expect((await call("inspect", { path: "node_modules", sessionId })).text).toContain("1110 B, modified");
  });
});

describe("selections", () => {
  test("S-07 S-08 count each byte once, even if one directory contains another", async () => {
    const filter = { and: [{ kind: "dir" }, { name: "node_modules" }] };
    const ran = (await call("query-run", { filter, name: "modules" })).structuredContent;
    expect(ran.report).toMatchObject({ matches: 2, totalSize: 1110 });
    const [{ selectionId }, inner] = [ran, ran.report.sample.at(-1)];
    expect((await call("resource-set-ops", { op: "get", selectionId })).structuredContent.totalSize).toBe(1110);
    const [file] = (await call("query-run", { filter: { name: "c.js" } })).structuredContent.report.sample;
    const nodeIds = [inner.nodeId, file.nodeId];
    const made = (await call("resource-set-ops", { op: "create", name: "by hand", nodeIds })).structuredContent;
    expect(made).toMatchObject({ counts: { entries: 2, files: 1, dirs: 1 }, totalSize: 10 });
    const less = { op: "remove", selectionId: made.selectionId, nodeIds: [inner.nodeId] };
    expect((await call("resource-set-ops", less)).structuredContent.totalSize).toBe(10);
  });

  test("S-07 combine needs selectionIds, and the error shows the correct call", async () => {
    const selectionIds = ["sel_a", "sel_b"];
    for (const args of [{ combine: "union" }, { selectionIds }, { combine: "union", selectionIds, nodeIds: [] }]) {
      const { structuredContent, text } = await call("resource-set-ops", { op: "create", name: "both", ...args });
      expect(["invalid_request", "not_found"]).toContain(structuredContent.error.code);
      expect(text).toContain("resource-set-ops({");
    }
  });

  test("S-08 running a query again replaces the contents of its selection, including manual additions", async () => {
    const ran = (await call("query-run", { filter: { name: "*.js" }, name: "scripts" })).structuredContent;
    const { queryId, selectionId } = ran;
    const { nodeId } = (await call("inspect", { path: `${tree}/project` })).structuredContent;
    await call("resource-set-ops", { op: "add", selectionId, nodeIds: [nodeId] });
    const again = (await call("query-run", { queryId })).structuredContent;
    expect(again).toMatchObject({ selectionId, report: { matches: 3, totalSize: 1110 } });
    const { body } = await server.get(again.sampleUrl, { token });
    expect(body.entries.map(({ name }: Loose) => name).sort()).toEqual(["a.js", "b.js", "c.js"]);
    await call("resource-set-ops", { op: "delete", selectionId });
    expect((await server.get(again.sampleUrl, { token })).status).toBe(404);
  });

  test("S-07 an index's lists have separate pages; a cursor works only for its own list, even after the entry it points to was deleted", async () => {
    const other = (await call("index", { root: tree, depthLimit: 1 })).structuredContent;
    await (await server.files()).files.jobEnded(other.jobId);
    for (let n = 0; n < 3; n++) await call("resource-set-ops", { op: "create", name: `s${n}`, indexId: other.indexId });
    const list = { op: "list", indexId: other.indexId };
    expect(await everything("resource-set-ops", list, ({ sets }) => sets)).toHaveLength(3);
    const whole = (await call("resource-set-ops", { op: "list" })).structuredContent;
    const foreign = await call("resource-set-ops", { ...list, cursor: whole.nextCursor });
    expect(foreign.structuredContent.error.code).toBe("invalid_cursor");
    await call("resource-set-ops", { op: "delete", selectionId: whole.sets.at(-1).selectionId });
    expect((await call("resource-set-ops", { op: "list", cursor: whole.nextCursor })).isError).toBeUndefined();
  });
});

describe("a root with several indexes", () => {
  test("SECURITY row 21: an app cannot fill the disk with many variants of a scan", async () => {
    const start = (depthLimit: number) =>
      server.call("POST", "/api/indexes", { token, body: { root: tree, depthLimit } });
    const statuses: number[] = [];
    for (let depth = 100; depth < 120; depth++) statuses.push((await start(depth)).status);
    expect(statuses).toContain(413);
    expect((await start(100)).status).toBe(202);
    const bad = await server.call("POST", "/api/indexes", { token, body: { root: tree, ignore: ["/"] } });
    expect([bad.status, bad.body.error.code]).toEqual([400, "invalid_request"]);
  });
});
