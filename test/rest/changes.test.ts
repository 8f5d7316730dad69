// P-01: the change feed: its horizon, tombstones, and only changes that the grant shows.
import { cpSync, rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ids, type Line, type Loose, newHome, ON_FILES, type Query, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  // Uses a separate home, because one test closes the server and inspects the files.
  server = await testServer({ home: newHome() });
  await server.register("library", library);
});
beforeEach(async () => {
  connection = await server.connect("library");
});
const homes: string[] = [];
afterAll(async () => {
  await server.close();
  for (const home of [server.home, ...homes]) rmSync(home, { recursive: true, force: true });
});

const page = async (query: Query, token?: string): Promise<Loose> => {
  const answer = await server.get("/v1/streams/books/records", {
    query: { connection_id: connection, ...query },
    ...(token === undefined ? {} : { token }),
  });
  return answer.body;
};
/** Reads all pages of one session. */
const session = async (since: string, token?: string, limit = 2): Promise<{ records: Loose[]; next: string }> => {
  const records: Loose[] = [];
  let cursor: string | undefined;
  for (;;) {
    const body = await page({ changes_since: since, limit, ...(cursor === undefined ? {} : { cursor }) }, token);
    records.push(...body.data);
    if (!body.has_more) return { records, next: body.next_changes_since };
    expect("next_changes_since" in body).toBe(false);
    cursor = body.next_cursor;
  }
};
const shape = (records: Loose[]): string[] => records.map((record) => (record.deleted ? `-${record.id}` : record.id));
const write = (...lines: Line[]) => server.ingest("books", connection, lines);
const gone = (id: string): Line => ({ key: id, op: "delete" });
const grantOf = async (selection: Record<string, unknown>): Promise<string> =>
  (await server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] })).access_token;

describe("P-01 the owner's feed", () => {
  test("P-01 the feed starts at the beginning, in order of change, with only the newest version of each record", async () => {
    await write(book("a"), book("b"), book("c"), book("a", { title: "again" }));
    const first = await session("beginning");
    expect(shape(first.records)).toEqual(["b", "c", "a"]);
    expect(first.records[2].data).toEqual({ id: "a", title: "again" });
    expect(await session(first.next)).toEqual({ records: [], next: expect.any(String) });
    await write(book("b", { title: "new" }), book("d"));
    const second = await session(first.next);
    expect(shape(second.records)).toEqual(["b", "d"]);
  });

  test("P-01 a deleted record is a tombstone without data, and a restored one is a record again", async () => {
    await write(book("a", { title: "x" }), book("b"));
    const { next } = await session("beginning");
    await write(gone("a"), gone("never-was"));
    const { records, next: later } = await session(next);
    expect(records).toEqual([
      {
        object: "record",
        id: "a",
        stream: "books",
        deleted: true,
        deleted_at: expect.stringMatching(/Z$/),
        emitted_at: "2024-06-01T00:00:00.000Z",
        connection_id: connection,
        connector_key: "library",
        display_name: "Library",
      },
    ]);
    await write(book("a", { title: "back" }));
    expect(shape((await session(later)).records)).toEqual(["a"]);
    expect(shape((await session("beginning")).records)).toEqual(["b", "a"]);
  });

  test("P-01 writing identical data adds nothing to the feed", async () => {
    await write(book("a", { title: "x" }));
    const { next } = await session("beginning");
    const report = await write(book("a", { title: "x" }));
    expect([report.records_accepted, report.records_changed]).toEqual([1, 0]);
    expect((await session(next)).records).toEqual([]);
  });

  test("P-01 all pages of a session share the horizon of its first page", async () => {
    await write(...["a", "b", "c", "d", "e"].map((id) => book(id)));
    const first = await page({ changes_since: "beginning", limit: 2 });
    expect(ids(first.data)).toEqual(["a", "b"]);
    await write(book("f"), book("c", { title: "moved beyond the horizon" }), gone("d"));
    const second = await page({ changes_since: "beginning", limit: 2, cursor: first.next_cursor });
    expect(shape(second.data)).toEqual(["e"]);
    expect(second.has_more).toBe(false);
    expect(shape((await session(second.next_changes_since)).records)).toEqual(["f", "c", "-d"]);
  });

  test("P-01 a reader that follows the feed during writes sees every change exactly once", async () => {
    const seen: string[] = [];
    let since = "beginning";
    for (let round = 0; round < 8; round++) {
      const writing = write(...Array.from({ length: 5 }, (_, n) => book(`r${round}-${n}`)));
      const { records, next } = await session(since);
      seen.push(...ids(records));
      since = next;
      await writing;
    }
    seen.push(...ids((await session(since)).records));
    expect(seen).toHaveLength(40);
    expect(new Set(seen).size).toBe(40);
  });

  test("P-01 fields and view shape the records, but filter, sort, order, count and expand are refused", async () => {
    await write(book("a", { title: "x", genre: "g", pages: 3 }));
    expect((await page({ changes_since: "beginning", fields: "pages" })).data[0].data).toEqual({ id: "a", pages: 3 });
    expect((await page({ changes_since: "beginning", view: "card" })).data[0].data).toEqual({
      id: "a",
      title: "x",
      genre: "g",
    });
    for (const [name, value] of [
      ["filter[genre]", "g"],
      ["sort", "title"],
      ["order", "asc"],
      ["count", "exact"],
      ["expand", "author"],
    ] as const) {
      const { error } = await page({ changes_since: "beginning", [name]: value });
      expect([error.code, error.param]).toEqual(["invalid_request", name.replace(/\[.*/, "")]);
    }
  });
});

describe("P-02 a grant's feed", () => {
  test("P-02 a record whose granted fields did not change is not in the feed and keeps its position", async () => {
    await write(book("a", { title: "1", secret: "s" }), book("b", { title: "1" }));
    const token = await grantOf({ fields: ["title"] });
    const { next } = await session("beginning", token);
    await write(book("a", { title: "1", secret: "other" }));
    expect((await session(next, token)).records).toEqual([]);
    expect(shape((await session("beginning", token)).records)).toEqual(["a", "b"]);
    await write(book("a", { title: "2", secret: "other" }));
    const { records } = await session(next, token);
    expect(records.map((record) => record.data)).toEqual([{ id: "a", title: "2" }]);
  });

  test("P-02 a record that leaves the granted time range becomes a tombstone, one that enters it becomes a record, and one that stays outside never appears", async () => {
    await write(
      book("in", { published_at: "2024-03-01T00:00:00Z" }),
      book("out", { published_at: "2020-01-01T00:00:00Z" }),
    );
    const token = await grantOf({ since: "2024-01-01T00:00:00Z", until: "2025-01-01T00:00:00Z" });
    const { records, next } = await session("beginning", token);
    expect(shape(records)).toEqual(["in"]);
    await write(
      book("in", { published_at: "2025-01-01T00:00:00Z" }),
      book("out", { published_at: "2020-01-02T00:00:00Z" }),
    );
    const second = await session(next, token);
    expect(shape(second.records)).toEqual(["-in"]);
    await write(book("out", { published_at: "2024-01-01T00:00:00Z" }), gone("in"));
    const third = await session(second.next, token);
    expect(shape(third.records)).toEqual(["out"]);
    expect(shape((await session("beginning", token)).records)).toEqual(["-in", "out"]);
  });

  test("P-02 records outside the granted resources never appear, not even as tombstones", async () => {
    await write(book("a"), book("b"));
    const token = await grantOf({ resources: ["a"] });
    const { records, next } = await session("beginning", token);
    expect(shape(records)).toEqual(["a"]);
    await write(gone("b"), book("c"), book("a", { title: "x" }));
    expect(shape((await session(next, token)).records)).toEqual(["a"]);
  });
});

describe("L-06 tokens", () => {
  test("L-06 cursor and changes_since are not interchangeable, and each is bound to its caller and its query", async () => {
    await write(book("a"), book("b"), book("c"));
    const token = await grantOf({});
    const other = await grantOf({});
    const paged = await page({ limit: 1 });
    const changed = await page({ changes_since: "beginning", limit: 1 });
    const { next } = await session("beginning");
    const mine = await session("beginning", token);
    const refused = async (query: Query, by?: string) => {
      const { error } = await page(query, by);
      expect([error?.code, error?.type], JSON.stringify(query)).toEqual(["invalid_cursor", "invalid_request_error"]);
    };
    await refused({ changes_since: paged.next_cursor });
    await refused({ changes_since: changed.next_cursor });
    await refused({ cursor: next });
    await refused({ cursor: changed.next_cursor });
    await refused({ changes_since: "beginning", cursor: paged.next_cursor });
    await refused({ changes_since: "beginning", cursor: next });
    await refused({ changes_since: next, cursor: changed.next_cursor });
    await refused({ changes_since: "beginning", fields: "title", cursor: changed.next_cursor });
    await refused({ changes_since: next }, token);
    await refused({ changes_since: mine.next });
    await refused({ changes_since: mine.next }, other);
    expect((await page({ changes_since: next, fields: "title" })).data).toEqual([]);
  });

  test("P-02 the length of a token does not reveal how much changed", async () => {
    const token = await grantOf({ resources: ["a", "b", "c"] });
    await write(book("a"), book("b"), book("c"));
    const before = await page({ changes_since: "beginning", limit: 1 }, token);
    await write(...Array.from({ length: 1200 }, (_, n) => book(`hidden-${n}`)));
    await write(book("a", { title: "x" }));
    const after = await page({ changes_since: "beginning", limit: 1 }, token);
    expect(after.next_cursor).toHaveLength(before.next_cursor.length);
    const ends = [await session("beginning", token), await session("beginning")];
    expect(ends[0]!.next).toHaveLength(ends[1]!.next.length);
  });

  test.runIf(ON_FILES)(
    "P-01 a token from beyond the end of the feed, as after restoring a backup, is refused with cursor_expired",
    async () => {
      await write(book("a"));
      const backup = newHome();
      await server.close();
      cpSync(server.home, backup, { recursive: true });
      const { home } = server;
      homes.push(home);
      server = await testServer({ home });
      await write(book("b"), book("c"));
      const { next } = await session("beginning");
      const half = await page({ changes_since: "beginning", limit: 1 });
      await server.close();
      server = await testServer({ home: backup });
      for (const query of [{ changes_since: next }, { changes_since: "beginning", cursor: half.next_cursor }]) {
        const { error } = await page(query);
        expect([error.code, error.type]).toEqual(["cursor_expired", "gone_error"]);
        expect(error.next_step).toContain("changes_since=beginning");
      }
    },
  );
});

describe("K-07 changes_since as a time", () => {
  const day = (at: string) => at.slice(0, 10);
  /** Waits until the clock has advanced, so that the next write has a later time. */
  const later = async (): Promise<string> => {
    const at = Date.now();
    while (Date.now() === at) await new Promise((resolve) => setTimeout(resolve, 1));
    return new Date().toISOString();
  };

  test('K-07 changes_since accepts an RFC 3339 time, a date and "now", and returns a token', async () => {
    await write(...Array.from({ length: 30 }, (_, n) => book(`old${n}`)));
    const middle = await later();
    await write(book("new1"), book("old3", { title: "changed" }), gone("old4"));
    const since = (asked: string) => session(asked).then(({ records }) => shape(records));
    expect(await since(middle)).toEqual(["new1", "old3", "-old4"]);
    expect(await since(middle.replace("Z", "+00:00"))).toEqual(["new1", "old3", "-old4"]);
    expect(await since(day(middle))).toHaveLength(31);
    expect(await since("2999-01-01")).toEqual([]);
    const { records, next } = await session("now");
    expect(records).toEqual([]);
    await write(book("new2"));
    expect(await since(next)).toEqual(["new2"]);
    for (const wrong of ["2026-13-01", "2026-02-30T00:00:00Z", "2026-11-16T08:00:00"]) {
      const { error } = await page({ changes_since: wrong });
      expect(error).toMatchObject({ code: "invalid_request", param: "changes_since" });
      expect(error.next_step).toContain("a day such as");
    }
  });

  test("K-07 under a grant, a change to a hidden field never appears", async () => {
    await write(book("a", { title: "x", secret: "1" }), book("b", { title: "y" }));
    const token = await grantOf({ fields: ["id", "title"] });
    const middle = await later();
    await write(book("a", { title: "x", secret: "2" }), book("b", { title: "z" }));
    expect(shape((await session(middle, token)).records)).toEqual(["b"]);
    expect(shape((await session(middle)).records)).toEqual(["a", "b"]);
  });
});

describe("K-07 changes in all streams", () => {
  const changes = async (query: Query, token?: string): Promise<Loose> =>
    (await server.get("/v1/changes", { query, ...(token === undefined ? {} : { token }) })).body;
  const names = (records: Loose[]) => records.map(({ stream, id, deleted }) => `${deleted ? "-" : ""}${stream}:${id}`);

  test("K-07 changes are listed newest first from every stream and connection, in pages that stay stable during writes", async () => {
    const { next_changes_since: start } = await changes({ changes_since: "now" });
    const other = await server.connect("library", "Other shelf");
    await write(book("a"), book("b"));
    await server.ingest("authors", other, [{ key: "w", data: { id: "w", name: "Wren" } }]);
    await write(book("a", { title: "again" }), gone("b"));
    const expected = ["-books:b", "books:a", "authors:w"];
    const whole = await changes({ changes_since: start });
    expect(names(whole.data)).toEqual(expected);
    expect(whole.data[2]).toMatchObject({ connection_id: other, display_name: "Other shelf", data: { name: "Wren" } });
    expect(whole).toMatchObject({ connection_id: "all", has_more: false, url: "/v1/changes" });
    const first = await changes({ changes_since: start, limit: 1 });
    expect([names(first.data), "next_changes_since" in first]).toEqual([["-books:b"], false]);
    await write(book("c"));
    const second = await changes({ changes_since: start, limit: 2, cursor: first.next_cursor });
    expect(names(second.data)).toEqual(expected.slice(1));
    expect(names((await changes({ changes_since: second.next_changes_since })).data)).toEqual(["books:c"]);
    expect(names((await changes({ changes_since: start, connection_id: other })).data)).toEqual(["authors:w"]);
    const same = (await server.get("/v1/streams/all/records", { query: { changes_since: start, limit: 2 } })).body;
    expect(names(same.data)).toEqual(["books:c", "-books:b"]);
  });

  test("K-07 under a grant only granted changes appear, and one caller's token is refused for another caller", async () => {
    await write(
      book("a", { title: "x", secret: "1" }),
      book("b", { title: "y", published_at: "2020-01-01T00:00:00Z" }),
    );
    await server.ingest("authors", connection, [{ key: "w", data: { id: "w" } }]);
    const token = await grantOf({ fields: ["id", "title"], resources: ["a"] });
    const { data, next_changes_since: next } = await changes({ changes_since: "beginning" }, token);
    expect(data.map(({ data: shown }: Loose) => shown)).toEqual([{ id: "a", title: "x" }]);
    await write(book("a", { title: "x", secret: "2" }), book("c"));
    expect((await changes({ changes_since: next }, token)).data).toEqual([]);
    expect((await changes({ changes_since: next })).error.code).toBe("invalid_cursor");
    expect((await page({ changes_since: next }, token)).error.code).toBe("invalid_cursor");
  });

  test("K-07 parameters for a single stream are refused, and so is a request without changes_since", async () => {
    const refused = async (query: Query) => (await server.get("/v1/streams/all/records", { query })).body.error;
    expect(await refused({})).toMatchObject({ code: "invalid_request", param: "changes_since" });
    expect(await refused({ changes_since: "now", sort: "id" })).toMatchObject({
      code: "invalid_request",
      param: "sort",
    });
  });
});
