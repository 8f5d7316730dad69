// File grants in the CLI: issued by path or id, listed and described in words, and revoked.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesDeclaration } from "../src/files/declaration.ts";
import type { Loose } from "./harness.ts";
import { ok, pdpp, type Run, type Serving, serve } from "./pdpp.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-file-grants-")));
const home = join(folder, "home");
const photos = join(folder, "Photos");
const papers = join(folder, "Papers");
let server: Serving;
let owner = "";
let connection = "";

const local = (args: readonly string[], cwd?: string): Promise<Run> => pdpp([...args, "--home", home], { cwd });
const remote = (args: readonly string[]): Promise<Run> =>
  pdpp([...args, "--server", server.url], { env: { PDPP_ACCESS_TOKEN: owner } });

beforeAll(async () => {
  for (const path of [photos, papers]) mkdirSync(path);
  symlinkSync(photos, join(folder, "link"));
  const declaration = join(folder, "files.json");
  writeFileSync(declaration, JSON.stringify(filesDeclaration));
  const none = await pdpp([
    "ingest",
    "files",
    "--declaration",
    declaration,
    "--name",
    photos,
    "--json",
    "--home",
    home,
  ]);
  connection = none.json.connection_id;
  await ok(local(["connections", "create", "files", "--name", papers]));
  server = await serve(home);
  owner = (await local(["owner", "token", "--json"])).json.access_token;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const grantsOf = async (args: readonly string[], cwd?: string): Promise<Loose[]> =>
  (await ok(local(["grants", "issue", "--files", ...args, "--json"], cwd))).json.grants;

describe("pdpp grants issue --files", () => {
  it("S-01 prints a token for all roots and powers; --root and --may narrow it", async () => {
    const all = (await ok(local(["grants", "issue", "--files", "--json"]))).json;
    expect(all).toMatchObject({ access_token: expect.stringMatching(/^pdpp_at_/), token_type: "Bearer" });
    expect(all.grants.map(({ files }: Loose) => files.may)).toEqual(
      Array(2).fill(["navigate", "index", "curate", "download"]),
    );
    const [narrow, ...others] = await grantsOf(["--root", photos, "--may", "download"]);
    expect([narrow.streams[0].instance_ids, narrow.files.may, others]).toEqual([
      [connection],
      ["navigate", "download"],
      [],
    ]);
  });

  it("accepts a root by id, by a relative path, and by a link to it", async () => {
    for (const [root, cwd] of [[connection], ["Photos", folder], [`${photos}/`], [join(folder, "link")]] as const) {
      const grants = await grantsOf(["--root", root], cwd);
      expect(grants.map(({ streams }) => streams[0].instance_ids)).toEqual([[connection]]);
    }
    expect(await grantsOf(["--root", photos, "--root", papers])).toHaveLength(2);
  });

  it("exits with code 5 for an unknown root, and with code 2 for an unknown power or a mix of files and records", async () => {
    const none = await local(["grants", "issue", "--files", "--root", folder]);
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("pdpp files roots add PATH")]);
    for (const args of [
      ["--files", "--may", "delete"],
      ["--files", "--all"],
      ["--files", "--connection", connection],
      ["--all", "--may", "index"],
      ["--connection", connection, "--root", photos],
    ]) {
      expect((await local(["grants", "issue", ...args])).code).toBe(2);
    }
  });
});

describe.each([
  ["on a home", local],
  ["over --server", remote],
] as const)("%s", (_where, run) => {
  it("P-08 lists, describes and revokes a file grant in words", async () => {
    const named = ["--root", photos, "--may", "index,curate", "--client-name", "Sorter", "--json"];
    const { grant_id, access_token } = (await ok(run(["grants", "issue", "--files", ...named]))).json;
    const words = `look through ${photos}, start scans, collect selections`;
    expect((await run(["grants", "list"])).stdout).toMatch(
      new RegExp(`^${grant_id} +“Sorter” +Unverified +active +L${words.slice(1)} +until revoked`, "m"),
    );
    expect((await run(["grants", "show", grant_id])).stdout).toContain(`  may\n    ${words}\n`);
    expect((await run(["grants", "revoke", grant_id])).stdout).toContain(`  Sorter can no longer ${words}\n`);
    const records = await pdpp(["schema", "--server", server.url], { env: { PDPP_ACCESS_TOKEN: access_token } });
    expect(records.code).toBe(3);
  });

  it("says what the token can be used for", async () => {
    const issued = await ok(run(["grants", "issue", "--files", "--may", "navigate"]));
    expect(issued.stdout).toMatch(/^pdpp_at_\S+\n$/);
    expect(issued.stderr).toContain(": may look through 2 roots, until revoked.");
  });
});
