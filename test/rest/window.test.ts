// L-04, L-13: windows of one field: exact, bounded, split only between code points, with a typed error if the text has
// changed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseHandle, type WindowHandle } from "../../src/contract/handle.ts";
import { type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";

const LONG = Array.from({ length: 3000 }, (_, n) => `line ${n} of the long text`).join("\n");
const ASTRAL = "a𝒳é😀👩‍👩‍👧ﬀ𐍈z".repeat(50);
const EXTRA = {
  "a/b": { "m~n": ["zero", { deep: "the deepest text" }] },
  "": "empty name",
  list: [1, 2],
  "~1": "tilde one",
  n: 5,
  none: null,
};

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  await server.ingest("books", connection, [
    book("long", { notes: LONG, extra: EXTRA, pages: 3, lent: true, title: null }),
    book("astral", { notes: ASTRAL, title: "" }),
  ]);
});
afterAll(() => server.close());

const read = async (id: string, query: Query, token?: string): Promise<Loose> =>
  (
    await server.get(`/v1/streams/books/records/${id}/field-window`, {
      query,
      ...(token === undefined ? {} : { token }),
    })
  ).body;

describe("L-04 a window", () => {
  test("L-04 is bounded by default and returns its range, total, revision and next position", async () => {
    const body = await read("long", { field: "notes" });
    expect(body).toEqual({
      object: "field_window",
      record_id: "long",
      stream: "books",
      field: { path: "notes", type: "string" },
      window: {
        text: LONG.slice(0, 4096),
        start_chars: 0,
        end_chars: 4096,
        limit_chars: 4096,
        total_chars: LONG.length,
        complete: false,
        has_more: true,
        next_offset_chars: 4096,
      },
      next_cursor: expect.any(String),
      revision: expect.stringMatching(/^[\w-]{22}$/),
      handle: expect.stringContaining("pdpp://field-window/"),
      next_handle: expect.stringContaining("offset=4096"),
      connection_id: connection,
      connector_key: "library",
      display_name: "Shelf",
    });
  });

  test("L-04 a text that fits is complete, even an empty one", async () => {
    const whole = (await read("astral", { field: "notes" })).window;
    expect(whole).toMatchObject({ text: ASTRAL, complete: true, has_more: false, total_chars: [...ASTRAL].length });
    expect("next_offset_chars" in whole).toBe(false);
    expect((await read("astral", { field: "title" })).window).toMatchObject({
      text: "",
      total_chars: 0,
      complete: true,
    });
  });

  test("L-04 limit_chars is at most 16384", async () => {
    const { window } = await read("long", { field: "notes", limit_chars: 1_000_000 });
    expect([window.text.length, window.limit_chars]).toEqual([16_384, 16_384]);
  });

  test.each([1, 7, 64, 1000])(
    "L-13 following next_offset_chars in steps of %i returns the exact text, forwards and backwards",
    async (limit) => {
      const [id, text] = limit > 100 ? ["long", LONG] : ["astral", ASTRAL];
      const windows: Loose[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; offset = windows.at(-1).next_offset_chars) {
        windows.push((await read(id, { field: "notes", limit_chars: limit, offset_chars: offset })).window);
      }
      expect(windows.map((window) => window.text).join("")).toBe(text);
      for (const window of windows) expect([...window.text]).toHaveLength(window.end_chars - window.start_chars);
      let back = windows.at(-1);
      let start = back.start_chars;
      while (back.previous_offset_chars !== undefined) {
        back = (await read(id, { field: "notes", limit_chars: limit, offset_chars: back.previous_offset_chars }))
          .window;
        expect(back.end_chars).toBeGreaterThanOrEqual(start);
        start = back.start_chars;
      }
      expect(start).toBe(0);
    },
  );

  test("L-13 cursors and handles return the same windows", async () => {
    let text = "";
    let cursor: string | undefined;
    let handle: string | undefined;
    do {
      const body = await read("long", {
        field: "notes",
        ...(cursor === undefined ? { limit_chars: 9000 } : { cursor }),
      });
      if (handle !== undefined) {
        const { field, offset, limit, revision } = parseHandle(handle) as WindowHandle;
        const same = await read("long", { field, offset_chars: offset!, limit_chars: limit!, revision: revision! });
        expect(same.window).toEqual(body.window);
      }
      text += body.window.text;
      cursor = body.next_cursor;
      handle = body.next_handle;
    } while (cursor !== undefined);
    expect(text).toBe(LONG);
  });

  test("L-04 a window at the end is empty, and one beyond the end is refused with invalid_window", async () => {
    const total = [...ASTRAL].length;
    expect((await read("astral", { field: "notes", offset_chars: total })).window).toMatchObject({
      text: "",
      has_more: false,
      start_chars: total,
    });
    const { error } = await read("astral", { field: "notes", offset_chars: total + 1 });
    expect(error).toMatchObject({ code: "invalid_window", param: "offset_chars" });
    expect(error.message).toContain(String(total));
  });
});

describe("L-04 a window around a match", () => {
  test("L-04 a match returns the text as written, its position and its surroundings", async () => {
    const { window } = await read("long", { field: "notes", q: "line 1234 of", before_chars: 10, after_chars: 20 });
    const at = LONG.indexOf("line 1234 of");
    expect(window).toMatchObject({
      match_start_chars: at,
      match_end_chars: at + 12,
      start_chars: at - 10,
      end_chars: at + 32,
    });
    expect(window.text).toBe(LONG.slice(at - 10, at + 32));
    expect(window.next_offset_chars).toBe(at + 32);
  });

  test("L-04 positions count code points, even after characters beyond the BMP", async () => {
    const points = [...ASTRAL];
    const { window } = await read("astral", {
      field: "notes",
      q: "😀👩",
      offset_chars: 20,
      before_chars: 2,
      after_chars: 1,
    });
    expect(points.slice(window.match_start_chars, window.match_end_chars).join("")).toBe("😀👩");
    expect(window.match_start_chars).toBeGreaterThanOrEqual(20);
    expect(window.text).toBe(points.slice(window.start_chars, window.end_chars).join(""));
  });

  test("L-04 offset_chars sets where to start looking, and case does not matter", async () => {
    const first = (await read("long", { field: "notes", q: "of the" })).window;
    const second = (await read("long", { field: "notes", q: "of the", offset_chars: first.match_end_chars })).window;
    expect(second.match_start_chars).toBeGreaterThan(first.match_start_chars);
    expect((await read("long", { field: "notes", q: "LONG TEXT" })).window.match_start_chars).toBe(
      LONG.indexOf("long text"),
    );
  });

  test("K-10 the nearest match wins over one with the same case, and each handle leads to the next match", async () => {
    const notes = `${"Reverb. ".repeat(3)}${"filler ".repeat(200)}${"REVERB ".repeat(2)}and reverb.`;
    await server.ingest("books", connection, [book("cases", { notes })]);
    const places = [...notes.matchAll(/reverb/gi)].map(({ index }) => index);
    const asked = { field: "notes", q: "reverb", offset_chars: 10, before_chars: 0, after_chars: 0 };
    const found: number[] = [];
    let body = await read("cases", asked);
    for (;;) {
      found.push(body.window.match_start_chars);
      expect(body.window.match_count).toBe(places.length);
      if (body.next_match_handle === undefined) break;
      const { field, offset, q, revision } = parseHandle(body.next_match_handle) as WindowHandle;
      body = await read("cases", { field, offset_chars: offset!, q: q!, revision: revision! });
    }
    expect(found).toEqual(places.filter((at) => at >= 10));
    const { error } = await read("cases", { ...asked, offset_chars: notes.length - 3 });
    expect(error.message).toContain(`${places.length} matches`);
  });

  test("L-04 a small limit keeps the match inside the window", async () => {
    for (const limit of [12, 15, 30]) {
      const { window } = await read("long", { field: "notes", q: "line 1234 of", limit_chars: limit });
      expect(window.text).toContain("line 1234 of");
      expect(window.end_chars - window.start_chars).toBe(limit);
    }
  });

  test("L-04 a search string that does not occur is refused with invalid_window and the next step", async () => {
    const { error } = await read("long", { field: "notes", q: "no such words" });
    expect(error).toMatchObject({ code: "invalid_window", param: "q" });
    expect(error.next_step).toContain("offset_chars=0");
  });

  test.each([
    [{ cursor: "x", q: "y" }, "invalid_window"],
    [{ cursor: "x", offset_chars: 0 }, "invalid_window"],
    [{ before_chars: 1 }, "invalid_window"],
    [{ after_chars: 1 }, "invalid_window"],
    [{ cursor: "x" }, "invalid_cursor"],
    [{ q: "" }, "invalid_request"],
    [{ q: "x".repeat(513) }, "invalid_request"],
    [{ q: "line", before_chars: 8193 }, "invalid_request"],
    [{ offset_chars: -1 }, "invalid_request"],
    [{ limit_chars: 0 }, "invalid_request"],
    [{ pointer: "no-slash" }, "invalid_window"],
  ])("L-04 %j is refused with %s", async (query: Query, code) => {
    expect((await read("long", { field: "notes", ...query })).error.code).toBe(code);
  });
});

describe("L-13 pointers into JSON", () => {
  test.each([
    ["/a~1b/m~0n/0", "zero", "string"],
    ["/a~1b/m~0n/1/deep", "the deepest text", "string"],
    ["/", "empty name", "string"],
    ["/~01", "tilde one", "string"],
    ["/list", JSON.stringify([1, 2], null, 2), "json"],
    ["/a~1b", JSON.stringify(EXTRA["a/b"], null, 2), "json"],
    ["", JSON.stringify(EXTRA, null, 2), "json"],
  ])("L-13 %j reads its subtree", async (pointer, text, type) => {
    const body = await read("long", { field: "extra", pointer });
    expect([body.window.text, body.field]).toEqual([text, { path: "extra", pointer, type }]);
    const { pointer: told } = parseHandle(body.handle) as WindowHandle;
    expect(told).toBe(pointer);
  });

  test.each(["/nothing", "/list/2", "/list/-", "/list/01", "/a~1b/m~0n/length", "/constructor", "/__proto__", "/n/x"])(
    "L-13 %j is refused with field_not_found",
    async (pointer) => {
      expect((await read("long", { field: "extra", pointer })).error).toMatchObject({
        code: "field_not_found",
        param: "pointer",
      });
    },
  );

  test("L-13 numbers, booleans and null return field_not_text, and an absent field returns field_not_found", async () => {
    for (const query of [
      { field: "pages" },
      { field: "lent" },
      { field: "title" },
      { field: "extra", pointer: "/n" },
      { field: "extra", pointer: "/none" },
    ]) {
      const { status, body } = await server.get("/v1/streams/books/records/long/field-window", { query });
      expect([status, body.error.code], JSON.stringify(query)).toEqual([422, "field_not_text"]);
    }
    expect((await read("astral", { field: "extra" })).error.code).toBe("field_not_found");
    expect((await read("long", { field: "nothing" })).error.code).toBe("unknown_field");
    expect((await read("nobody", { field: "notes" })).error.code).toBe("not_found");
  });
});

describe("L-13 L-06 revisions and authority", () => {
  test("L-13 a changed text returns stale_handle with the next step, but a change to another field does not", async () => {
    await server.ingest("books", connection, [book("moving", { notes: "x".repeat(5000), title: "1" })]);
    const { revision, next_cursor: cursor } = await read("moving", { field: "notes" });
    await server.ingest("books", connection, [book("moving", { notes: "x".repeat(5000), title: "2" })]);
    expect((await read("moving", { field: "notes", cursor })).window.start_chars).toBe(4096);
    await server.ingest("books", connection, [book("moving", { notes: "y".repeat(5000), title: "2" })]);
    for (const query of [{ cursor }, { revision, offset_chars: 4096 }]) {
      const { status, body } = await server.get("/v1/streams/books/records/moving/field-window", {
        query: { field: "notes", ...query },
      });
      expect([status, body.error.code, body.error.param]).toEqual([409, "stale_handle", "revision"]);
      expect(body.error.next_step).toContain("Read it again without the revision parameter");
    }
    expect((await read("moving", { field: "notes" })).revision).not.toBe(revision);
  });

  test("L-06 a window cursor is bound to its caller, record, field and pointer", async () => {
    const grant = (fields: string[]) =>
      server.grant({ selections: [{ connection_id: connection, stream: "books", fields }] });
    const [one, two] = [await grant(["notes"]), await grant(["notes", "extra"])];
    const { next_cursor: cursor } = await read("long", { field: "notes", limit_chars: 10 }, one.access_token);
    expect((await read("long", { field: "notes", cursor }, one.access_token)).window.start_chars).toBe(10);
    for (const [id, query, token] of [
      ["long", { field: "notes", cursor }, two.access_token],
      ["long", { field: "notes", cursor }, undefined],
      ["astral", { field: "notes", cursor }, one.access_token],
      ["long", { field: "extra", cursor }, two.access_token],
      ["long", { field: "notes", pointer: "", cursor }, one.access_token],
    ] as const) {
      expect((await read(id, query, token)).error.code).toBe("invalid_cursor");
    }
  });

  test("L-06 a handle gives no access: a narrower or revoked grant reads nothing through it", async () => {
    const wide = await server.grant({ selections: [{ connection_id: connection, stream: "books" }] });
    const narrow = await server.grant({
      selections: [{ connection_id: connection, stream: "books", fields: ["title"], resources: ["astral"] }],
    });
    const body = await read("long", { field: "notes", limit_chars: 10 }, wide.access_token);
    const { field, offset, limit, revision } = parseHandle(body.next_handle) as WindowHandle;
    const query = { field, offset_chars: offset!, limit_chars: limit!, revision: revision! };
    expect((await read("long", query, wide.access_token)).window.text).toBe(LONG.slice(10, 20));
    expect((await read("long", query, narrow.access_token)).error.code).toBe("field_not_granted");
    expect((await read("long", { ...query, field: "title" }, narrow.access_token)).error.code).toBe("not_found");
    await server.call("POST", `/v1/grants/${wide.grant_id}/revoke`);
    expect((await read("long", query, wide.access_token)).error.code).toBe("grant_revoked");
    expect((await read("long", { field, cursor: body.next_cursor }, wide.access_token)).error.code).toBe(
      "grant_revoked",
    );
  });
});
