// K-04: list fields can be filtered, grouped, counted and searched, including fields inside their objects, within the
// grant.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { MAILS, post } from "../post.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("post", post);
  connection = await server.connect("post", "Post");
  await server.ingest("mails", connection, MAILS);
});
afterAll(() => server.close());

const list = (query: Query, token?: string) =>
  server.get("/v1/streams/mails/records", { query, ...(token === undefined ? {} : { token }) });
const found = async (query: Query): Promise<string[]> =>
  (await list({ order: "asc", ...query })).body.data.map(({ id }: Loose) => id);
const ask = async (query: Query, token?: string): Promise<Loose> =>
  (await server.get("/v1/streams/mails/aggregate", { query, ...(token === undefined ? {} : { token }) })).body;

describe("K-03 K-04 filters on lists", () => {
  test.each([
    ["filter[labels][contains]", "inbox", ["m1", "m2"]],
    ["filter[labels][contains]", "nowhere", []],
    ["filter[labels][contains]", "work, old", ["m3"]],
    ["filter[labels][in]", "work,inbox", ["m1", "m2"]],
    ["filter[labels][ne]", "inbox", ["m3", "m4", "m5"]],
    ["filter[labels][exists]", "true", ["m1", "m2", "m3"]],
    ["filter[labels][exists]", "false", ["m4", "m5"]],
    ["filter[to.address][contains]", "ada@example.com", ["m1", "m2"]],
    ["filter[to.address][ne]", "bob@example.com", ["m2", "m4"]],
    ["filter[to.name][contains]", "Bob Moss", ["m1", "m3", "m5"]],
  ])("K-04 %s=%s finds exactly the expected records", async (name, value, expected) => {
    expect(await found({ [name]: value })).toEqual(expected);
    const { body } = await list({ [name]: value, count: "exact", limit: 1 });
    expect(body.meta.count.value).toBe(expected.length);
  });

  test("K-04 a list accepts no exact value, range or sort, and the error lists the allowed filters", async () => {
    const { error } = (await list({ "filter[to.address]": "ada@example.com" })).body;
    expect(error).toMatchObject({ code: "invalid_filter", param: "filter[to.address]" });
    expect(error.next_step).toContain("filter[to.address][contains]=ada%40example.com");
    expect((await list({ "filter[labels][gte]": "a" })).body.error.code).toBe("invalid_filter");
    expect((await list({ sort: "labels" })).body.error.code).toBe("invalid_sort");
    expect((await list({ "filter[subject][contains]": "Mail" })).body.error.code).toBe("invalid_filter");
    expect((await list({ fields: "to.address" })).body.error.code).toBe("unknown_field");
    expect((await list({ "filter[to.shoe][contains]": "x" })).body.error.code).toBe("unknown_field");
  });
});

describe("K-04 groups by lists", () => {
  test("K-04 a record is counted once in each of its groups and once in the total", async () => {
    const { groups, filtered_record_count } = await ask({ metric: "count", group_by: "to.address" });
    expect(filtered_record_count).toBe(5);
    expect(groups.map(({ key, count }: Loose) => [key, count])).toEqual([
      ["bob@example.com", 3],
      ["ada@example.com", 2],
      ["cy@example.com", 1],
      [null, 1],
    ]);
  });

  test("K-04 K-09 the remainder counts records, not groups", async () => {
    const { groups, other_count, other_value } = await ask({ metric: "count", group_by: "to.address", limit: 1 });
    expect(groups).toHaveLength(1);
    // m1, m2, m3 and m4 are in groups that are not shown. m1 and m3 are in two such groups.
    expect([other_count, other_value]).toEqual([4, 4]);
  });

  test("K-04 distinct values are counted across all lists", async () => {
    expect((await ask({ metric: "count_distinct", field: "to.address" })).value).toBe(3);
    const { groups } = await ask({ metric: "count_distinct", field: "to.address", group_by: "labels" });
    expect(groups.find(({ key }: Loose) => key === "inbox")).toEqual({ key: "inbox", count: 2, value: 2 });
  });
});

describe("K-04 search and the schema", () => {
  test("K-04 fields inside lists are searched, and the hit shows which field matched", async () => {
    const { body } = await server.get("/v1/search", { query: { q: "byron" } });
    expect(body.data.map(({ record_key }: Loose) => record_key).sort()).toEqual(["m1", "m2"]);
    expect(body.data[0]).toMatchObject({ matched_fields: ["to.name"], snippet: { field: "to.name" } });
  });

  test("K-04 the schema shows the filters of each list, and fields inside lists appear alongside the other fields", async () => {
    const { body } = await server.get("/v1/schema", { query: { stream: "mails" } });
    const { field_capabilities: can } = body.connectors[0].streams[0];
    expect(can["to.address"]).toMatchObject({ type: "array", items: "string", exact_filter: false, sort: false });
    expect(can["to.address"].set_filter).toEqual(["contains", "in", "ne", "exists"]);
    expect(can["to.address"].aggregation).toMatchObject({ group_by: true, count_distinct: true, sum: false });
    expect(can.labels).toMatchObject({ items: "string", set_filter: ["contains", "in", "ne", "exists"] });
    expect(can.to.set_filter).toEqual([]);
  });

  test("K-04 P-02 a grant without the list shows nothing inside it", async () => {
    const selections = [{ connection_id: connection, stream: "mails", fields: ["id", "subject", "sent_at"] }];
    const token = (await server.grant({ selections })).access_token;
    const refused = [
      (await list({ "filter[to.address][contains]": "ada@example.com" }, token)).body,
      await ask({ metric: "count", group_by: "to.address" }, token),
      await ask({ metric: "count", group_by: "to.nothing" }, token),
    ];
    for (const { error } of refused) expect(error.code).toBe("field_not_granted");
    expect((await server.get("/v1/search", { token, query: { q: "byron" } })).body.data).toEqual([]);
    const { body } = await server.get("/v1/schema", { token, query: { stream: "mails" } });
    expect(Object.keys(body.connectors[0].streams[0].field_capabilities).sort()).toEqual(["id", "sent_at", "subject"]);
  });

  test("K-04 a declaration can list only fields that exist in the schema", async () => {
    const wrong = structuredClone(post);
    wrong.source.id = "https://test.example/wrong";
    wrong.streams[0]!.query!.aggregations!.group_by = ["to.shoe"];
    const { body } = await server.call("PUT", "/v1/connectors/wrong", { body: wrong });
    expect(body.error).toMatchObject({ code: "invalid_declaration" });
    expect(body.error.message).toContain("to.shoe");
  });

  test("K-04 a source that declares more fields inside a list needs no new import", async () => {
    const wider = structuredClone(post);
    wider.declaration_version = "2";
    wider.streams[0]!.query!.aggregations!.group_by = ["labels", "to.address", "to.name"];
    expect((await ask({ metric: "count", group_by: "to.name" })).error.code).toBe("invalid_request");
    await server.register("post", wider);
    const { groups } = await ask({ metric: "count", group_by: "to.name" });
    expect(groups[0]).toEqual({ key: "Bob Moss", count: 3, value: 3 });
  });
});

test("K-04 G-01 row 10 an undeclared field stays hidden, even if its name is the path of a field inside a granted list", async () => {
  const other = await server.connect("post", "Other");
  const stores = (secret: string) =>
    server.ingest("mails", other, [
      { key: "n1", data: { id: "n1", to: [{ name: "Dee Field", address: "dee@example.com" }], "to.name": secret } },
    ]);
  await stores("zebra one");
  const selections = [{ connection_id: other, stream: "mails", fields: ["id", "to"] }];
  const token = (await server.grant({ selections })).access_token;
  const read = async (path: string, query: Query) => (await server.get(path, { token, query })).body;
  const place = { connection_id: other, stream: "mails" };
  const [record] = (await read("/v1/streams/mails/records", {})).data;
  expect(Object.keys(record.data)).toEqual(["id", "to"]);
  const csv = (await server.get("/v1/export", { token, query: { ...place, format: "csv" } })).text;
  expect(csv.split("\r\n")[0]).toBe("connection_id,stream,id,emitted_at,data.id,to,other_fields");
  expect(csv).not.toContain("zebra");
  // Under this name, the index has the words of the list, not those of the undeclared field.
  expect((await read("/v1/search", { q: "zebra" })).data).toEqual([]);
  expect((await read("/v1/search", { q: "dee" })).data).toHaveLength(1);
  const feed = await read("/v1/streams/mails/records", { changes_since: "beginning" });
  await stores("zebra two");
  const since = { changes_since: feed.next_changes_since };
  expect((await read("/v1/streams/mails/records", since)).data).toEqual([]);
});
