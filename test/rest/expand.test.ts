// P-01: expanded relations: related records inside a record, within limits and within the grant.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ids, type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, LOANS, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("authors", connection, AUTHORS);
  await server.ingest("loans", connection, LOANS);
});
afterAll(() => server.close());

const one = async (query: Query, token?: string): Promise<Loose> =>
  (await server.get("/v1/streams/books/records/b01", { query, ...(token === undefined ? {} : { token }) })).body;

test("P-01 has_one expands to the record that the field refers to, or to an empty list", async () => {
  const { body } = await server.get("/v1/streams/books/records", {
    query: { "expand[]": "author", sort: "id", limit: 6 },
  });
  const authors = body.data.map((record: Loose) => ids(record.expanded.author.data));
  expect(authors).toEqual([["a1"], ["a2"], ["a1"], [], [], []]);
  const { author } = body.data[0].expanded;
  expect(author).toEqual({
    object: "list",
    data: [expect.objectContaining({ object: "record", stream: "authors", data: AUTHORS[0]!.data })],
    has_more: false,
  });
});

test("P-01 has_many expands to the newest records within the relation's limits, and says if there are more", async () => {
  const { loans } = (await one({ expand: "loans" })).expanded;
  expect(ids(loans.data)).toEqual(['["b01","2024-05-04"]', '["b01","2024-05-03"]']);
  expect(loans.has_more).toBe(true);
  const three = (await one({ expand: "loans", "expand_limit[loans]": 3 })).expanded.loans;
  expect([three.data.length, three.has_more]).toEqual([3, true]);
  const clamped = (await one({ expand: "loans", "expand_limit[loans]": 100 })).expanded.loans;
  expect(clamped.data).toHaveLength(3);
});

test("P-01 several relations expand at once, in either notation, in lists and in single records", async () => {
  const both = (await one({ expand: "author,loans" })).expanded;
  expect(Object.keys(both)).toEqual(["author", "loans"]);
  const { body } = await server.get("/v1/streams/books/records/b01?expand[]=author&expand[]=loans");
  expect(body.expanded).toEqual(both);
});

test("P-01 an undeclared relation is refused with invalid_expand, and the error lists the declared ones", async () => {
  for (const name of ["unoffered", "nothing", "constructor"]) {
    const { error } = await one({ expand: name });
    expect(error).toMatchObject({ code: "invalid_expand", param: "expand" });
    expect(error.message).toContain("author, loans");
  }
  expect((await one({ "expand_limit[nothing]": 1 })).error.code).toBe("invalid_expand");
  expect((await one({ expand: "author", "expand_limit[loans]": 101 })).error.code).toBe("invalid_request");
});

test("P-02 a relation into a stream that is not granted is not listed and does not expand", async () => {
  const { access_token: token } = await server.grant({
    selections: [
      { connection_id: connection, stream: "books", fields: ["title", "author_id"] },
      { connection_id: connection, stream: "loans", since: "2024-05-02T00:00:00Z", until: "2024-05-04T00:00:00Z" },
    ],
  });
  const schema = (await server.get("/v1/streams/books", { token })).body;
  expect(schema.expand_capabilities.map(({ name }: Loose) => name)).toEqual(["loans"]);
  expect(schema.relationships.map(({ name }: Loose) => name)).toEqual(["loans"]);
  const refused = (await one({ expand: "author" }, token)).error;
  const nowhere = (await one({ expand: "nowhere" }, token)).error;
  expect(refused.code).toBe("invalid_expand");
  expect(refused.message.replace("author", "X")).toBe(nowhere.message.replace("nowhere", "X"));
  const { loans } = (await one({ expand: "loans", "expand_limit[loans]": 3 }, token)).expanded;
  expect([ids(loans.data), loans.has_more]).toEqual([['["b01","2024-05-03"]', '["b01","2024-05-02"]'], false]);
});

test("P-02 a relation whose key field is hidden does not expand", async () => {
  const { access_token: token } = await server.grant({
    selections: [
      { connection_id: connection, stream: "books", fields: ["title"] },
      { connection_id: connection, stream: "authors" },
    ],
  });
  expect((await one({ expand: "author" }, token)).error.code).toBe("invalid_expand");
});

test("P-02 has_one expands to an empty list if its target is outside the granted resources", async () => {
  const { access_token: token } = await server.grant({
    selections: [
      { connection_id: connection, stream: "books" },
      { connection_id: connection, stream: "authors", resources: ["a2"] },
    ],
  });
  const { body } = await server.get("/v1/streams/books/records", {
    token,
    query: { expand: "author", sort: "id", limit: 3 },
  });
  expect(body.data.map((record: Loose) => ids(record.expanded.author.data))).toEqual([[], ["a2"], []]);
});
