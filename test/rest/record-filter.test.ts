// V-08: a grant for one chat. Every read shows that chat and nothing else, even while messages move between chats.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationsStream, messagesStream } from "../../src/collect/importers/chat-streams.ts";
import { declareSource } from "../../src/core/declare.ts";
import { readSentence } from "../../src/core/grant-sentence.ts";
import { ids, type Loose, type Query, readAnswer, type TestServer, testServer } from "../harness.ts";

const chat = declareSource("chat", "Chat", [messagesStream("Chat", { parts: [] }), conversationsStream("Chat", [])]);
const FIELDS = ["id", "text", "sent_at", "attachments", "sender_name"];
const FAMILY = { field: "conversation_name", values: ["Family"] };

let server: TestServer;
let connection: string;
let token: string;
let grantId: string;
let blobs: Loose[];

const message = (id: string, conversation_name: string | undefined, more: object = {}) => ({
  key: id,
  data: { id, conversation_id: "c", conversation_name, sent_at: `2026-01-0${id.at(-1)}T00:00:00Z`, ...more },
});
const only = (more: object = {}) => ({
  connection_id: connection,
  stream: "messages",
  fields: FIELDS,
  record_filter: FAMILY,
  ...more,
});
const get = async (path: string, query: Query | [string, string][] = {}): Promise<Loose> => {
  const { status, body } = await server.get(path, { token, query });
  return status === 200 ? body : [status, body.error.code];
};

beforeAll(async () => {
  server = await testServer();
  await server.register("chat", chat);
  connection = await server.connect("chat", "Phone");
  blobs = [];
  for (const text of ["a picture of home", "a picture of work"]) {
    const address = `${server.url}/v1/blobs?stream=messages&connection_id=${connection}&record_key=m1`;
    const headers = { Authorization: `Bearer ${server.owner}`, "Content-Type": "image/png" };
    const { body } = await readAnswer("POST", await fetch(address, { method: "POST", headers, body: text }));
    const { object: _object, ...blob } = body;
    blobs.push(blob);
  }
  const pictured = (index: number) => ({ attachments: [{ name: "p.png", blob: blobs[index] }] });
  await server.ingest("messages", connection, [
    message("m1", "Family", { text: "dinner at eight", sender_name: "Ada", ...pictured(0) }),
    message("m2", "Work", { text: "dinner with the board", sender_name: "Bob", ...pictured(1) }),
    message("m3", "Family", { text: "bring bread", sender_name: "Ada" }),
    message("m4", undefined, { text: "dinner without a chat" }),
    message("m5", "Work", { text: "the board agreed", sender_name: "Bob" }),
  ]);
  const issued = await server.grant({ selections: [only()] });
  [token, grantId] = [issued.access_token, issued.grant_id];
});
afterAll(() => server.close());

describe("V-08 a grant for one chat", () => {
  test("V-08 lists, counts, sums, windows and exports that chat, and never shows the filter field", async () => {
    const page = await get("/v1/streams/messages/records", { count: "exact" });
    expect([ids(page.data), page.meta.count.value]).toEqual([["m3", "m1"], 2]);
    expect(JSON.stringify(page)).not.toMatch(/Family|conversation_name/);
    expect(await get("/v1/streams/messages/records/m2")).toEqual([404, "not_found"]);
    expect(ids((await get("/v1/streams/messages/records", { sort: "sent_at" })).data)).toEqual(["m1", "m3"]);
    const summed = await get("/v1/streams/messages/aggregate", { metric: "count", group_by: "sender_name" });
    expect(summed.groups).toEqual([{ key: "Ada", count: 2, value: 2 }]);
    const window = { field: "text", limit_chars: 6 };
    expect((await get("/v1/streams/messages/records/m1/field-window", window)).window.text).toBe("dinner");
    expect(await get("/v1/streams/messages/records/m2/field-window", window)).toEqual([404, "not_found"]);
    const file = await server.get("/v1/export", { token, query: { stream: "messages", format: "jsonl" } });
    expect(file.text.trim().split("\n")).toHaveLength(2);
    expect((await get("/v1/streams")).data[0].record_count).toBe(2);
  });

  test("V-08 the filter field cannot be read, or used to filter, sort or group", async () => {
    for (const query of [
      { fields: "conversation_name" },
      { "filter[conversation_name]": "Family" },
      { "filter[conversation_name]": "Work" },
      { sort: "conversation_name" },
    ] as Query[])
      expect(await get("/v1/streams/messages/records", query)).toEqual([403, "field_not_granted"]);
    const query = { metric: "count", group_by: "conversation_name" };
    expect(await get("/v1/streams/messages/aggregate", query)).toEqual([403, "field_not_granted"]);
    expect(JSON.stringify(await get("/v1/schema", { detail: "full", stream: "messages" }))).not.toMatch(
      /conversation_name|Family/,
    );
    const missing = await server.get("/v1/streams/messages/records/m2", { token });
    expect(missing.body.error.why).toMatchObject({ decided_by: "streams[0].record_filter" });
    expect(missing.text).not.toMatch(/conversation_name|Family/);
    const told = await server.get("/v1/activity/why", { query: { request_id: missing.body.error.request_id } });
    expect(told.body.data[0].why.says).toContain("messages of Phone: conversation_name is Family; anything else");
  });

  test("V-08 search finds, counts and scores as if the other chats did not exist", async () => {
    const found = await get("/v1/search", { q: "dinner" });
    expect(found.data.map(({ record_key }: Loose) => record_key)).toEqual(["m1"]);
    expect(found.meta.count.value).toBe(1);
    expect((await get("/v1/search", { q: "board" })).data).toEqual([]);
    const alone = await testServer();
    try {
      await alone.register("chat", chat);
      const place = await alone.connect("chat", "Phone");
      await alone.ingest("messages", place, [
        message("m1", "Family", { text: "dinner at eight", sender_name: "Ada" }),
        message("m3", "Family", { text: "bring bread", sender_name: "Ada" }),
      ]);
      const open = await alone.grant({ selections: [{ connection_id: place, stream: "messages", fields: FIELDS }] });
      const scores = (body: Loose) => body.data.map(({ score }: Loose) => score);
      for (const q of ["dinner", "bread dinner", "ada"]) {
        const there = await alone.get("/v1/search", { token: open.access_token, query: { q } });
        expect(scores(await get("/v1/search", { q }))).toEqual(scores(there.body));
      }
    } finally {
      await alone.close();
    }
  });

  test("V-08 an attachment is served only through a message of that chat", async () => {
    const statuses = await Promise.all(
      blobs.map(async ({ blob_id }) => (await server.get(`/v1/blobs/${blob_id}`, { token })).status),
    );
    expect(statuses).toEqual([200, 404]);
  });

  test("V-08 a message that moves into the chat is new, one that moves out is deleted, and search results change immediately", async () => {
    const feed = (since: string) => get("/v1/streams/messages/records", { changes_since: since });
    const start = await feed("beginning");
    expect(ids(start.data)).toEqual(["m1", "m3"]);
    await server.ingest("messages", connection, [
      message("m5", "Family", { text: "the board agreed", sender_name: "Bob" }),
      message("m3", "Work", { text: "bring bread", sender_name: "Ada" }),
      message("m2", "Club", { text: "dinner with the club", sender_name: "Bob" }),
    ]);
    const { data, next_changes_since } = await feed(start.next_changes_since);
    expect(data.map(({ id, deleted }: Loose) => [id, deleted ?? false])).toEqual([
      ["m5", false],
      ["m3", true],
    ]);
    expect((await get("/v1/search", { q: "board" })).data.map(({ record_key }: Loose) => record_key)).toEqual(["m5"]);
    expect((await get("/v1/search", { q: "bread" })).data).toEqual([]);
    await server.ingest("messages", connection, [message("m3", "Club", { text: "bring more bread" })]);
    expect((await feed(next_changes_since)).data).toEqual([]);
  });

  test("V-08 V-07 the owner can narrow the grant to fewer chats, an edit without a filter keeps it, and the sentence mentions the chat", async () => {
    const values = ["Family", "Work", "Club"];
    const wide = await server.grant({ selections: [only({ record_filter: { ...FAMILY, values } })] });
    const read = async () =>
      ids((await server.get("/v1/streams/messages/records", { token: wide.access_token })).body.data);
    expect(await read()).toEqual(["m5", "m3", "m2", "m1"]);
    const edit = (selection: object) =>
      server.call("PATCH", `/v1/grants/${wide.grant_id}`, { body: { selections: [selection] } });
    expect((await edit(only({ record_filter: { ...FAMILY, values: ["Club"] } }))).status).toBe(200);
    expect(await read()).toEqual(["m3", "m2"]);
    expect((await edit(only({ record_filter: undefined }))).status).toBe(200);
    expect(await read()).toEqual(["m3", "m2"]);
    expect((await edit({ connection_id: connection })).status).toBe(200);
    expect(await read()).toEqual(["m3", "m2"]);
    expect((await edit(only({ record_filter: null }))).status).toBe(200);
    expect(await read()).toEqual(["m5", "m4", "m3", "m2", "m1"]);
    const refused = await edit(only({ record_filter: { field: "text", values: ["x"] } }));
    expect([refused.status, refused.body.error.next_step]).toEqual([400, "Use one of: conversation_name."]);
    const { words } = (await server.get(`/v1/grants/${grantId}`)).body;
    expect(words.reads[0]).toMatchObject({
      filter: "conversation_name is Family",
      filed: { role: "conversation", values: ["Family"] },
    });
  });

  test("V-08 a filter on a whole connection omits the streams that lack its field", async () => {
    const { grants } = await server.grant({ selections: [{ connection_id: connection, record_filter: FAMILY }] });
    expect(grants[0].streams.map(({ name }: Loose) => name)).toEqual(["messages"]);
    const none = { connection_id: connection, record_filter: { field: "sender_name", values: ["Ada"] } };
    const refused = await server.call("POST", "/v1/grants", { body: { selections: [none] } });
    expect([refused.status, refused.body.error.param]).toEqual([400, "record_filter"]);
  });

  test("V-08 the filter uses a record's current value, even if it changed while the field had no role", async () => {
    const written = (chatName: string, text: string) =>
      server.ingest("messages", connection, [message("m6", chatName, { text })]);
    await written("Family", "a first text");
    await written("Family", "a second text");
    expect((await get("/v1/streams/messages/records/m6")).data.text).toBe("a second text");
    const plain = structuredClone(chat) as Loose;
    const { properties } = plain.streams.find(({ name }: Loose) => name === "messages").schema;
    delete properties.conversation_name["x-role"];
    await server.register("chat", plain);
    const { words } = (await server.get(`/v1/grants/${grantId}`)).body;
    expect(readSentence(words.reads[0], "UTC")).toContain("where conversation_name is Family");
    const refused = await server.get("/v1/streams/messages/records", { token });
    expect(refused.status).toBe(403);
    const why = await server.get("/v1/activity/why", { query: { request_id: refused.body.error.request_id } });
    expect(why.body.data[0].next_step).toMatch(
      /^The grant covers messages only where conversation_name is Family, but its source/,
    );
    await written("Work", "the secret of the board");
    await server.register("chat", chat);
    expect(await get("/v1/streams/messages/records/m6")).toEqual([404, "not_found"]);
    const feed = await get("/v1/streams/messages/records", { changes_since: "beginning" });
    expect(JSON.stringify(feed)).not.toMatch(/secret/);
    await written("Work", "another secret");
    expect(await get("/v1/streams/messages/records/m6")).toEqual([404, "not_found"]);
  });
});
