// S-14: an indexed root as a connection. Its records under a grant match the index and are updated by rescans.
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipOf } from "../../src/collect/archive/archives.fixture.ts";
import { digestOf } from "../../src/collect/importers/replay.ts";
import type { FileJob } from "../../src/contract/files.ts";
import { sentFile } from "../../src/files/calls/context.ts";
import { rootNo } from "../../src/files/handles.ts";
import type { ConnectedRoot } from "../../src/files/shell/connected-roots.ts";
import type { FilesLens } from "../../src/files/shell/lens.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { library } from "../library.ts";
import { connectClient, type Result } from "../mcp.ts";
import { plantTree } from "./tree.ts";

let server: TestServer;
let lens: FilesLens;
let tree: string;
let other: string;
let connectionId: string;
let indexId: string;
let token: string;

/** Scans a root and waits for its records. */
async function scanned(path: string): Promise<{ indexId: string; records: FileJob }> {
  const { rootId } = await lens.addRoot({ path });
  const scan = await lens.files.jobEnded((await lens.files.index({ rootId, verify: true })).jobId);
  expect(scan.status).toBe("succeeded");
  return { indexId: scan.indexId, records: await current(rootId) };
}

async function current(rootId: string): Promise<FileJob> {
  const job = await lens.files.jobEnded((await lens.syncRecords(rootId))!.jobId);
  expect([job.status, job.error]).toEqual(["succeeded", undefined]);
  return job;
}

beforeAll(async () => {
  server = await testServer();
  lens = await server.files();
  tree = plantTree();
  other = plantTree();
  connectionId = (await lens.addRoot({ path: tree })).connectionId;
  const hidden = (await lens.addRoot({ path: other })).connectionId;
  expect(hidden).not.toBe(connectionId);
  ({ indexId } = await scanned(tree));
  await scanned(other);
  token = (await server.grant({ selections: [{ connection_id: connectionId, stream: "files" }] })).access_token;
});
afterAll(async () => {
  await server?.close();
  for (const path of [tree, other]) rmSync(path, { recursive: true, force: true });
});

const records = (query: Record<string, string> = {}): Promise<Loose[]> =>
  server.all("/v1/streams/files/records", { token, query: { connection_id: connectionId, limit: 100, ...query } });

/** Returns everything in the index below the root, by node. */
async function nodes(): Promise<Map<string, Loose>> {
  const found = new Map<string, Loose>();
  let cursor: string | undefined;
  do {
    const page = await lens.files.find(indexId, { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const { nodeId } of page.entries) found.set(nodeId, await lens.files.node(indexId, nodeId));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function expectSame(): Promise<void> {
  const index = await nodes();
  const read = await records();
  expect(read.map(({ data }) => data.handle).sort()).toEqual([...index.keys()].sort());
  for (const { id, data } of read) {
    const node = index.get(data.handle)!;
    expect(data).toMatchObject({
      node_id: id,
      path: node.path.slice(tree.length + 1),
      name: node.name,
      parent: node.path.slice(tree.length + 1, Math.max(tree.length, node.path.lastIndexOf("/"))),
      kind: node.kind,
      modified_at: node.modifiedAt,
      depth: node.depth,
      owner: node.uid,
      permissions: node.permissions,
    });
    if (node.kind === "dir") expect(data).not.toHaveProperty("size");
    else expect(data).toMatchObject({ size: node.size, allocated: node.allocated });
    expect(data.type).toBe(node.mimeType);
  }
}

describe("S-14 an indexed root is a connection", () => {
  test("S-14 under a grant, the records are exactly the nodes of the index with every field", async () => {
    await expectSame();
    const [link] = await records({ "filter[name]": "out" });
    expect(link.provenance).toBeUndefined();
    expect(link.data).toMatchObject({ kind: "link", target: "/etc" });
    const odd = await records({ "filter[parent]": "letters", "filter[ext]": "bin" });
    expect(odd.map(({ data }) => data.name)).toEqual(["\\xff\\xfe.bin"]);
  });

  test("S-14 the five tools of /mcp work on its records: schema, query, aggregate, search and fetch", async () => {
    const client = await connectClient(server.url, token, "modern");
    try {
      const call = async (name: string, args: object): Promise<Result> =>
        (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Result;
      expect((await call("schema", {})).structuredContent.data.connectors[0]).toMatchObject({ connector_key: "files" });
      const largest = await call("query_records", {
        stream: "files",
        connection_id: connectionId,
        filter: { kind: "file", size: { gte: 240 } },
        fields: ["path", "size"],
      });
      expect(largest.structuredContent.data.length).toBeGreaterThan(0);
      const sums = await call("aggregate", {
        stream: "files",
        connection_id: connectionId,
        metric: "sum",
        field: "size",
        group_by: "kind",
      });
      const { totals } = await lens.files.indexInfo(indexId);
      const files = await nodes();
      const size = [...files.values()].reduce((sum, node) => sum + (node.kind === "file" ? node.size : 0), 0);
      expect(JSON.stringify(sums.structuredContent)).toContain(String(size));
      expect(totals!.files + totals!.dirs).toBe(files.size);
      const hits = await call("search", { query: "invoice" });
      expect(hits.structuredContent.results.length).toBeGreaterThan(0);
      const fetched = await call("fetch", { id: hits.structuredContent.results[0].id });
      expect(fetched.structuredContent.text).toContain("invoice");
    } finally {
      await client.close();
    }
  });

  test("S-14 a rescan adds new and changed records and tombstones for deleted ones, and leaves the others unchanged", async () => {
    const feed = (await server.get("/v1/streams/files/records", {
      token,
      query: { connection_id: connectionId, changes_since: "beginning", limit: 100 },
    })) as Loose;
    let since = feed.body.next_changes_since;
    for (let cursor = feed.body.next_cursor; cursor !== undefined; ) {
      const page = await server.get("/v1/streams/files/records", {
        token,
        query: { connection_id: connectionId, changes_since: "beginning", limit: 100, cursor },
      });
      since = page.body.next_changes_since ?? since;
      cursor = page.body.next_cursor;
    }
    const gone = (await records({ "filter[path]": "photos/2015/IMG_0003.jpg" }))[0].id;
    const goneDir = (await records({ "filter[parent]": "photos/2016" })).map(({ id }) => id);
    unlinkSync(join(tree, "photos/2015/IMG_0003.jpg"));
    rmSync(join(tree, "photos/2016"), { recursive: true });
    writeFileSync(join(tree, "photos/2015/IMG_0004.jpg"), "changed");
    mkdirSync(join(tree, "new/inner"), { recursive: true });
    writeFileSync(join(tree, "new/inner/first.md"), "# First");
    renameSync(join(tree, "letters/old"), join(tree, "letters/older"));
    unlinkSync(join(tree, "photos/2017/IMG_0000.jpg"));
    mkdirSync(join(tree, "photos/2017/IMG_0000.jpg"));
    symlinkSync("first.md", join(tree, "new/inner/link"));
    linkSync(join(tree, "new/inner/first.md"), join(tree, "new/second.md"));
    const { records: job } = await scanned(tree);
    await expectSame();
    const changed = await server.all("/v1/streams/files/records", {
      token,
      query: { connection_id: connectionId, changes_since: since, limit: 100 },
    });
    const deleted = changed.filter((one) => one.deleted).map(({ id }) => id);
    expect(deleted).toEqual(expect.arrayContaining([gone, ...goneDir]));
    const paths = changed.filter((one) => !one.deleted).map(({ data }) => data.path);
    expect(paths).toEqual(
      expect.arrayContaining(["photos/2015/IMG_0004.jpg", "new", "new/inner/first.md", "letters/older/invoice-0.pdf"]),
    );
    // Unchanged records are not sent again.
    expect(paths).not.toContain("photos/2019/IMG_0001.jpg");
    expect(job.progress.nodes).toBeLessThan(70);
    expect((await scanned(tree)).records.progress.nodes).toBe(0);
  });

  test("S-14 another root is invisible to a grant that does not include it", async () => {
    const hidden = (await lens.roots()).find(({ path }) => path === other)!;
    const refused = await server.get("/v1/streams/files/records", {
      token,
      query: { connection_id: hidden.connectionId },
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).not.toContain("IMG_");
    const schema = await server.get("/v1/schema", { token });
    expect(schema.text).not.toContain(hidden.connectionId);
    const found = await server.all("/v1/search", { token, query: { q: "invoice", limit: 100 } });
    expect(new Set(found.map((hit) => hit.connection_id))).toEqual(new Set([connectionId]));
  });

  test("S-14 a sync is not in the audit log, so the log shows what apps read", async () => {
    const { body } = await server.get("/v1/activity", { query: { limit: 100 } });
    const actions = body.data
      .map(({ action }: Loose) => action)
      .filter((action: string) => !/^(?:records|search|schema|stream|aggregate|record|export)/.test(action));
    expect(actions.filter((action: string) => !/Grant|Token|Connect|connect/.test(action))).toEqual([]);
  });

  test("G-01 an app that cannot see handles learns nothing about entries outside its grant", async () => {
    const { access_token } = await server.grant({
      selections: [{ connection_id: connectionId, stream: "files", fields: ["name"] }],
    });
    const seen = await server.all("/v1/streams/files/records", { token: access_token, query: { limit: 100 } });
    const handles = [...(await nodes()).keys()];
    expect(seen).toHaveLength(handles.length);
    expect(JSON.stringify(seen)).not.toMatch(/n\d+-\d/);
    for (const handle of handles) expect(seen.some(({ id }) => id === digestOf(handle) || id === handle)).toBe(false);
  });

  test("G-01 records of an earlier version, which used handles as ids, are replaced when the server checks its roots", async () => {
    const { rootId } = (await lens.roots()).find(({ path }) => path === tree)!;
    const before = (await records()).map(({ id }) => id);
    const shell = new DatabaseSync(join(server.home, "files", "shell.db"));
    const sent = new DatabaseSync(sentFile(join(server.home, "files"), rootNo(rootId)!));
    sent.exec("UPDATE meta SET value = replace(value, ' keyed', '') WHERE key = 'target'");
    sent.exec("DELETE FROM meta WHERE key = 'id_key'");
    shell.exec(`UPDATE root_connection SET asked = json_set(asked, '$.declared', '1.1.0') WHERE root_id = '${rootId}'`);
    for (const database of [shell, sent]) database.close();
    // Any scan makes the server check its roots.
    await scanned(other);
    await expect.poll(async () => (await records()).some(({ id }) => before.includes(id))).toBe(false);
    await current(rootId);
    await expectSame();
  });

  test("S-14 removing a root's index removes its records, and a new index creates new ones", async () => {
    const { rootId, connectionId: id, indexIds } = (await lens.roots()).find(({ path }) => path === other)!;
    const count = async (): Promise<number> =>
      (await server.get("/v1/streams/files/records", { query: { connection_id: id, count: "exact", limit: 1 } })).body
        .meta.count.value;
    expect(await count()).toBeGreaterThan(100);
    await lens.removeIndex(indexIds[0]!);
    await expect.poll(count).toBe(0);
    expect(await lens.syncRecords(rootId)).toBeUndefined();
    await scanned(other);
    expect(await count()).toBeGreaterThan(100);
  });

  test("S-14 removing a root removes its connection and all its records", async () => {
    const { rootId, connectionId: id } = (await lens.roots()).find(({ path }) => path === other)!;
    const { records: removed } = await lens.removeRoot(rootId);
    expect(removed).toBeGreaterThan(100);
    const connections = await server.all("/v1/connections");
    expect(connections.map(({ connection_id }) => connection_id)).not.toContain(id);
  });
});

describe("S-14 file text", () => {
  let papers: string;
  let root: ConnectedRoot;
  const texts = async (): Promise<Record<string, string>> => {
    const all = await server.all("/v1/streams/file_text/records", { query: { connection_id: root.connectionId } });
    return Object.fromEntries(all.map(({ data }) => [data.path, data.text]));
  };

  beforeAll(async () => {
    papers = mkdtempSync(join(tmpdir(), "pdpp-papers-"));
    mkdirSync(join(papers, "src"));
    writeFileSync(join(papers, "notes.md"), "# Moving\nThe landlord keeps the piano.");
    writeFileSync(join(papers, "src/main.py"), "print('piano')\n");
    writeFileSync(join(papers, "picture.jpg"), "piano");
    writeFileSync(join(papers, "fake.txt"), Buffer.from([1, 2, 3, 0]));
    writeFileSync(
      join(papers, "lease.docx"),
      zipOf([{ name: "word/document.xml", content: "<w:p><w:t>Rent is due on the third.</w:t></w:p>" }]),
    );
    writeFileSync(join(papers, "long.csv"), "a,b\n".repeat(400_000));
    symlinkSync("/etc/hostname", join(papers, "hostname.txt"));
    root = await lens.addRoot({ path: papers });
    await scanned(papers);
  });
  afterAll(() => rmSync(papers, { recursive: true, force: true }));

  test("S-14 is a separate stream, empty until the owner enables it", async () => {
    expect(root.text).toBe(false);
    expect(await texts()).toEqual({});
    await lens.setText(root.rootId, true);
    await current(root.rootId);
    const { "long.csv": long, ...rest } = await texts();
    expect(rest).toEqual({
      "notes.md": "# Moving\nThe landlord keeps the piano.",
      "src/main.py": "print('piano')",
      "lease.docx": "Rent is due on the third.",
    });
    expect(Buffer.byteLength(long!)).toBeLessThanOrEqual(1024 * 1024);
    const [cut] = await server.all("/v1/streams/file_text/records", {
      query: { connection_id: root.connectionId, "filter[name]": "long.csv", fields: "is_cut,size" },
    });
    expect(cut.data).toMatchObject({ is_cut: true, size: 1_600_000 });
  });

  test("S-14 can be searched only under a grant on that stream", async () => {
    const grantOn = async (stream: string): Promise<Loose[]> => {
      const { access_token } = await server.grant({
        selections: [{ connection_id: root.connectionId, stream }],
      });
      return server.all("/v1/search", { token: access_token, query: { q: "landlord" } });
    };
    expect((await grantOn("file_text")).map((hit) => hit.stream)).toEqual(["file_text"]);
    expect(await grantOn("files")).toEqual([]);
  });

  test("S-14 is updated when files change, without sending unchanged files again, and is removed when the owner disables it", async () => {
    writeFileSync(join(papers, "notes.md"), "# Moved");
    unlinkSync(join(papers, "lease.docx"));
    rmSync(join(papers, "src"), { recursive: true });
    const { records: job } = await scanned(papers);
    expect(Object.keys(await texts()).sort()).toEqual(["long.csv", "notes.md"]);
    expect((await texts())["notes.md"]).toBe("# Moved");
    // Besides the root, the upper limit includes the file, its text, three deleted files and two deleted texts.
    expect(job.progress.nodes).toBeLessThanOrEqual(8);
    await lens.setText(root.rootId, false);
    await current(root.rootId);
    expect(await texts()).toEqual({});
  });
});

describe("S-14 a first sync", () => {
  test("S-14 can be paused and resumed, and ends with every node once", async () => {
    const wide = mkdtempSync(join(tmpdir(), "pdpp-wide-"));
    try {
      for (let dir = 0; dir < 60; dir++) {
        mkdirSync(join(wide, `d${dir}`));
        for (let n = 0; n < 50; n++) writeFileSync(join(wide, `d${dir}`, `f${n}`), "x");
      }
      const root = await lens.addRoot({ path: wide });
      const job = await lens.files.jobEnded((await lens.files.index({ rootId: root.rootId })).jobId);
      const { jobId } = (await lens.syncRecords(root.rootId))!;
      // The sync may already have finished.
      const paused = await lens.files.pauseJob(jobId).catch(() => undefined);
      if (paused !== undefined) {
        expect((await lens.files.job(jobId)).status).toBe("paused");
        await lens.files.resumeJob(jobId);
      }
      const done = await current(root.rootId);
      const all = await server.all("/v1/streams/files/records", {
        query: { connection_id: root.connectionId, limit: 100 },
      });
      expect(all).toHaveLength(60 * 51);
      expect(done.scan).toBe(job.scan);
    } finally {
      rmSync(wide, { recursive: true, force: true });
    }
  });
});

test("V-02 the timeline, Explore and the overview show files only on request", async () => {
  const book = { id: "b1", title: "Ulysses", published_at: "2022-02-02T00:00:00.000Z" };
  await server.register("library", library);
  await server.ingest("books", await server.connect("library"), [{ key: book.id, data: book }]);
  const held: Loose[] = (await server.get("/v1/streams")).body.data.filter(
    ({ connector_key }: Loose) => connector_key === "files",
  );
  const files = held.reduce((sum, { record_count }) => sum + record_count, 0);
  expect(files).toBeGreaterThan(200);
  const { home } = (await server.get("/dashboard/explore.json")).body;
  expect(home).toMatchObject({ records: 1, files, activity: { buckets: [{ count: 1 }] } });
  const asked = (await server.get("/dashboard/explore.json", { query: { files: "1" } })).body.home;
  expect(asked.records).toBe(files + 1);
  expect(asked).not.toHaveProperty("files");
  const { overview } = (await server.get("/dashboard/connections.json")).body;
  expect(overview).toMatchObject({ records: 1, files, since: book.published_at, until: book.published_at });
  expect((await server.all("/v1/timeline")).map(({ data }) => data.title)).toEqual(["Ulysses"]);
  const onlyFiles = (await server.get("/v1/timeline", { query: { kinds: "file", limit: "5" } })).body;
  expect(onlyFiles.data).toHaveLength(5);
});
