// P-01: ingest is streaming and idempotent. Invalid lines are refused one by one, and valid lines are stored.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { INGEST } from "../../src/contract/limits.ts";
import { EMITTED, ids, type Loose, type Query, readAnswer, type TestServer, testServer } from "../harness.ts";
import { library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
});
beforeEach(async () => {
  connection = await server.connect("library");
});
afterAll(() => server.close());

const line = (id: string, data: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): string =>
  JSON.stringify({ key: id, data: { id, ...data }, emitted_at: EMITTED, ...rest });

/** Sends a body in the given chunks. */
async function send(pieces: readonly (string | Uint8Array)[], stream = "books"): Promise<Loose> {
  const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece as string)));
  const response = await fetch(`${server.url}/v1/ingest/${stream}?connection_id=${connection}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.owner}` },
    body,
    duplex: "half",
  } as RequestInit);
  return (await readAnswer("POST", response)).body;
}
const stored = async (stream = "books"): Promise<string[]> =>
  ids(
    await server.all(`/v1/streams/${stream}/records`, {
      query: { connection_id: connection, limit: 100, sort: stream === "loans" ? "day" : "id" },
    }),
  );

describe("P-01 an ingest body", () => {
  test("G-01 sets the same ingested_at for all its records, however many batches it takes", async () => {
    const title = "x".repeat(INGEST.batchBytes / 4);
    const pieces = Array.from({ length: 12 }, (_, index) => `${line(`r${index}`, { title })}\n`);
    expect(await send(pieces)).toMatchObject({ records_accepted: 12 });
    const records = await server.all("/v1/streams/books/records", { query: { connection_id: connection, limit: 100 } });
    expect(records).toHaveLength(12);
    expect(new Set(records.map(({ ingested_at }) => ingested_at)).size).toBe(1);
  });

  test("P-01 is reported completely, and sending it again changes nothing", async () => {
    const body = [line("a"), line("b"), line("c")].join("\n");
    expect(await send([body])).toEqual({
      stream: "books",
      connection_id: connection,
      records_attempted: 3,
      records_accepted: 3,
      records_changed: 3,
      records_new: 3,
      records_unchanged: 0,
      records_rejected: 0,
      errors: [],
      rejections: [],
    });
    const { body: feed } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, changes_since: "beginning" },
    });
    expect(await send([body])).toMatchObject({ records_accepted: 3, records_changed: 0 });
    const { body: later } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, changes_since: feed.next_changes_since },
    });
    expect(later.data).toEqual([]);
  });

  test("P-01 can end lines with CRLF, and can have blank lines, a byte order mark, or no final line end", async () => {
    expect(await send([`\ufeff${line("a")}\r\n\r\n\n  \n${line("b")}\r\n${line("c")}`])).toMatchObject({
      records_attempted: 3,
      records_rejected: 0,
    });
    expect(await stored()).toEqual(["a", "b", "c"]);
    expect(await send([""])).toMatchObject({ records_attempted: 0 });
    expect(await send(["\n\n"])).toMatchObject({ records_attempted: 0 });
  });

  test("P-01 can be split into chunks anywhere, even inside a character", async () => {
    const bytes = Buffer.from([line("a", { title: "ü𝒳漢" }), line("b", { title: "👩‍👩‍👧 é" })].join("\n"));
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(await send(pieces)).toMatchObject({ records_accepted: 2 });
    }
    const { body } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, sort: "id" },
    });
    expect(body.data.map((record: Loose) => record.data.title)).toEqual(["ü𝒳漢", "👩‍👩‍👧 é"]);
  });

  test("P-01 keeps indices and order across several batches, and the feed has every line once", async () => {
    const filler = "x".repeat(2000);
    const lines = Array.from({ length: 2500 }, (_, n) =>
      n % 500 === 250 ? "{broken" : line(`r${String(n).padStart(5, "0")}`, { notes: filler }),
    );
    const report = await send(lines.map((text) => `${text}\n`));
    expect([report.records_attempted, report.records_accepted, report.records_rejected]).toEqual([2500, 2495, 5]);
    expect(report.rejections.map((one: Loose) => one.input_index)).toEqual([250, 750, 1250, 1750, 2250]);
    const { body } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, count: "exact", limit: 1 },
    });
    expect(body.meta.count.value).toBe(2495);
  });

  test("P-01 the report lists the first thousand rejections and counts the rest", async () => {
    const report = await send([Array(1500).fill("nope").join("\n")]);
    expect([report.records_rejected, report.rejections.length, report.errors.length]).toEqual([
      1500,
      INGEST.rejectionsListed,
      INGEST.rejectionsListed,
    ]);
  });
});

describe("P-01 an ingest line", () => {
  const LINES: [what: string, text: string | Uint8Array, code: string][] = [
    [
      "has a number too large for JavaScript",
      line("x", { price: 1 }).replace('"price":1', '"price":1e999'),
      "invalid_record",
    ],
    [
      "has more digits than a number can hold",
      line("x", { price: 1 }).replace('"price":1', '"price":1234567890123456789'),
      "invalid_record",
    ],
    ["has a key that cannot be part of a URL", line(".."), "invalid_record"],
    ["is not JSON", "{not json", "invalid_record"],
    ["is cut off", line("x").slice(0, -3), "invalid_record"],
    ["is an array", "[]", "invalid_record"],
    ["is null", "null", "invalid_record"],
    ["is a string", '"x"', "invalid_record"],
    ["has an unknown property", line("x", {}, { extra: 1 }), "invalid_record"],
    ["has a property called __proto__", `{"__proto__":1,${line("x").slice(1)}`, "invalid_record"],
    ["names another stream", line("x", {}, { stream: "authors" }), "invalid_record"],
    ["has no key", line("x", {}, { key: undefined }), "invalid_record"],
    ["has an empty key", line("", {}), "invalid_record"],
    ["has a number as key", line("x", {}, { key: 1 }), "invalid_record"],
    ["has an object in its key", line("x", {}, { key: [{}] }), "invalid_record"],
    ["has a key that differs from its data", line("x", { id: "y" }), "invalid_record"],
    ["has a key but lacks the key field", line("undefined", {}, { data: {} }), "invalid_record"],
    [
      "has a lone surrogate as key",
      '{"key":"\\ud800","data":{"id":"\\ud800"},"emitted_at":"2024-01-01T00:00:00Z"}',
      "invalid_record",
    ],
    ["has no data", line("x", {}, { data: undefined }), "invalid_record"],
    ["has a list as data", line("x", {}, { data: [] }), "invalid_record"],
    ["has no emitted_at", line("x", {}, { emitted_at: undefined }), "invalid_record"],
    ["has a date as emitted_at", line("x", {}, { emitted_at: "2024-01-01" }), "invalid_record"],
    ["has a time without offset", line("x", {}, { emitted_at: "2024-01-01T00:00:00" }), "invalid_record"],
    ["has a day that does not exist", line("x", {}, { emitted_at: "2023-02-29T00:00:00Z" }), "invalid_record"],
    ["has an unknown op", line("x", {}, { op: "merge" }), "invalid_record"],
    ["has a wrong type", line("x", { pages: "many" }), "invalid_record"],
    ["has a fraction for an integer", line("x", { pages: 1.5 }), "invalid_record"],
    ["has a bad date", line("x", { bought_on: "2024-02-30" }), "invalid_record"],
    ["has a bad time", line("x", { published_at: "yesterday" }), "invalid_record"],
    ["has a string as provenance", line("x", {}, { provenance: "file" }), "invalid_record"],
    ["has a provenance of unknown kind", line("x", {}, { provenance: { colour: "red" } }), "invalid_record"],
    ["has a provenance of the wrong type", line("x", {}, { provenance: { offset: "7" } }), "invalid_record"],
    ["has an overlong provenance", line("x", {}, { provenance: { file: "x".repeat(5000) } }), "invalid_record"],
    [
      "is nested too deeply in data",
      line("x", {}).replace('"id"', `"extra":${'{"a":'.repeat(300)}1${"}".repeat(300)},"id"`),
      "invalid_record",
    ],
    [
      "is nested absurdly deeply in data",
      line("x", {}).replace('"id"', `"extra":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},"id"`),
      "invalid_record",
    ],
    [
      "is nested absurdly deeply in provenance",
      `{"provenance":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}},${line("x").slice(1)}`,
      "invalid_record",
    ],
    [
      "is nested absurdly deeply in its stream's name",
      `{"stream":${"[".repeat(100_000)}${"]".repeat(100_000)},${line("x").slice(1)}`,
      "invalid_record",
    ],
    [
      "is not UTF-8",
      Buffer.concat([
        Buffer.from('{"key":"x","data":{"id":"x","title":"'),
        Buffer.of(0xff, 0xfe),
        Buffer.from('"},"emitted_at":"2024-01-01T00:00:00Z"}'),
      ]),
      "invalid_record",
    ],
    ["is a little too long", line("x", { notes: "x".repeat(INGEST.lineBytes) }), "resource_limit"],
    ["is too long in bytes", line("x", { notes: "é".repeat(INGEST.lineBytes / 2) }), "resource_limit"],
    ["is gigantic", line("x", { notes: "x".repeat(3 * INGEST.lineBytes) }), "resource_limit"],
  ];

  test.each(LINES)(
    "P-01 row 23 a line that %s is refused, and the lines around it are stored",
    async (_what, text, code) => {
      const report = await send([line("before"), "\n", text, "\n", line("after"), "\n"]);
      expect([report.records_attempted, report.records_accepted, report.records_rejected]).toEqual([3, 2, 1]);
      expect(report.rejections).toEqual([{ input_index: 1, code, message: expect.any(String) }]);
      expect(report.errors).toEqual([expect.stringMatching(/^line 2: ./)]);
      expect(report.errors[0].length).toBeLessThan(1000);
      expect(await stored()).toEqual(["after", "before"]);
    },
  );

  test("P-01 just below the size limit is stored", async () => {
    const rest = Buffer.byteLength(line("big", { notes: "" }));
    const report = await send([line("big", { notes: "x".repeat(INGEST.lineBytes - rest) }), "\n", line("next")]);
    expect(report).toMatchObject({ records_accepted: 2, records_rejected: 0 });
  });

  test("P-01 keeps fields that the schema does not declare, whatever their names", async () => {
    const data =
      '{"id":"odd","__proto__":{"a":1},"constructor":"c","toString":2,"":"empty","cover":null,"ünï":[1,{"x":null}],"big":1e+308,"neg":-0.5}';
    expect(await send([`{"key":"odd","data":${data},"emitted_at":"2024-01-01T00:00:00Z"}`])).toMatchObject({
      records_accepted: 1,
    });
    const { text } = await server.get("/v1/streams/books/records/odd", { query: { connection_id: connection } });
    expect(text).toContain(`"data":${data}`);
    await send([`{"key":"odd","data":${data.replace('{"a":1}', "{}")},"emitted_at":"2024-01-01T00:00:00Z"}`]);
    await send([
      `{"key":"odd","data":${data.replace('"__proto__":{"a":1},', "")},"emitted_at":"2024-01-01T00:00:00Z"}`,
    ]);
    const { body } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, changes_since: "beginning" },
    });
    expect(ids(body.data)).toEqual(["odd"]);
  });

  test("P-01 can delete a record, even one that does not exist", async () => {
    await send([[line("a"), line("b")].join("\n")]);
    const gone = (id: string) => JSON.stringify({ key: id, op: "delete", emitted_at: EMITTED });
    expect(await send([[gone("a"), gone("never"), gone("a")].join("\n")])).toMatchObject({
      records_accepted: 3,
      records_changed: 1,
    });
    expect(await stored()).toEqual(["b"]);
  });

  test("P-01 if a key is sent twice in one body, the last version is stored, and the feed contains it once", async () => {
    const report = await send([
      [line("a", { title: "1" }), line("b"), line("a", { title: "2" }), line("a", { title: "3" })].join("\n"),
    ]);
    expect(report.records_changed).toBe(4);
    const { body } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, changes_since: "beginning" },
    });
    expect(body.data.map((record: Loose) => [record.id, record.data.title])).toEqual([
      ["b", undefined],
      ["a", "3"],
    ]);
  });
});

describe("P-01 append_only", () => {
  const loan = (to: string) =>
    JSON.stringify({ key: ["b", "2024-01-01"], data: { book_id: "b", day: "2024-01-01", to }, emitted_at: EMITTED });
  test("P-01 an existing record stays unchanged, even within one body, and different data for its key is refused", async () => {
    expect(await send([[loan("Kim"), loan("Lee")].join("\n")], "loans")).toMatchObject({
      records_accepted: 1,
      records_new: 1,
      records_rejected: 1,
      rejections: [
        {
          input_index: 1,
          code: "already_exists",
          message: expect.stringContaining("records in this stream cannot be changed"),
        },
      ],
    });
    expect(await send([loan("Max")], "loans")).toMatchObject({ records_accepted: 0, records_rejected: 1 });
    expect(await send([loan("Kim")], "loans")).toMatchObject({ records_unchanged: 1, records_rejected: 0 });
    const { body } = await server.get("/v1/streams/loans/records", { query: { connection_id: connection } });
    expect(body.data.map((record: Loose) => record.data.to)).toEqual(["Kim"]);
  });
});

describe("P-01 the target connection", () => {
  test("P-01 the connector name is enough if it has one connection; with several, connection_id is required, and without any, the response is not_found", async () => {
    await server.register("solo", { ...library, source: { kind: "connector", id: "https://test.example/solo" } });
    const post = (query: Query) => server.call("POST", "/v1/ingest/books", { query, body: line("a") });
    expect((await post({ connector_id: "solo" })).body.error.code).toBe("not_found");
    const solo = await server.connect("solo");
    expect((await post({ connector_id: "solo" })).body.connection_id).toBe(solo);
    expect((await post({ connector_id: "https://test.example/solo" })).body.connection_id).toBe(solo);
    expect((await post({ connector_instance_id: solo })).body.connection_id).toBe(solo);
    expect((await post({})).body.error.code).toBe("ambiguous_connection");
    expect((await post({ connection_id: "cin_none" })).body.error.code).toBe("connection_not_found");
    expect((await post({ connection_id: connection, connector_id: "solo" })).body.error.code).toBe("not_found");
  });
});
