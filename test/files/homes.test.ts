// Homes and backups below an approved root are listed by name, but their contents are never shown or served.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backupHome } from "../../src/engine/backup/backup.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";
import { prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import { lockedCredentials, putCredential } from "../../src/surfaces/cli/credentials.ts";
import { type Loose, newHome, ON_FILES, type TestServer, testServer } from "../harness.ts";
import { connectClient, type Result } from "../mcp.ts";

const MARKER = "postern-home";

let server: TestServer;
/** The approved root that contains everything else. */
let root: string;
let app: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-homes-")));
  mkdirSync(join(root, "own"), { mode: 0o700 });
  writeFileSync(join(root, "own/key"), randomBytes(32), { mode: 0o600 });
  server = await testServer({ home: join(root, "own") });
  writeFileSync(join(root, "plain.txt"), "plain");

  // Adds a home and a backup with unrelated names, and copies of both from an older build, without the marker.
  const made = newHome();
  prepareHome(made);
  await backupHome({ home: made, directory: join(root, "backup") });
  renameSync(join(root, "backup"), join(root, "holiday photos"));
  mkdirSync(join(root, "deep/er"), { recursive: true });
  for (const name of ["copied", "deep/er/home", "older"]) cpSync(made, join(root, name), { recursive: true });
  cpSync(join(root, "holiday photos"), join(root, "older backup"), { recursive: true });
  for (const name of ["older", "older backup"]) rmSync(join(root, name, MARKER));
  rmSync(made, { recursive: true });

  // Adds single copies of private files, with unrelated names.
  mkdirSync(join(root, "copies"));
  const packs = join(root, "holiday photos/packs");
  cpSync(join(packs, readdirSync(packs).find((name) => !name.endsWith(".json"))!), join(root, "copies/pack.bin"));
  const lone = newHome();
  prepareHome(lone);
  for (const [index, name] of ["records.db", "audit.db", "key"].entries())
    cpSync(join(lone, name), join(root, "copies", `${index}.jpg`));
  rmSync(lone, { recursive: true });
  // Adds a database from a build that did not mark its files. It is recognised by its tables.
  const unmarked = new DatabaseSync(join(root, "copies/unmarked.sqlite"));
  unmarked.exec(MIGRATIONS.records[0]!);
  unmarked.close();
  const folder = join(root, "project/.pdpp");
  await lockedCredentials(folder, async () =>
    putCredential(
      { folder, origin: "http://127.0.0.1:7171", lens: "records" },
      { client_id: "c", access_token: "pdpp_at_secret" },
    ),
  );
  cpSync(join(root, "project/.pdpp/credentials.json"), join(root, "copies/notes.txt"));
  // Adds the server's own key as an earlier build wrote it, without anything recognisable.
  cpSync(join(root, "own/key"), join(root, "copies/own"));
  // Adds a credentials folder as earlier builds left it, without the marker.
  cpSync(join(root, "project/.pdpp"), join(root, "older project/.pdpp"), { recursive: true });
  rmSync(join(root, "older project/.pdpp", MARKER));

  // Adds other paths into the server's own home.
  symlinkSync(join(root, "own"), join(root, "link"));
  linkSync(join(root, "own/key"), join(root, "another name"));

  await server.call("POST", "/api/roots", { body: { path: root } });
  app = (await server.grant({ files: { roots: [root] } })).access_token;
  cpSync(join(root, "own/records.db-wal"), join(root, "copies/log"));
  await scan();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

async function scan(body: object = { root }): Promise<Loose> {
  const { body: job } = await server.call("POST", "/api/indexes", { token: app, body });
  return (await server.files()).files.jobEnded(job.jobId);
}

const get = async (path: string): Promise<Loose> => (await server.get(path, { token: app })).body;
const named = (name: string): string => encodeURIComponent(JSON.stringify({ name }));
const found = async (name: string): Promise<Loose[]> =>
  (await get(`/api/indexes/ix1/find?filter=${named(name)}`)).entries;
const refusedDownload = async (nodeId: string): Promise<string> => {
  const { status, body } = await server.get(`/api/indexes/ix1/nodes/${nodeId}/download`, { token: app });
  expect(status, nodeId).toBe(400);
  return body.error.message;
};

describe.runIf(ON_FILES)("G-07 a home or a backup below a root", () => {
  test("G-07 is listed as such whatever its name, and its contents are not listed", async () => {
    const { entries } = await get("/api/indexes/ix1/tree");
    const states = Object.fromEntries(entries.map(({ name, state }: Loose) => [name, state]));
    expect(states).toMatchObject({
      copied: "home",
      "holiday photos": "home",
      older: "home",
      "older backup": "home",
      own: "home",
    });
    expect(await found("home")).toMatchObject([{ path: join(root, "deep/er/home"), state: "home" }]);
    for (const name of ["key", "records.db", "audit.db", "manifest.json", MARKER])
      expect(await found(name)).toEqual([]);
    const inside = await get(
      `/api/indexes/ix1/tree?parent=${entries.find(({ name }: Loose) => name === "own").nodeId}`,
    );
    expect(inside).toMatchObject({ entries: [], total: 0 });
  });

  test("G-07 is marked as such in the listing of `cd` at /files/mcp", async () => {
    const client = await connectClient(server.url, app, "modern", "/files/mcp");
    try {
      const { content } = (await client.callTool({ name: "cd", arguments: { path: root } })) as Result;
      const lines = (content[0] as { text: string }).text.split("\n");
      expect(lines.find((line) => line.includes("holiday photos/"))).toContain("(a Postern home, not shown)");
      expect(lines.find((line) => line.includes("plain.txt"))).not.toContain("(a Postern");
    } finally {
      await client.close();
    }
  });

  test("G-07 cannot be opened through a symbolic link into it, or a hard link to one of its files", async () => {
    expect((await scan({ root, followSymlinks: true })).status).toBe("succeeded");
    const { entries } = await get("/api/indexes/ix2/tree");
    expect(entries.find(({ name }: Loose) => name === "link")).not.toHaveProperty("targetId");
    const { nodeId } = (await found("another name"))[0];
    expect(await refusedDownload(nodeId)).toContain("a Postern home or a backup of one");
  });

  test("G-07 a directory that becomes a home after the scan is refused at the next read, and listed as a home after the next scan", async () => {
    mkdirSync(join(root, "later/blobs"), { recursive: true });
    writeFileSync(join(root, "later/records.db"), "secret");
    writeFileSync(join(root, "later/blobs/text.txt"), "secret ".repeat(1000));
    await scan();
    const files = [...(await found("records.db")), ...(await found("text.txt"))];
    expect(files).toHaveLength(2);
    const read = await server.get(`/api/indexes/ix1/nodes/${files[1].nodeId}/download`, { token: app });
    expect(read.text).toContain("secret");
    writeFileSync(join(root, "later", MARKER), "");
    for (const { nodeId } of files) {
      expect(await refusedDownload(nodeId)).toContain("a Postern home or a backup of one");
      expect(await get(`/api/indexes/ix1/nodes/${nodeId}/detail`)).not.toHaveProperty("excerpt");
    }
    await scan();
    expect([...(await found("records.db")), ...(await found("text.txt"))]).toEqual([]);
    expect(await found("later")).toMatchObject([{ state: "home" }]);
  });

  test("G-07 neither a home nor anything in it can be a root, and a root that becomes a home is not scanned again", async () => {
    for (const path of ["copied", "holiday photos/packs", "older", "own", "own/blobs"]) {
      const { status, body } = await server.call("POST", "/api/roots", { body: { path: join(root, path) } });
      expect([status, body.error.message], path).toEqual([400, "a Postern home, or a backup of one, cannot be a root"]);
    }
    const turned = mkdtempSync(join(tmpdir(), "pdpp-turned-"));
    writeFileSync(join(turned, "file"), "content");
    await server.call("POST", "/api/roots", { body: { path: turned } });
    const once = async () => {
      const { body } = await server.call("POST", "/api/indexes", { body: { root: turned } });
      return (await server.files()).files.jobEnded(body.jobId);
    };
    const { indexId } = await once();
    writeFileSync(join(turned, MARKER), "");
    expect(await once()).toMatchObject({ status: "failed", error: expect.stringContaining("a Postern home") });
    const { body } = await server.get(`/api/indexes/${indexId}/find?filter=${named("file")}`);
    const { status } = await server.get(`/api/indexes/${indexId}/nodes/${body.entries[0].nodeId}/download`);
    expect(status).toBe(400);
    rmSync(turned, { recursive: true });
  });

  test("G-07 the CLI's credentials folder is listed as a home, and its contents are not listed", async () => {
    expect(await found(".pdpp")).toMatchObject([
      { path: join(root, "older project/.pdpp"), state: "home" },
      { path: join(root, "project/.pdpp"), state: "home" },
    ]);
    expect(await found("credentials.json")).toEqual([]);
  });

  test("G-07 copies of a home's databases, its key and the CLI's credentials are refused because of their content, whatever their names", async () => {
    const { nodeId: parent } = (await found("copies"))[0];
    const { entries } = await get(`/api/indexes/ix1/tree?parent=${parent}`);
    expect(entries.map(({ name }: Loose) => name)).toEqual([
      ...["0.jpg", "1.jpg", "2.jpg", "log", "notes.txt", "own", "pack.bin", "unmarked.sqlite"],
    ]);
    for (const { name, nodeId } of entries) {
      expect(await refusedDownload(nodeId), name).toContain("a Postern home or a backup of one");
      expect(await get(`/api/indexes/ix1/nodes/${nodeId}/detail`), name).not.toHaveProperty("excerpt");
    }
  });

  test("G-07 another program's database is served", async () => {
    const database = new DatabaseSync(join(root, "other.sqlite"));
    database.exec("CREATE TABLE entry (n INTEGER PRIMARY KEY, body TEXT)");
    database.close();
    await scan();
    const { nodeId } = (await found("other.sqlite"))[0];
    expect((await server.get(`/api/indexes/ix1/nodes/${nodeId}/download`, { token: app })).status).toBe(200);
  });

  test("G-07 a home from an older build gets its marker when it is opened", () => {
    const home = newHome();
    prepareHome(home);
    rmSync(join(home, MARKER));
    execFileSync(join(import.meta.dirname, "../../node_modules/node/bin/node"), [
      join(import.meta.dirname, "../../bin/pdpp.js"),
      ...["grants", "list", "--home", home],
    ]);
    expect(() => rmSync(join(home, MARKER))).not.toThrow();
    rmSync(home, { recursive: true });
  });
});
