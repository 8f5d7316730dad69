// pdpp connect: a terminal gets a grant that is approved in a browser or on another device. The grant is stored,
// refreshed and revoked.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSetupLink } from "../src/surfaces/web/sign-in.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "./harness.ts";
import { AUTHORS, BOOKS, library } from "./library.ts";
import { approve, backToApp, deny, typeUserCode } from "./oauth/approve.ts";
import { type OwnerBrowser, ownerBrowser, setUp } from "./oauth/owner-browser.ts";
import { begin, pdpp, type Run, type RunOptions } from "./pdpp.ts";

const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-connect-"));
let server: TestServer;
let browser: OwnerBrowser;

beforeAll(async () => {
  server = await testServer();
  browser = ownerBrowser(server.url);
  await server.register("library", library);
  const connection = await server.connect("library", "Town library");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("authors", connection, AUTHORS);
  await setUp(browser, await newSetupLink(server.host, server.url));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Desk {
  cwd: string;
  options: RunOptions;
  run(args: readonly string[], env?: Record<string, string>): Promise<Run>;
  stored(): Loose;
  /** Changes the stored credential for the server. */
  edit(change: (credential: Loose) => void): void;
}

/** Creates a separate terminal: a directory, a home, and a browser that records the address it opens. */
function desk(name: string): Desk {
  const home = join(folder, name);
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const env = { HOME: home, PDPP_BROWSER: `printf %s > '${join(home, "sent-to")}'`, SSH_CONNECTION: "", SSH_TTY: "" };
  const file = join(cwd, ".pdpp", "credentials.json");
  const stored = (): Loose => JSON.parse(readFileSync(file, "utf8"));
  return {
    cwd,
    options: { cwd, env },
    run: (args, more = {}) => pdpp(args, { cwd, env: { ...env, ...more } }),
    stored,
    edit(change) {
      const content = stored();
      change(content.servers[server.url]);
      writeFileSync(file, JSON.stringify(content));
    },
  };
}

async function until<T>(what: () => T | undefined | null | ""): Promise<T> {
  for (;;) {
    const found = what();
    if (found) return found;
    await pause(20);
  }
}

const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Runs the complete flow, with the owner's browser. */
async function connectAt(
  at: Desk,
  args: readonly string[] = [],
  answer: { deny?: true; streams?: number; duration?: string } = {},
): Promise<Run & { page: string }> {
  rmSync(join(at.cwd, "..", "sent-to"), { force: true });
  const running = begin(["connect", server.url, ...args], at.options);
  const url = await until(() => readIfThere(join(at.cwd, "..", "sent-to")));
  const consent = await browser.get(url);
  const after = answer.deny ? await deny(browser, consent) : await approve(browser, consent, answer);
  const response = await fetch(await backToApp(browser, after));
  const page = await response.text();
  return Object.assign(await running.ended, { page });
}

const mode = (path: string): number => statSync(path).mode & 0o777;

describe("E-24 pdpp connect", () => {
  it("E-24 opens a browser, stores a grant for this directory only, and says what the grant allows", async () => {
    const at = desk("code");
    const run = await connectAt(at, ["--name", "Reading desk"], { streams: 2, duration: "1d" });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining("Approve it in your browser")]);
    expect(run.page).toContain("go back to the terminal");
    expect(run.stdout).toMatch(/^Connected to http:\/\/127\.0\.0\.1:\d+\. grt_\S+ reads, until 20\S+:\n/);
    expect(run.stdout).toContain(`  books of Town library: ${BOOKS.length} records, `);
    expect(run.stderr).toContain(`Next: pdpp schema --server ${server.url}`);
    const place = join(at.cwd, ".pdpp");
    expect([mode(place), mode(join(place, "credentials.json"))]).toEqual([0o700, 0o600]);
    expect(readFileSync(join(place, ".gitignore"), "utf8")).toBe("*\n");
    const { version, servers } = at.stored();
    expect([version, Object.keys(servers)]).toEqual([1, [server.url]]);
    expect(servers[server.url]).toEqual({
      client_id: expect.stringMatching(/^cli_/),
      access_token: expect.stringMatching(/^pdpp_at_/),
      refresh_token: expect.stringMatching(/^pdpp_rt_/),
      expires_at: expect.any(String),
      token_endpoint: `${server.url}/oauth/token`,
      revocation_endpoint: `${server.url}/oauth/revoke`,
      grant_id: expect.stringMatching(/^grt_/),
      obtained_at: expect.any(String),
    });
    expect(run.stdout + run.stderr + run.page).not.toMatch(/pdpp_(at|rt)_/);
    const { body } = await server.get(`/v1/grants/${servers[server.url].grant_id}`);
    expect(body.grant.client.client_display.name).toBe("Reading desk");

    const below = join(at.cwd, "deep", "er");
    mkdirSync(below, { recursive: true });
    const read = await pdpp(["query", "books", "--server", server.url, "--json"], { ...at.options, cwd: below });
    expect([read.code, read.json.data.length]).toEqual([0, BOOKS.length]);
    const elsewhere = await pdpp(["query", "books", "--server", server.url], { ...at.options, cwd: folder });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([3, expect.stringContaining(`\`pdpp connect ${server.url}\``)]);
  });

  it("E-24 gives programs the same information without a secret, and --global applies to every directory", async () => {
    const at = desk("global");
    const run = await connectAt(at, ["--json", "--global"]);
    expect(run.json).toMatchObject({
      server: server.url,
      grant_id: expect.stringMatching(/^grt_/),
      access_mode: "continuous",
      credential_file: join(at.cwd, "..", ".pdpp", "credentials.json"),
      bearer: { kind: "client" },
      streams: [{ connector_key: "library", display_name: "Town library", fields: expect.any(Array) }],
    });
    expect(run.stdout).not.toMatch(/pdpp_(at|rt)_/);
    expect(existsSync(join(at.cwd, ".pdpp"))).toBe(false);
    expect((await pdpp(["token"], { ...at.options, cwd: folder })).stdout).toMatch(/^pdpp_at_\S+\n$/);
  });

  it("E-24 uses a code on another device if there is no browser", async () => {
    const at = desk("device");
    const env = { ...at.options.env, PDPP_BROWSER: "", DISPLAY: "", WAYLAND_DISPLAY: "" };
    const running = begin(["connect", server.url], { cwd: at.cwd, env });
    const code = await until(() => /type this code:\n {2}(\S+)/.exec(running.stderr())?.[1]);
    expect(running.stderr()).toContain(`  ${server.url}/device\n`);
    const done = await approve(browser, await typeUserCode(browser, code));
    expect(done.status, done.html).toBe(200);
    const run = await running.ended;
    expect([run.code, run.stderr]).toEqual([0, expect.stringMatching(/Waiting for your approval, 10:00 at most/)]);
    expect(run.stdout).toContain("of Town library");
    expect((await at.run(["schema", "--server", server.url])).code).toBe(0);
  });

  it("E-24 reports a denial, in the browser and on another device, and stores nothing", async () => {
    const [one, other] = [desk("denied"), desk("device-denied")];
    const byCode = await connectAt(one, [], { deny: true });
    expect([byCode.code, byCode.stderr]).toEqual([
      3,
      expect.stringContaining(`the owner of ${server.url} denied the request`),
    ]);
    expect(byCode.page).toContain("Not connected");
    const running = begin(["connect", server.url, "--device"], other.options);
    const code = await until(() => /type this code:\n {2}(\S+)/.exec(running.stderr())?.[1]);
    await deny(browser, await typeUserCode(browser, code));
    const byDevice = await running.ended;
    expect([byDevice.code, byDevice.stderr]).toEqual([3, expect.stringContaining("denied the request")]);
    for (const { cwd } of [one, other]) expect(existsSync(join(cwd, ".pdpp"))).toBe(false);
  });

  it("E-24 connecting again revokes the previous grant", async () => {
    const at = desk("again");
    await connectAt(at);
    const { grant_id, access_token } = at.stored().servers[server.url];
    const run = await connectAt(at);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`${grant_id}, was revoked`)]);
    expect((await server.get("/v1/schema", { token: access_token })).body.error.code).toBe("grant_revoked");
    expect((await at.run(["schema", "--server", server.url])).code).toBe(0);
  });

  it("refuses responses that do not belong to its request, and keeps waiting", async () => {
    const at = desk("strangers");
    const running = begin(["connect", server.url], at.options);
    const url = new URL(await until(() => readIfThere(join(at.cwd, "..", "sent-to"))));
    const back = url.searchParams.get("redirect_uri")!;
    for (const wrong of [`${back}?code=x&iss=${server.url}`, `${back}?code=x&state=guess`, `${new URL(back).origin}/`])
      expect((await fetch(wrong)).status).toBe(404);
    const state = url.searchParams.get("state")!;
    const mixed = await fetch(`${back}?code=x&state=${state}&iss=https://other.example`);
    expect(await mixed.text()).toContain("Not connected");
    const run = await running.ended;
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining("came from a different server")]);
  });
});

describe("C-09 pdpp connect --files", () => {
  it("C-09 gets a file grant in addition to the record grant, for pdpp files mcp, scripts and disconnect", async () => {
    const disk = join(folder, "disk");
    mkdirSync(disk, { recursive: true });
    writeFileSync(join(disk, "note.txt"), "hello");
    expect((await server.call("POST", "/api/roots", { body: { path: disk } })).status).toBe(201);
    const at = desk("lenses");
    await connectAt(at);
    const run = await connectAt(at, ["--files"]);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`pdpp files mcp --server ${server.url}`)]);
    expect(run.stdout).toMatch(/^Connected to the files on http:\S+ grt_\S+ reads, /);
    expect(run.stdout).toContain(`  ${disk}: may navigate\n`);
    expect(Object.keys(at.stored().servers)).toEqual([server.url, `${server.url}/files/mcp`]);

    const [records, files] = [await at.run(["token"]), await at.run(["token", "--files"])];
    expect((await server.get("/v1/schema", { token: records.stdout.trim() })).status).toBe(200);
    expect((await server.get("/api/roots", { token: files.stdout.trim() })).body.roots).toHaveLength(1);
    expect((await server.get("/v1/schema", { token: files.stdout.trim() })).status).toBe(401);

    const env = { ...(process.env as Record<string, string>), ...at.options.env };
    const args = [BIN, "files", "mcp", "--server", server.url];
    const client = new Client({ name: "desk", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: at.cwd, env }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("cd");
    const look = () => client.callTool({ name: "cd", arguments: { path: "/" } });
    expect(JSON.stringify((await look()).content)).toContain(disk);
    // The token expires, and the next call still succeeds.
    const hash = createHash("sha256").update(files.stdout.trim()).digest("base64url");
    await server.host.call("deleteToken", { hash }, HOME_OWNER);
    expect(JSON.stringify((await look()).content)).toContain(disk);
    await client.close();

    const gone = await at.run(["disconnect", "--files"]);
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining("and revoked grt_")]);
    expect(Object.keys(at.stored().servers)).toEqual([server.url]);
    const none = await at.run(["files", "mcp", "--server", server.url]);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining(`pdpp connect ${server.url} --files`)]);
    const other = await at.run(["files", "ls", "--server", server.url]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--server is only for `pdpp files mcp`")]);
  });
});

describe("a stored credential", () => {
  const past = "2020-01-01T00:00:00.000Z";

  it("E-24 is refreshed before it expires, and when the server reports that it has expired", async () => {
    const at = desk("renewed");
    await connectAt(at);
    const first = at.stored().servers[server.url];
    at.edit((credential) => {
      credential.expires_at = past;
    });
    expect((await at.run(["schema", "--server", server.url])).code).toBe(0);
    const second = at.stored().servers[server.url];
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect([second.grant_id, mode(join(at.cwd, ".pdpp", "credentials.json"))]).toEqual([first.grant_id, 0o600]);
    const hash = createHash("sha256").update(second.access_token).digest("base64url");
    await server.host.call("deleteToken", { hash }, HOME_OWNER);
    expect((await at.run(["schema", "--server", server.url])).code).toBe(0);
    expect(at.stored().servers[server.url].access_token).not.toBe(second.access_token);
    expect((await at.run(["token", server.url])).stdout).toBe(`${at.stored().servers[server.url].access_token}\n`);
  });

  it("E-24 is refreshed only once by many processes: no refresh token is used twice", async () => {
    const at = desk("race");
    await connectAt(at);
    // A slow proxy in front of the server, so that all processes wait at the same time.
    let asked = 0;
    const way = createServer(async (request, response) => {
      asked++;
      const [body] = await Promise.all([text(request), pause(1500)]);
      const headers = { "Content-Type": request.headers["content-type"]! };
      const answer = await fetch(`${server.url}/oauth/token`, { method: "POST", body, headers });
      response.writeHead(answer.status).end(await answer.text());
    }).listen(0, "127.0.0.1");
    await once(way, "listening");
    at.edit((credential) => {
      credential.expires_at = past;
      credential.token_endpoint = `http://127.0.0.1:${(way.address() as AddressInfo).port}/`;
    });
    const runs = await Promise.all(Array.from({ length: 4 }, () => at.run(["token"])));
    way.close();
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, ""]));
    expect([new Set(runs.map(({ stdout }) => stdout)).size, asked]).toEqual([1, 1]);
    expect((await at.run(["schema", "--server", server.url])).code).toBe(0);
  });

  it("E-24 suggests pdpp connect if the owner revoked the grant", async () => {
    const at = desk("revoked");
    await connectAt(at);
    await server.call("POST", `/v1/grants/${at.stored().servers[server.url].grant_id}/revoke`);
    const next = expect.stringContaining(`\`pdpp connect ${server.url}\``);
    const run = await at.run(["schema", "--server", server.url]);
    expect([run.code, run.stderr]).toEqual([3, next]);
    at.edit((credential) => {
      credential.expires_at = past;
    });
    const token = await at.run(["token"]);
    expect([token.code, token.stdout, token.stderr]).toEqual([3, "", next]);
  });

  it.runIf(process.getuid?.() === 0)("a credential that another user left in a parent folder is not used", async () => {
    const at = desk("planted");
    mkdirSync(join(at.cwd, ".pdpp"));
    const file = join(at.cwd, ".pdpp", "credentials.json");
    const servers = { [server.url]: { client_id: "cli_x", access_token: "pdpp_at_x" } };
    writeFileSync(file, JSON.stringify({ version: 1, servers }));
    expect((await at.run(["token"])).stdout).toBe("pdpp_at_x\n");
    chownSync(file, 65_534, 65_534);
    expect((await at.run(["token"])).code).toBe(3);
  });

  it("a damaged credential is not used", async () => {
    const at = desk("damaged");
    mkdirSync(join(at.cwd, ".pdpp"));
    writeFileSync(join(at.cwd, ".pdpp", "credentials.json"), "{");
    const run = await at.run(["token"]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("credentials.json is damaged")]);
  });
});

describe("pdpp disconnect", () => {
  it("E-24 revokes the grant: the next call is refused, and the credential is deleted", async () => {
    const at = desk("disconnect");
    await connectAt(at);
    const { access_token, grant_id } = at.stored().servers[server.url];
    const run = await at.run(["disconnect"]);
    expect([run.code, run.stdout]).toEqual([0, `Disconnected from ${server.url} and revoked ${grant_id}.\n`]);
    const refused = await server.get("/v1/schema", { token: access_token });
    expect([refused.status, refused.body.error.code]).toEqual([403, "grant_revoked"]);
    expect(existsSync(join(at.cwd, ".pdpp", "credentials.json"))).toBe(false);
    const again = await at.run(["disconnect", server.url]);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("pdpp connect")]);
  });

  it("E-24 deletes the credential for an unreachable server, and says so", async () => {
    const at = desk("gone");
    await connectAt(at);
    at.edit((credential) => {
      credential.revocation_endpoint = "http://127.0.0.1:9/oauth/revoke";
    });
    const run = await at.run(["disconnect"]);
    expect([run.code, run.stderr]).toEqual([
      7,
      expect.stringContaining("The grant was not revoked on the server: no answer from"),
    ]);
    expect(run.stderr).toContain("pdpp grants revoke grt_");
    expect(existsSync(join(at.cwd, ".pdpp", "credentials.json"))).toBe(false);
  });
});

describe("E-24 an invalid server address", () => {
  it.each<[string, string[], number, RegExp]>([
    ["no server at this address", ["http://127.0.0.1:9"], 1, /no answer from http:\/\/127\.0\.0\.1:9/],
    ["not encrypted", ["http://data.example.org"], 2, /not encrypted[\s\S]*--insecure-http/],
    ["not an address", ["ftp://data.example.org"], 2, /a server must be an address such as/],
    ["a page instead of a server", ["https://data.example.org/v1/schema"], 2, /a server must be an address such as/],
    ["two servers", ["https://a.example", "https://b.example"], 2, /specify one server address/],
    ["contradictory options", ["127.0.0.1:9", "--device", "--no-browser"], 2, /not both/],
    ["--server", ["--server", "http://127.0.0.1:9"], 2, /specify the server as an argument/],
  ])("%s", async (_what, args, code, said) => {
    const run = await desk("refused").run(["connect", ...args]);
    expect([run.code, run.stderr]).toEqual([code, expect.stringMatching(said)]);
  });

  it("another program that responds and a server with another name are refused", async () => {
    let body = "<h1>It works</h1>";
    const other = createServer((_request, response) => response.end(body)).listen(0, "127.0.0.1");
    const origin = `http://127.0.0.1:${await until(() => (other.address() as AddressInfo | null)?.port)}`;
    const at = desk("other");
    const first = await at.run(["connect", origin]);
    expect([first.code, first.stderr]).toEqual([5, expect.stringContaining("does not respond like a PDPP server")]);
    body = JSON.stringify({ resource: "https://data.example.org/mcp", authorization_servers: [origin] });
    const second = await at.run(["connect", origin]);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining("pdpp connect https://data.example.org")]);
    body = JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [`${origin}/`] });
    const third = await at.run(["connect", origin]);
    expect(third.code).toBe(5);
    other.close();
  });
});

describe("E-07 an owner's credential is never used as a grant", () => {
  it("E-07 pdpp mcp refuses an owner's credential and suggests pdpp connect, and other commands do not use one with --server", async () => {
    const at = desk("owner");
    const [environment, token, looked] = await Promise.all([
      at.run(["mcp", "--server", server.url], { PDPP_OWNER_TOKEN: server.owner }),
      at.run(["mcp", "--server", server.url], { PDPP_ACCESS_TOKEN: server.owner }),
      at.run(["schema", "--server", server.url], { PDPP_OWNER_TOKEN: server.owner }),
    ]);
    for (const run of [environment, token, looked])
      expect([run.code, run.stdout, run.stderr]).toEqual([
        3,
        "",
        expect.stringContaining(`pdpp connect ${server.url}`),
      ]);
  });

  it("E-07, E-24 pdpp mcp uses the credential from pdpp connect, and refreshes it while running", async () => {
    const at = desk("mcp");
    await connectAt(at);
    at.edit((credential) => {
      credential.expires_at = "2020-01-01T00:00:00.000Z";
    });
    const env = { ...(process.env as Record<string, string>), ...at.options.env };
    const client = new Client({ name: "desk", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], cwd: at.cwd, env }));
    const first = await client.callTool({ name: "schema", arguments: {} });
    expect(JSON.stringify(first.content)).toContain("books");
    // The token expires, and the next call still succeeds.
    const { access_token } = at.stored().servers[server.url];
    const hash = createHash("sha256").update(access_token).digest("base64url");
    await server.host.call("deleteToken", { hash }, HOME_OWNER);
    const calls = Array.from({ length: 5 }, () => client.callTool({ name: "schema", arguments: {} }));
    for (const result of await Promise.all(calls))
      expect([result.isError ?? false, result.content]).toEqual([false, first.content]);
    await client.close();
  });
});
