// Kinds that a source declares later: earlier records use the new declaration immediately, without another import.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultColumns } from "../../src/core/default-columns.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";

const text = { type: "string" };
const instant = { type: "string", format: "date-time" };

/** A calendar as an old importer declared it: without kinds, and ordered by last change. */
const stream = (properties: object, more: object = {}) => ({
  name: "meetings",
  semantics: "mutable_state",
  schema: { type: "object", properties, required: ["id"], ...more },
  primary_key: ["id"],
  cursor_field: "updated_at",
  consent_time_field: "updated_at",
  query: { search: { lexical_fields: ["what", "notes"] }, aggregations: { count: true, group_by: ["room"] } },
});
const FIELDS = {
  id: text,
  name: text,
  what: text,
  notes: text,
  room: text,
  begins: instant,
  updated_at: instant,
  people: { type: "array", items: { type: "object", properties: { name: text, email: text } } },
};
const role = (schema: object, name: string) => ({ ...schema, "x-role": name });
const KINDS = {
  ...FIELDS,
  what: role(text, "title"),
  notes: role(text, "text"),
  room: role(text, "place"),
  begins: role(instant, "time"),
  people: role(FIELDS.people, "participants"),
};
const declaration = (streams: object[], version: string) => ({
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://example.test/old-calendar" },
  declaration_version: version,
  publisher: { id: "https://example.test" },
  display: { name: "Old calendar" },
  streams,
});

let server: TestServer;
let before: Loose;

const hits = async (q: string): Promise<Loose[]> => (await server.get("/v1/search", { query: { q } })).body.data;
const metadata = async (): Promise<Loose> => (await server.get("/v1/streams/meetings")).body;

beforeAll(async () => {
  server = await testServer();
  await server.register("old-calendar", declaration([stream(FIELDS)], "1"));
  const connection = await server.connect("old-calendar", "Work calendar");
  await server.ingest("meetings", connection, [
    {
      key: "m1",
      data: {
        id: "m1",
        name: "conf-0815",
        what: "Planning meeting",
        notes: "Reverberation of the hall",
        room: "Room 4",
        begins: "2008-10-14T09:30:00Z",
        updated_at: "2026-06-03T12:00:00Z",
        people: [{ name: "Ada Byrne", email: "ada@example.com" }],
      },
    },
  ]);
  const [hit] = await hits("planning");
  const { body: feed } = await server.get("/v1/streams/meetings/records", { query: { changes_since: "beginning" } });
  before = {
    hit,
    metadata: await metadata(),
    dated: await hits("planning after:2008-10-01 before:2008-11-01"),
    next: feed.next_changes_since,
  };
  await server.register("old-calendar", declaration([stream(KINDS, { "x-kind": "event" })], "2"));
});
afterAll(() => server.close());

describe("K-01 a source that adds kinds to its declaration later", () => {
  test("K-01 titles and search dates use the new kinds immediately", async () => {
    expect([before.hit.title, before.dated]).toEqual(["conf-0815", []]);
    const [hit, ...others] = await hits("planning after:2008-10-01 before:2008-11-01");
    expect([hit.title, others]).toEqual(["Planning meeting", []]);
    expect(hit.authored_at).toBe("2008-10-14T09:30:00.000Z");
  });

  test("K-01 K-06 the schema, columns, the timeline and people use the new kinds immediately", async () => {
    expect(defaultColumns(before.metadata, "time").slice(0, 3)).toEqual(["updated_at", "name", "room"]);
    expect(defaultColumns(await metadata(), "time").slice(0, 3)).toEqual(["begins", "what", "room"]);
    expect(await metadata()).toMatchObject({ kind: "event", roles: { title: ["what"], time: ["begins"] } });
    const { body: timeline } = await server.get("/v1/timeline", { query: { until: "2008-12-31" } });
    expect(timeline.data.map(({ id }: Loose) => id)).toEqual(["m1"]);
    const { body: people } = await server.get("/v1/people");
    expect(people.data.map(({ name, last_at }: Loose) => [name, last_at])).toEqual([
      ["Ada Byrne", "2008-10-14T09:30:00.000Z"],
    ]);
  });

  test("K-04 list fields with a role become columns of the existing records", async () => {
    const members = { name: role(text, "name"), email: role(text, "address") };
    const people = role({ type: "array", items: { type: "object", properties: members } }, "participants");
    await server.register("old-calendar", declaration([stream({ ...KINDS, people }, { "x-kind": "event" })], "3"));
    const query = { "filter[people.email][contains]": "ada@example.com" };
    expect((await server.get("/v1/streams/meetings/records", { query })).body.data).toHaveLength(1);
    expect((await hits('with:"Ada Byrne"')).map(({ record_key }) => record_key)).toEqual(["m1"]);
  });

  test("K-01 no record changed, so the feed has nothing new", async () => {
    const { body } = await server.get("/v1/streams/meetings/records", { query: { changes_since: before.next } });
    expect(body.data).toEqual([]);
  });
});
