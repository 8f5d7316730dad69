// Grants as people see them in the CLI: listed and described in words, with what was read under each. The file also
// covers owner tokens, and explanations of denied calls.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationsStream, messagesStream } from "../src/collect/importers/chat-streams.ts";
import { formatHandle } from "../src/contract/handle.ts";
import { declareSource } from "../src/core/declare.ts";
import { shellWords } from "../src/surfaces/cli/shell-words.fixture.ts";
import { type Loose, ndjson } from "./harness.ts";
import { BOOKS, library } from "./library.ts";
import { ok, pdpp, printed, type Run, type Serving, serve, settled } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-grants-"));
const home = join(folder, "home");
let server: Serving;
let owner = "";
let connection = "";
let grant: Loose;

const local = (args: readonly string[]): Promise<Run> => pdpp([...args, "--home", home]);
const remote = (args: readonly string[], token = owner): Promise<Run> =>
  pdpp([...args, "--server", server.url], { env: { PDPP_ACCESS_TOKEN: token } });

beforeAll(async () => {
  const declaration = join(folder, "library.json");
  writeFileSync(declaration, JSON.stringify(library));
  const made = await pdpp(
    ["ingest", "books", "--declaration", declaration, "--name", "Mine", "--json", "--home", home],
    {
      input: ndjson(BOOKS),
    },
  );
  connection = made.json.connection_id;
  server = await serve(home);
  owner = (await local(["owner", "token", "--json"])).json.access_token;
  const narrow = ["--stream", "books", "--fields", "title", "--client-name", "Note\x1bbook", "--purpose", "to read"];
  grant = (await local(["grants", "issue", "--connection", connection, ...narrow, "--json"])).json;
  await remote(["query", "books"], grant.access_token);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ["on a home", local],
  ["over --server", remote],
] as const)("%s", (_where, run) => {
  it("P-08: grants list and show say which app may read what, until when, and what it has read", async () => {
    const list = await run(["grants", "list", "--status", "active"]);
    expect(list.stdout).toMatch(
      new RegExp(
        `^${grant.grant_id} +“Note ?book” +Unverified +active +Books from Mine, without [^\\n]+? +until revoked +2`,
        "m",
      ),
    );
    const show = await run(["grants", "show", grant.grant_id]);
    expect(show.stdout).toMatch(/app {8}“Note ?book” \(cli_\S+\)\n {2}identity {3}Unverified\n/);
    expect(show.stdout).toContain("purpose    to read");
    expect(show.stdout).toContain("    books of Mine: id, title (2 of 13)\n");
    expect(show.stdout).toMatch(/ {4}books \(cin_[^)]+\): 12 records, [\d.]+ KiB in 2 reads, last 2/);
    expect(show.stdout).toMatch(/last calls\n(.*\n)* {4}2\S+ {2}records books: 12 records\n/);
    const [listed, shown] = [
      await run(["grants", "list", "--json"]),
      await run(["grants", "show", grant.grant_id, "--json"]),
    ];
    const { agreed, ...rest } = shown.json;
    expect(listed.json.data).toContainEqual(rest);
    // Nothing has been renamed since.
    expect(agreed).toEqual(rest.words);
    const none = await run(["grants", "list", "--client", "cli_none"]);
    expect([none.code, none.stdout]).toEqual([0, "No matching grants.\n"]);
    expect((await run(["grants", "list", "--status", "asleep"])).code).toBe(2);
  });

  it("X-08: a denied call tells the app why, and `pdpp why` shows the owner the command that allows it", async () => {
    const denied = await remote(["query", "books", "--fields", "notes"], grant.access_token);
    const line = `${grant.grant_id} streams[0].fields: books of Mine: id, title; not notes`;
    expect([denied.code, denied.stderr]).toEqual([3, expect.stringContaining(`why: ${line}\n`)]);
    const machine = await remote(["query", "books", "--fields", "notes", "--json"], grant.access_token);
    expect(machine.json.error.why).toMatchObject({ grant_id: grant.grant_id, decided_by: "streams[0].fields" });
    const activity = await run(["activity", "--grant", grant.grant_id]);
    const hint = activity.stderr.split("\n").find((text) => text.startsWith("To see why "))!;
    const words = shellWords(hint.slice(hint.indexOf(": ") + 2)).slice(1);
    const why = await pdpp(words, { env: { PDPP_ACCESS_TOKEN: owner } });
    expect(why.stdout).toMatch(/who {6}Note ?book \(cli_/);
    expect(why.stdout).toContain(`asked    records, stream books, field notes, connection ${connection}\n`);
    expect(why.stdout).toContain(
      `outcome  field_not_granted\nwhy      ${line}\nnow      ${grant.grant_id} is active\n`,
    );
    const command = shellWords(/`(pdpp grants issue [^`]+)`/.exec(why.stdout)![1]!).slice(1);
    const issued = await pdpp([...command, "--json"], { env: { PDPP_ACCESS_TOKEN: owner } });
    expect((await remote(["query", "books", "--fields", "notes"], issued.json.access_token)).code).toBe(0);
    const json = await pdpp([...words, "--json"], { env: { PDPP_ACCESS_TOKEN: owner } });
    expect(json.json.data[0]).toMatchObject({ object: "denial", why: machine.json.error.why });
    const unknown = await run(["why", "req_none"]);
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringMatching(/`pdpp activity/)]);
    expect([(await run(["why"])).code, (await run(["why", "a", "b"])).code]).toEqual([2, 2]);
  });

  it("P-08: activity can be filtered, and summed by day", async () => {
    const client = grant.grants[0].client.client_id;
    await remote(["query", "loans"], grant.access_token);
    const found = await run(["activity", "--client", client, "--stream", "loans", "--outcome", "denied", "--json"]);
    expect(found.json.data[0]).toMatchObject({ action: "records", asked: { stream: "loans" } });
    const [line] = found.json.data;
    const one = await run(["activity", "--request", line.request_id, "--by", "app"]);
    expect(one.stdout).toMatch(/grt_\S+ +records +loans +0 +0 +grant_stream_not_allowed/);
    const none = await run(["activity", "--client", client, "--until", "2020-01-01"]);
    expect([none.code, none.stdout]).toEqual([0, "No matching lines.\n"]);
    const days = await run(["activity", "days", "--client", client, "--time-zone", "Europe/Dublin"]);
    expect(days.stdout).toMatch(/^2\d{3}-\d\d-\d\d +\d+ +\d+ +\d+ +\d+ +books$/m);
    const wrong = ["--outcome", "--by"].map((option) => run(["activity", option, "maybe"]));
    expect((await Promise.all(wrong)).map(({ code }) => code)).toEqual([2, 2]);
    expect((await run(["activity", "weeks"])).code).toBe(2);
  });

  it("P-08: revoke is one step and says what the app can no longer read", async () => {
    const two = ["--stream", "books", "--stream", "loans", "--client-name", "short", "--json"];
    const { grant_id, access_token } = (await local(["grants", "issue", "--connection", connection, ...two])).json;
    const revoked = await run(["grants", "revoke", grant_id]);
    expect(revoked.stdout).toBe(
      `Revoked ${grant_id}. The next request will be refused.\n  short no longer sees: Books and loans from Mine\nUndo within a minute: pdpp grants undo ${grant_id}${revoked.stdout.split(grant_id)[2]}`,
    );
    const after = await remote(["query", "books"], access_token);
    expect([after.code, after.stderr]).toEqual([
      3,
      expect.stringMatching(/why: grt_\S+ revoked_at: it was revoked at 2/),
    ]);
    expect((await run(["grants", "show", grant_id])).stdout).toMatch(/^grt_\S+ {2}revoked at 2/);
  });

  it("SECURITY row 20: owner tokens are listed and revoked", async () => {
    const made = (await local(["owner", "token", "--json"])).json;
    expect((await run(["owner", "list"])).stdout).toContain(made.token_id);
    expect((await run(["owner", "revoke", made.token_id])).stdout).toContain(`Revoked ${made.token_id}.`);
    expect((await remote(["schema"], made.access_token)).code).toBe(3);
    expect((await run(["owner", "revoke", made.token_id])).code).toBe(5);
  });
});

it("P-08: a package is shown grant by grant, with the calls that no grant allowed", async () => {
  const second = (await local(["connections", "create", "library", "--name", "Other", "--json"])).json.connection_id;
  const both = ["--connection", connection, "--connection", second, "--stream", "books", "--json"];
  const issued = (await local(["grants", "issue", ...both])).json;
  const choose = await remote(["query", "books"], issued.access_token);
  expect(choose.code).toBe(4);
  const { stdout } = await local(["grants", "show", issued.grant_package_id]);
  expect(stdout).toContain("books of Mine: all 13 fields");
  expect(stdout).toContain("books of Other: all 13 fields");
  expect(stdout).toMatch(new RegExp(`^${issued.grant_package_id} {2}2 grants together\n.*0 calls denied`, "m"));
  expect(stdout).toContain("records books: ambiguous_connection");
  await expect(local(["connections", "delete", second, "--yes"])).resolves.toMatchObject({ code: 0 });
  expect((await local(["grants", "show", issued.grant_package_id])).stdout).toContain(`${second} (deleted)`);
  expect(printed(await local(["activity", "--limit", "1"]), "Earlier")).toContain("--before");
});

describe("grant tokens", () => {
  it("P-08, L-06: issues a token, reads with it over --server, sees its reads, and revokes it; after that, reading exits with code 3", async () => {
    const issued = await ok(
      local([
        "grants",
        "issue",
        "--connection",
        connection,
        "--stream",
        "books",
        "--fields",
        "id,title,genre",
        "--since",
        "2024-02-01",
        "--client-name",
        "app",
        "--json",
      ]),
    );
    const { access_token: token, grant_id: grant } = issued.json;
    const asApp = (args: string[]) => remote(args, token);
    const read = await ok(asApp(["query", "books", "--limit", "100", "--json"]));
    const here = await ok(local(["query", "books", "--limit", "100", "--json", "--token", token]));
    expect(settled(here.json)).toEqual(settled(read.json));
    expect(read.json.data.map((row: Loose) => row.id).sort()).toEqual([
      "b03",
      "b04",
      "b05",
      "b07",
      "b08",
      "b11",
      "b12",
    ]);
    const refused = await Promise.all([
      asApp(["query", "books", "--fields", "pages"]),
      asApp(["query", "loans"]),
      asApp(["ingest", "books", "--connection", connection]),
      asApp(["grants", "list"]),
      asApp(["activity"]),
      asApp(["connections", "delete", connection, "--yes"]),
    ]);
    expect(refused.map(({ code }) => code)).toEqual([3, 3, 3, 3, 3, 3]);
    // A handle gives no access. Outside the grant, the record is not found.
    expect(
      (await asApp(["fetch", formatHandle({ kind: "record", connection_id: connection, stream: "books", id: "b01" })]))
        .code,
    ).toBe(5);
    const log = await ok(local(["activity", "--grant", grant, "--json"]));
    expect(
      log.json.data.some((row: Loose) => row.action === "records" && row.records === 7 && row.stream === "books"),
    ).toBe(true);
    expect(JSON.stringify(log.json)).not.toContain(token);
    expect((await ok(local(["grants", "show", grant]))).stdout).toContain("title");
    await ok(local(["grants", "revoke", grant]));
    const after = await asApp(["query", "books", "--json"]);
    expect([after.code, after.json.error.code]).toEqual([3, "grant_revoked"]);
  });

  it("issues one token for several streams, and shows the start of its time range", async () => {
    const several = ["--stream", "books", "--stream", "loans", "--json"];
    const { json } = await ok(local(["grants", "issue", "--connection", connection, ...several]));
    expect(json.grants[0].streams.map((stream: Loose) => stream.name).sort()).toEqual(["books", "loans"]);
    const since = ["--stream", "books", "--since", "2024-02-01", "--json"];
    const timed = await ok(local(["grants", "issue", "--connection", connection, ...since]));
    const shown = await ok(local(["grants", "show", timed.json.grant_id]));
    expect(shown.stdout).toMatch(/published_at since 2024-02-01T00:00:00[^ ]*Z$/m);
  });

  it("an unknown token is refused with exit code 3", async () => {
    const runs = await Promise.all([
      pdpp(["schema", "--server", server.url]),
      pdpp(["schema", "--server", server.url, "--token", "pdpp_at_x"]),
      local(["schema", "--token", "pdpp_at_x"]),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([3, 3, 3]);
  });
});

it("V-08: a grant for one chat can be issued and edited, and other edits do not change the chat", async () => {
  const declaration = join(folder, "chat.json");
  const streams = [messagesStream("Chat", { parts: [] }), conversationsStream("Chat", [])];
  writeFileSync(declaration, JSON.stringify(declareSource("chat", "Chat", streams)));
  const sent = (id: string, chat: string) => ({ key: id, data: { id, conversation_name: chat, text: id } });
  const made = await pdpp(
    ["ingest", "messages", "--declaration", declaration, "--name", "Phone", "--json", "--server", server.url],
    { input: ndjson([sent("a", "Family"), sent("b", "Work"), sent("c", "a=b")]), env: { PDPP_ACCESS_TOKEN: owner } },
  );
  const place = ["--connection", made.json.connection_id, "--stream", "messages"];
  const chats = ["--filter", "conversation_name=Family", "--filter", "conversation_name=a=b"];
  const issued = (await remote(["grants", "issue", ...place, ...chats, "--client-name", "one chat", "--json"])).json;
  const { grant_id, access_token } = issued;
  const seen = async () =>
    (await remote(["query", "messages", "--json"], access_token)).json.data.map(({ id }: Loose) => id);
  expect(await seen()).toEqual(["c", "a"]);
  const edited = await remote(["grants", "edit", grant_id, "--fields", "id,text"]);
  expect(edited.stdout).toContain("may see: Messages in the chats “Family” and “a=b” from Phone, ");
  expect(await seen()).toEqual(["c", "a"]);
  await remote(["grants", "edit", grant_id, "--filter", "conversation_name=Family"]);
  expect(await seen()).toEqual(["a"]);
  const shown = await remote(["grants", "show", grant_id]);
  expect(shown.stdout).toMatch(/messages of Phone: .*, conversation_name is Family$/m);
  const wrong = await remote(["grants", "issue", ...place, "--filter", "conversation_name"]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--filter must be FIELD=VALUE, not "conversation_name"'),
  ]);
});

it("V-07 V-05: a grant can be narrowed, paused, resumed, revoked and restored, and each step says what the app may now see", async () => {
  const issue = ["--connection", connection, "--stream", "books", "--client-name", "short", "--json"];
  const { grant_id, access_token } = (await local(["grants", "issue", ...issue])).json;
  const reads = async (): Promise<number> => (await remote(["query", "books"], access_token)).code;
  const edited = await remote(["grants", "edit", grant_id, "--since", "2025-01-01T00:00:00Z", "--expires", "never"]);
  expect(edited.stdout).toMatch(
    /^Changed grt_\S+\.\n {2}short may see: Books from Mine since .*2025.*\n {2}until you revoke it\n$/,
  );
  const fewer = await remote(["grants", "edit", grant_id, "--fields", "title"]);
  expect(fewer.stdout).toMatch(/may see: Books from Mine since .*2025, without /);
  const again = await remote(["grants", "edit", grant_id, "--since", "none", "--fields", "all"]);
  expect(again.stdout).toContain("short may see: Books from Mine\n");
  expect((await remote(["grants", "pause", grant_id])).stdout).toMatch(
    /refused\.\n.*sees nothing while paused[\s\S]*grants resume/,
  );
  expect(await reads()).toBe(3);
  expect((await remote(["grants", "list", "--status", "paused"])).stdout).toContain(grant_id);
  expect((await remote(["grants", "resume", grant_id])).code).toBe(0);
  expect(await reads()).toBe(0);
  await remote(["grants", "revoke", grant_id]);
  expect(await reads()).toBe(3);
  expect((await remote(["grants", "undo", grant_id])).stdout).toMatch(/^Undone: the grant is valid again\.\n/);
  expect(await reads()).toBe(0);
  expect((await remote(["grants", "edit", grant_id])).code).toBe(2);
});
