// Other file systems below a root: only the owner chooses, for the whole root, whether scans include them.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Catalogue } from "../../src/files/catalogue.ts";
import { type Loose, newHome, ON_FILES, type TestServer, testServer } from "../harness.ts";
import { ok, pdpp } from "../pdpp.ts";

/** The only place where every Linux machine has a nested file system that a test can write to. */
const ROOT = "/dev";
const BELOW = "/dev/shm";

let home: string;
let server: TestServer;
let app: string;
let probe: string;
beforeAll(async () => {
  expect(statSync(BELOW).dev).not.toBe(statSync(ROOT).dev);
  probe = mkdtempSync(join(BELOW, "postern-mounts-"));
  writeFileSync(join(probe, "beyond.txt"), "on another file system");
  home = newHome();
  server = await testServer({ home });
  await server.call("POST", "/api/roots", { body: { path: ROOT } });
  app = (await server.grant({ files: { roots: [ROOT] } })).access_token;
});
afterAll(async () => {
  await server?.close();
  for (const path of [probe, home]) rmSync(path, { recursive: true, force: true });
});

const scan = async (more: object = {}): Promise<Loose> =>
  (await server.call("POST", "/api/indexes", { token: app, body: { root: ROOT, ...more } })).body;
const ended = async (): Promise<void> => {
  const { files } = await server.files();
  for (const { jobId } of await files.jobs()) await files.jobEnded(jobId);
};
const listed = async (): Promise<string[]> => {
  const filter = encodeURIComponent(JSON.stringify({ path: `shm/${basename(probe)}/*` }));
  const { body } = await server.get(`/api/indexes/ix1/find?filter=${filter}`, { token: app });
  return body.entries.map(({ name }: Loose) => name);
};
const chosen = async (): Promise<boolean> => (await server.get("/api/roots/root1")).body.crossMounts;

describe.runIf(ON_FILES)("G-07 other file systems below a root", () => {
  test("G-07 no call lets an app include them in a scan", async () => {
    await scan();
    await ended();
    expect(await listed()).toEqual([]);
    expect((await scan({ crossMounts: true })).error).toMatchObject({ code: "invalid_request", param: "crossMounts" });
    for (const [method, path, body] of [
      ["PATCH", "/api/roots/root1", { crossMounts: true }],
      ["POST", "/api/roots", { path: ROOT, crossMounts: true }],
    ] as const)
      expect((await server.call(method, path, { token: app, body })).status).toBe(403);
    expect(await chosen()).toBe(false);
  });

  test("G-07 the owner can include them over HTTP, and the index is scanned again with them", async () => {
    const choose = (crossMounts: boolean) => server.call("PATCH", "/api/roots/root1", { body: { crossMounts } });
    expect((await choose(true)).body).toMatchObject({ rootId: "root1", crossMounts: true, indexIds: ["ix1"] });
    await ended();
    expect(await listed()).toEqual(["beyond.txt"]);
    await choose(false);
    await ended();
    expect(await listed()).toEqual([]);
  });

  test("G-07 the owner can include them with the CLI, or with a `--cross-mounts` scan", async () => {
    const files = (...args: string[]) => ok(pdpp(["files", ...args, "--home", home, "--json"]));
    expect((await files("roots", "mounts", ROOT, "on")).json.cross_mounts).toBe(true);
    expect(await chosen()).toBe(true);
    await files("roots", "mounts", "root1", "off");
    expect(await chosen()).toBe(false);
    await files("roots", "add", ROOT, "--cross-mounts");
    expect(await chosen()).toBe(true);
    expect((await pdpp(["files", "roots", "mounts", ROOT, "maybe", "--home", home])).code).toBe(2);
  });

  test("G-07 a catalogue from an earlier build starts without them for every root, and no index is lost", () => {
    const directory = mkdtempSync(join(tmpdir(), "pdpp-catalogue-"));
    const path = join(directory, "catalogue.db");
    new Catalogue(path).close();
    const before = new DatabaseSync(path);
    before.exec(`
      ALTER TABLE root DROP COLUMN cross_mounts; PRAGMA user_version = 1;
      INSERT INTO root (path, name, created_at) VALUES (x'2F', 'all', 0);
      INSERT INTO file_index (root, options, created_at) VALUES
        (1, '{"crossMounts":true}', 0), (1, '{"crossMounts":true,"depthLimit":2}', 0), (1, '{}', 0);`);
    before.close();
    const catalogue = new Catalogue(path);
    expect(catalogue.root(1)!.cross_mounts).toBe(0);
    expect(catalogue.indexes().map(({ options }) => options)).toEqual([{}, { depthLimit: 2 }, {}]);
    expect(catalogue.ensureIndex(1, '{"depthLimit":2}', 0)).toBe(2);
    catalogue.close();
    rmSync(directory, { recursive: true });
  });
});
