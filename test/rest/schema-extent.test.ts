// K-06: the schema shows each stream's kind, record count and time span, and the owner's identifiers, as far as the
// grant allows.
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailDeclaration } from "../../src/collect/importers/mail/declaration.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool } from "../mcp.ts";
import { pdpp } from "../pdpp.ts";

let server: TestServer;
let mailbox: string;
let other: string;

const mail = (id: string, sent_at: string, from: string, to: string) => ({
  key: id,
  data: {
    id,
    sent_at,
    subject: `Mail ${id}`,
    from_name: from.split("@")[0],
    from_address: from,
    to: [{ name: "", address: to }],
  },
});

beforeAll(async () => {
  server = await testServer();
  await server.register("mail", mailDeclaration);
  mailbox = await server.connect("mail", "Mailbox");
  other = await server.connect("mail", "Other");
  await server.ingest("messages", mailbox, [
    mail("a", "2023-03-01T23:30:00-02:00", "nora@keane.example", "priya@wren.example"),
    mail("b", "2024-05-01T10:00:00Z", "priya@wren.example", "nora@keane.example"),
    mail("c", "2026-01-01T10:00:00Z", "priya@wren.example", "nora@work.example"),
  ]);
  await server.ingest("messages", other, [mail("d", "2022-01-01T00:00:00Z", "x@x.example", "y@y.example")]);
  const body = { add: ["Nora Keane", "Nora@Keane.example", "nora@work.example", "+353 85 555 0142"] };
  expect((await server.call("PATCH", "/v1/me", { body })).status).toBe(200);
});
afterAll(() => server.close());

const grantFor = async (selection: object): Promise<string> =>
  (await server.grant({ selections: [{ connection_id: mailbox, stream: "messages", ...selection }] })).access_token;
const indexRow = async (token?: string): Promise<Loose> => {
  const { body } = await server.get("/v1/schema", token === undefined ? {} : { token });
  return { ...body.connectors[0].streams[0], me: body.me };
};

test("K-06 the owner reads the kind, count and time span of every stream in all connections, and every identifier", async () => {
  expect(await indexRow()).toMatchObject({
    name: "messages",
    kind: "email",
    record_count: 4,
    time_span: { field: "sent_at", first: "2022-01-01T00:00:00Z", last: "2026-01-01T10:00:00Z" },
    me: {
      names: ["Nora Keane"],
      addresses: ["nora@keane.example", "nora@work.example"],
      numbers: ["+353 85 555 0142"],
    },
  });
  const { body } = await server.get("/v1/streams", { query: { connection_id: mailbox } });
  expect(body.data[0]).toMatchObject({
    kind: "email",
    record_count: 3,
    time_span: { first: "2023-03-01T23:30:00-02:00" },
  });
  const one = await server.get("/v1/schema", { query: { stream: "messages", connection_id: mailbox } });
  expect(one.body.connectors[0].streams[0]).toMatchObject({ kind: "email", record_count: 3 });
});

test("K-06 an app reads counts, time spans and identifiers only for what its grant shows", async () => {
  const all = await grantFor({});
  expect(await indexRow(all)).toMatchObject({
    record_count: 3,
    me: { names: [], addresses: ["nora@keane.example", "nora@work.example"], numbers: [] },
  });
  const early = await grantFor({ until: "2025-01-01T00:00:00Z" });
  expect(await indexRow(early)).toMatchObject({
    record_count: 2,
    time_span: { first: "2023-03-01T23:30:00-02:00", last: "2024-05-01T10:00:00Z" },
    me: { addresses: ["nora@keane.example"] },
  });
  const senders = await indexRow(await grantFor({ fields: ["subject", "from_address"] }));
  expect(senders).not.toHaveProperty("time_span");
  expect(senders).toMatchObject({ kind: "email", record_count: 3, me: { addresses: ["nora@keane.example"] } });
  const subjects = await indexRow(await grantFor({ fields: ["subject"] }));
  expect(subjects.me).toEqual({ names: [], addresses: [], numbers: [] });
});

test("K-06 G-01 a connection's account is an identifier only for apps that read that connection", async () => {
  const account = { key: "priya@wren.example", name: "Priya" };
  const made = await server.host.call("importTarget", { connector_key: "mail", account }, HOME_OWNER);
  expect((await server.get("/v1/me")).body.addresses).toContain(account.key);
  expect((await indexRow(await grantFor({}))).me.addresses).not.toContain(account.key);
  const both = [mailbox, made.connection_id].map((connection_id) => ({ connection_id, stream: "messages" }));
  const { access_token } = await server.grant({ selections: both });
  expect((await indexRow(access_token)).me.addresses).toContain(account.key);
  await server.call("DELETE", `/v1/connections/${made.connection_id}`);
});

test("K-06 MCP and the CLI show the same information in short form", async () => {
  const token = await grantFor({});
  const index = await callTool(server.url, token, "schema", {});
  expect(index.text).toContain("messages (email, 3, 2023-03-01/2026-01-01)");
  expect(index.text).toContain('me, the owner: "nora@keane.example", "nora@work.example"');
  expect(index.structuredContent.data).toMatchObject({
    me: { addresses: ["nora@keane.example", "nora@work.example"] },
    connectors: [{ streams: ["messages"], about: ["email, 3, 2023-03-01/2026-01-01"] }],
  });
  const stream = await callTool(server.url, token, "schema", { stream: "messages" });
  expect(stream.text).toContain('label "Emails" (email, 3, 2023-03-01/2026-01-01)');
  expect(stream.structuredContent.data.connectors[0].streams[0].about).toBe("email, 3, 2023-03-01/2026-01-01");
  const at = ["--server", server.url, "--token", token];
  const listed = await pdpp(["schema", ...at]);
  expect(listed.stdout).toMatch(/^messages +cin_\S+ +Mailbox +mail +email +3 +2023-03-01 +2026-01-01$/m);
  expect(listed.stderr).toContain("Me: nora@keane.example, nora@work.example.");
});

test("K-06 the owner can state and correct their own identifiers, and an app cannot", async () => {
  const token = await grantFor({});
  expect((await server.get("/v1/me", { token })).status).toBe(403);
  const changed = await server.call("PATCH", "/v1/me", { body: { remove: ["nora@work.example"], add: ["Nora K."] } });
  expect(changed.body).toEqual({
    object: "me",
    names: ["Nora Keane", "Nora K."],
    addresses: ["nora@keane.example"],
    numbers: ["+353 85 555 0142"],
  });
  expect((await indexRow(token)).me.addresses).toEqual(["nora@keane.example"]);
  expect((await server.host.call("me", {}, HOME_OWNER)).names).toContain("Nora K.");
  const at = ["--server", server.url, "--token", server.owner];
  const said = await pdpp(["owner", "me", "--remove", "Nora K.", ...at]);
  expect(said.stdout.trim().split("\n")).toEqual(["Nora Keane", "nora@keane.example", "+353 85 555 0142"]);
});

test("K-06 the same token reads new counts and times after each change, and only for what its grant shows", async () => {
  const [all, early] = [await grantFor({}), await grantFor({ until: "2025-01-01T00:00:00Z" })];
  const counts = async () => {
    const rows = [await indexRow(all), await indexRow(early)];
    return rows.map(({ record_count, time_span }) => [record_count, time_span.last]);
  };
  const before = await counts();
  expect(before).toEqual([
    [3, "2026-01-01T10:00:00Z"],
    [2, "2024-05-01T10:00:00Z"],
  ]);
  expect(await counts()).toEqual(before);
  await server.ingest("messages", mailbox, [mail("new", "2026-06-01T10:00:00Z", "x@x.example", "y@y.example")]);
  expect(await counts()).toEqual([[4, "2026-06-01T10:00:00Z"], before[1]]);
  await server.ingest("messages", mailbox, [mail("new", "2024-06-01T10:00:00Z", "x@x.example", "y@y.example")]);
  expect(await counts()).toEqual([
    [4, "2026-01-01T10:00:00Z"],
    [3, "2024-06-01T10:00:00Z"],
  ]);
  await server.ingest("messages", mailbox, [{ key: "new", op: "delete" }]);
  expect(await counts()).toEqual(before);
});
