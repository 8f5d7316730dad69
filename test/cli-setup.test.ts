// pdpp setup as a person runs it: what it shows, writes, checks and undoes, for every client app.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { CLIENTS, clientSetup, gateOf } from "../src/contract/client-setups.ts";
import { TOOLS } from "../src/surfaces/mcp/tools.ts";
import { type TestServer, testServer } from "./harness.ts";
import { BOOKS, library } from "./library.ts";
import { pdpp, type Run } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-setup-"));
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  await server.ingest("books", await server.connect("library", "Town library"), BOOKS);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Desk {
  home: string;
  file(id: string): string;
  /**
   * By default, setup finds the server through its home. With `own: false`, its home has no server, so a server is used
   * by URL.
   */
  run(args: readonly string[], options?: { own?: boolean; env?: Record<string, string> }): Promise<Run>;
  write(id: string, text: string): string;
}

function desk(name: string): Desk {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: "",
    CODEX_HOME: "",
    CLAUDE_CONFIG_DIR: "",
    GEMINI_CLI_HOME: "",
    PATH: "/usr/bin:/bin",
  };
  const machine = { platform: process.platform, home, env: {} };
  const file = (id: string): string => clientSetup(id as "codex").files(machine)[0]!;
  return {
    home,
    file,
    run: (args, { own = true, env: more = {} } = {}) =>
      pdpp(["setup", ...args], { env: { ...env, PDPP_HOME: own ? server.home : join(home, "none"), ...more } }),
    write(id, text) {
      mkdirSync(dirname(file(id)), { recursive: true });
      writeFileSync(file(id), text);
      return file(id);
    },
  };
}

/** Realistic settings, with comments and other entries. */
const BEFORE: Record<string, string> = {
  json: '// mine\n{\n  "theme": "dark", // at night\n  "UNDER": {\n    "other": { "command": "npx" }\n  }\n}\n',
  toml: '# mine\nmodel = "gpt-5" # good\n\n[UNDER.other]\ncommand = "npx"\n\n[projects."/srv"]\ntrust_level = "trusted"\n',
  yaml: "# mine\nGOOSE_MODE: auto # good\nUNDER:\n  other:\n    enabled: true\nlast: 1\n",
};

const PARSERS: Record<string, (text: string) => object> = {
  json: (text) => parseJsonc(text, [], { allowTrailingComma: true }),
  toml: (text) => structuredClone(parseToml(text)),
  yaml: (text) => parseYaml(text),
};

describe("C-09 pdpp setup", () => {
  it.each(CLIENTS)(
    "C-09 $id: shows, writes and checks the entry, and undo restores the file byte for byte",
    async ({ id, format, under }) => {
      const at = desk(id);
      const before = BEFORE[format]!.replace("UNDER", under);
      const file = at.write(id, before);
      chmodSync(file, 0o640);
      const shown = await at.run([id, "--dry-run"]);
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^\+ .*pdpp/m)]);
      expect(shown.stdout).not.toMatch(/^- (?!.*\})/m);
      expect(readFileSync(file, "utf8")).toBe(before);

      const done = await at.run([id, "--yes"]);
      expect([done.code, done.stderr]).toEqual([0, expect.stringContaining(`Undo: pdpp setup ${id} --undo`)]);
      expect(done.stdout).toContain(shown.stdout.trim());
      expect(done.stdout).toContain(TOOLS.map(({ definition }) => definition.name).join(", "));
      const after = PARSERS[format]!(readFileSync(file, "utf8")) as Record<string, Record<string, object>>;
      const old = PARSERS[format]!(before) as Record<string, Record<string, object>>;
      const entry = after[under]!.pdpp!;
      expect(JSON.stringify(entry)).toContain(server.url);
      expect(after).toEqual({ ...old, [under]: { ...old[under], pdpp: entry } });
      expect(readFileSync(file, "utf8")).toContain("mine\n");
      expect(readFileSync(`${file}.before-pdpp`, "utf8")).toBe(before);
      expect(statSync(file).mode & 0o777).toBe(0o640);

      const again = await at.run([id, "--yes", "--json"]);
      expect([again.code, again.json.changed, again.json.written]).toEqual([0, false, false]);

      const undone = await at.run([id, "--undo", "--yes"]);
      expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining("Removed.")]);
      expect(readFileSync(file, "utf8")).toBe(before);
      expect(existsSync(`${file}.before-pdpp`)).toBe(false);
    },
  );

  it("C-09 lists the client apps, says whether they are installed, and shows their entries", async () => {
    const at = desk("list");
    at.write("gemini", "{}\n");
    at.write("cursor", "{ broken");
    await at.run(["codex", "--yes"]);
    const listed = await at.run(["--json"]);
    const rows = Object.fromEntries(listed.json.data.map((row: { client: string }) => [row.client, row]));
    expect(Object.keys(rows)).toEqual(CLIENTS.map(({ id }) => id));
    expect(rows.codex).toMatchObject({ installed: true, records: `${server.url}/mcp`, files: null });
    expect(rows.gemini).toMatchObject({ installed: true, records: null });
    expect(rows["claude-code"]).toMatchObject({ installed: false, records: null });
    expect(rows.cursor.failure).toContain("cannot be read");
    const table = await at.run([]);
    expect(table.stdout).toMatch(/^codex +Codex +yes +http:\S+\/mcp +–$/m);
    expect(table.stderr).toContain("Set one up: pdpp setup gemini");
  });

  it("C-09 --files adds the files lens alongside the records lens, and each can be undone separately", async () => {
    const at = desk("files");
    const first = await at.run(["claude-code", "--yes", "--json"]);
    const both = await at.run(["claude-code", "--files", "--yes", "--json"]);
    expect([first.json.name, both.json.name]).toEqual(["pdpp", "pdpp-files"]);
    expect(both.json.url).toBe(`${server.url}/files/mcp`);
    const settings = () => JSON.parse(readFileSync(at.file("claude-code"), "utf8")).mcpServers;
    expect(Object.keys(settings())).toEqual(["pdpp", "pdpp-files"]);
    await at.run(["claude-code", "--undo", "--yes"]);
    expect(settings()).toEqual({ "pdpp-files": { type: "http", url: gateOf(server.url, "files").url } });
    await at.run(["claude-code", "--undo", "--files", "--yes"]);
    expect(settings()).toEqual({});
  });

  it("C-09 undo removes a file that setup created, but keeps later additions to it", async () => {
    const at = desk("made");
    await at.run(["cursor", "--yes"]);
    await at.run(["cursor", "--undo", "--yes"]);
    expect(existsSync(at.file("cursor"))).toBe(false);
    await at.run(["cursor", "--yes"]);
    const file = at.file("cursor");
    writeFileSync(file, readFileSync(file, "utf8").replace('{\n  "mcpServers"', '{\n  "mine": 1,\n  "mcpServers"'));
    await at.run(["cursor", "--undo", "--yes"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mine: 1, mcpServers: {} });
    const nothing = await at.run(["cursor", "--undo", "--yes"]);
    expect([nothing.code, nothing.stdout]).toEqual([0, expect.stringContaining("Nothing to undo")]);
  });

  it("C-09 a new address replaces the previous one, and undo restores it", async () => {
    const at = desk("moved");
    const before = '{\n  "servers": {\n    "pdpp": { "url": "http://127.0.0.1:1/mcp" }\n  }\n}\n';
    const file = at.write("vscode", before);
    const done = await at.run(["vscode", "--yes"]);
    expect(done.stdout).toMatch(/^- .*127\.0\.0\.1:1\/mcp/m);
    const { servers } = JSON.parse(readFileSync(file, "utf8"));
    expect(servers).toEqual({ pdpp: { type: "http", url: `${server.url}/mcp` } });
    await at.run(["vscode", "--undo", "--yes"]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.skipIf(process.platform === "win32")("C-09 a symbolic link is kept, and its target is updated", async () => {
    const at = desk("link");
    const real = join(at.home, "dotfiles.toml");
    writeFileSync(real, "# kept in a repository\n");
    mkdirSync(dirname(at.file("codex")), { recursive: true });
    symlinkSync(real, at.file("codex"));
    await at.run(["codex", "--yes"]);
    expect(readFileSync(real, "utf8")).toContain("[mcp_servers.pdpp]");
    await at.run(["codex", "--undo", "--yes"]);
    expect(readFileSync(real, "utf8")).toBe("# kept in a repository\n");
  });

  it("C-09 checks sign-in on another machine's server, without a grant", async () => {
    const at = desk("elsewhere");
    const done = await at.run(["codex", "--yes", "--url", server.url, "--json"], { own: false });
    expect([done.code, done.json.checked]).toEqual([0, { sign_in: true }]);
    expect(done.json.next.sign_in).toBe("codex mcp login pdpp");
  });

  it("C-09 the grant for the check is narrow and is revoked afterwards", async () => {
    await desk("grant").run(["codex", "--yes"]);
    const { data } = (await server.get("/v1/grants")).body;
    const own = data.filter(
      ({ grant }: { grant: { client: { client_display: { name: string } } } }) =>
        grant.client.client_display.name === "pdpp setup",
    );
    expect(own.length).toBeGreaterThan(0);
    for (const { status, grant } of own) expect([status, grant.streams.length]).toEqual(["revoked", 1]);
  });
});

describe("C-09 pdpp setup refuses", () => {
  it.each<[string, string[], number, RegExp]>([
    ["an unknown client", ["clod-code"], 2, /no client "clod-code".*Known: claude-code/],
    ["a misspelt client, with a suggestion", ["claudecode"], 2, /did you mean claude-code\?/],
    ["two clients", ["codex", "gemini"], 2, /one client at a time/],
    [
      "a server that is not running",
      ["codex", "--yes", "--url", "http://127.0.0.1:9"],
      1,
      /no answer from http:\/\/127\.0\.0\.1:9[\s\S]*pdpp serve/,
    ],
    [
      "a remote server without https",
      ["codex", "--yes", "--url", "http://192.0.2.1"],
      2,
      /not encrypted[\s\S]*--insecure-http/,
    ],
    ["to write without confirmation", ["codex"], 4, /Nothing was written. To confirm: pdpp setup codex --yes/],
  ])("C-09 %s; nothing is written", async (_what, args, code, said) => {
    const at = desk("refused");
    const run = await at.run(args);
    expect([run.code, run.stderr]).toEqual([code, expect.stringMatching(said)]);
    expect(existsSync(at.file("codex"))).toBe(false);
  });

  it.each(CLIENTS)("C-09 $id: unreadable settings stay unchanged", async ({ id, format }) => {
    const at = desk(`broken-${id}`);
    const broken = { json: '{ "a": ', toml: "a = ", yaml: "a: [" }[format];
    const file = at.write(id, broken);
    const run = await at.run([id, "--yes"]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/cannot be read[\s\S]*Nothing was written/)]);
    expect(readFileSync(file, "utf8")).toBe(broken);
  });
});
