// Any table: types, keys, encodings and declarations, calculated by hand; unknown databases; damaged files.
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { tablesImporter } from "./importer.ts";
import { seenKeys } from "./seen-keys.ts";

const CSV =
  'order_id,Name,amount,paid,when,zip,note\r\n1,Zoë,12.50,true,2024-05-31,01234,"a, ""b"""\r\n2,Ann,7,false,2024-06-01,99999,\r\n3,Bo,1e2,TRUE,2024-06-02,00001,x\r\n';
const JSON_ARRAY =
  '[{"id":"a","n":1,"at":"2024-05-31T09:00:00Z","tags":["x"]},\n{"id":"b","n":12345678901234567890,"new":true},{"id":"c"}, 5]';
const NDJSON = '{"k":1,"v":"x"}\n\nnot json\n{"k":2,"v":null}\n';

const plan = (path: string, content: string | Uint8Array, answers = {}) =>
  tablesImporter.plan({ name: "x", entries: [memoryEntry(path, content)] }, answers);
const run = async (path: string, content: string | Uint8Array, answers = {}) => {
  const events = await collect(tablesImporter, [memoryEntry(path, content)], { answers });
  const errors = events.flatMap((event) => (event.kind === "error" ? [event.message] : []));
  return { records: recordsOf(events), data: recordsOf(events).map(({ data }) => data), errors };
};

it("P-05 CSV: types are detected, leading zeros are kept, the id is the key, the date is the time", async () => {
  const { records, data } = await run("orders.csv", CSV);
  expect(data).toEqual([
    { order_id: 1, Name: "Zoë", amount: 12.5, paid: true, when: "2024-05-31", zip: "01234", note: 'a, "b"' },
    { order_id: 2, Name: "Ann", amount: 7, paid: false, when: "2024-06-01", zip: "99999" },
    { order_id: 3, Name: "Bo", amount: 100, paid: true, when: "2024-06-02", zip: "00001", note: "x" },
  ]);
  expect(records[0]).toMatchObject({ stream: "orders", key: "1", offset: 2 });
  const { declaration, questions } = await plan("orders.csv", CSV);
  expect(questions).toEqual([]);
  expect(parseDeclaration(declaration).streams[0]).toMatchObject({
    primary_key: ["order_id"],
    cursor_field: "when",
    consent_time_field: "when",
  });
});

it("V-01 a list of orders is declared as orders, and a table that only looks like one is not", async () => {
  const kindOf = async (path: string, header: string, row: string) => {
    const { schema } = parseDeclaration((await plan(path, `${header}\n${row}\n`)).declaration).streams[0]!;
    const roles = Object.entries(schema.properties ?? {}).flatMap(([name, { "x-role": role }]) =>
      role === undefined ? [] : [[role, name]],
    );
    return [schema["x-kind"], Object.fromEntries(roles)];
  };
  expect(
    await kindOf(
      "list.csv",
      "order_id,ordered_at,shop,items,unit_price,total,currency,order status",
      "o1,2026-01-02T10:00:00Z,Books & Co,2 × Atlas; Map,3,9.50,EUR,delivered",
    ),
  ).toEqual([
    "order",
    {
      time: "ordered_at",
      amount: "total",
      currency: "currency",
      counterparty: "shop",
      items: "items",
      status: "order status",
    },
  ]);
  expect(
    await kindOf(
      "Retail.OrderHistory.csv",
      "Order Date,Website,Product Name,Total Owed",
      "2026-01-02,amazon.ie,Lamp,30",
    ),
  ).toEqual(["order", { time: "Order Date", amount: "Total Owed", counterparty: "Website", items: "Product Name" }]);
  expect(await kindOf("readings.csv", "id,date,total", "1,2026-01-02,5")).toEqual([undefined, {}]);
  expect(await kindOf("orders.csv", "id,total", "1,5")).toEqual([undefined, {}]);
});

it("P-05 CSV: an unclosed quote affects only its line; mixed line endings are accepted", async () => {
  const { data, errors, records } = await run("a.csv", 'id,t\r\n1,"a\r\nb"\n2,"open\n3,c\r\n4,d\n5,e\n');
  expect(data).toEqual([
    { id: 1, t: "a\r\nb" },
    { id: 3, t: "c" },
    { id: 4, t: "d" },
    { id: 5, t: "e" },
  ]);
  expect(errors).toEqual(["a quote is opened and never closed"]);
  expect(records.map(({ offset }) => offset)).toEqual([3, 5, 6, 7]);
  expect((await run("a.csv", "id,t\r1,a\r2,b\r")).data).toEqual([
    { id: 1, t: "a" },
    { id: 2, t: "b" },
  ]);
});

it("P-05 CSV: UTF-16 and Latin-1, semicolons and tabs produce the same records", async () => {
  const expected = (await run("orders.csv", CSV)).data;
  const tabs = CSV.replace('"a, ""b"""', "§").replaceAll(",", "\t").replace("§", '"a, ""b"""');
  for (const bytes of [
    Buffer.from(`\ufeff${CSV}`),
    Buffer.from(CSV, "latin1"),
    Buffer.from(`\ufeff${CSV}`, "utf16le"),
    Buffer.from(CSV, "utf16le"),
    Buffer.from(tabs),
  ]) {
    expect((await run("orders.csv", bytes)).data).toEqual(expected);
  }
});

it("P-05 values that do not fit their column are kept separately, and so are cells beyond the last column", async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},${n * 2}`).join("\n");
  const { data, errors } = await run("a.csv", `id,n\n${rows}\n1000,n/a\n1001,5,surplus\n`);
  expect(errors).toEqual([]);
  expect(data.slice(1000)).toEqual([
    { id: 1000, _other: { n: "n/a" } },
    { id: 1001, n: 5, _other: { column_3: "surplus" } },
  ]);
  expect(await refusals(tablesImporter, [memoryEntry("a.csv", `id,n\n${rows}\n1000,n/a\n1001,5,surplus\n`)])).toEqual(
    [],
  );
});

it("P-05 a table without an id: rows are identified by content, equal rows stay separate, and the plan asks for the key", async () => {
  const text = "city,temp\nDublin,11\nCork,12\nDublin,11\n";
  const { data } = await run("t.csv", text);
  expect(new Set(data.map((row) => row._row)).size).toBe(3);
  expect((await plan("t.csv", text)).questions).toMatchObject([
    { id: "key:t", default: "content", options: [{ value: "content" }] },
  ]);
  const other = "city,temp\nDublin,11\nCork,12\n";
  expect((await plan("t.csv", other)).questions![0]!.options!.map(({ value }) => value)).toEqual([
    "city",
    "temp",
    "content",
  ]);
  expect((await run("t.csv", other, { "key:t": "city" })).records.map(({ key }) => key)).toEqual(["Dublin", "Cork"]);
});

it("P-05 a row whose key repeats after the sample, or is missing, is skipped with a reason", async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},x`).join("\n");
  const { records, errors } = await run("a.csv", `id,n\n${rows}\n7,again\n,none\n1001,ok\n`);
  expect(records).toHaveLength(1001);
  expect(errors).toEqual(["id 7 is in more than one row", "the row has no id"]);
});

it("P-05 JSON: nested values are kept, large numbers stay exact, and an item that is not an object causes one error", async () => {
  const { data, errors } = await run("things.json", JSON_ARRAY);
  expect(data).toEqual([
    { id: "a", n: 1, at: "2024-05-31T09:00:00Z", tags: ["x"] },
    { id: "b", n: "12345678901234567890", new: true },
    { id: "c" },
  ]);
  expect(errors).toEqual(["it is not an object"]);
  expect((await run("t.json", Buffer.from(`\ufeff${JSON_ARRAY}`, "utf16le"))).data).toEqual(data);
});

it("I-06 JSON with a list inside an object is read as a table, and several lists as several tables", async () => {
  const rows = [
    { id: "a", n: 1 },
    { id: "b", tags: [{ x: 1 }] },
  ];
  const wrapped = JSON.stringify({ version: 2, about: { by: [1, 2] }, orders: rows, words: ["x", "y"] });
  const { records, errors } = await run("export.json", wrapped);
  expect(records.map(({ stream, data }) => [stream, data])).toEqual([
    ["export", { id: "a", n: 1 }],
    ["export", { id: "b", tags: [{ x: 1 }] }],
  ]);
  expect(errors).toEqual([]);
  const events = await collect(tablesImporter, [memoryEntry("export.json", wrapped)]);
  expect(events).toContainEqual({
    kind: "skip",
    entry: expect.anything(),
    count: 0,
    reason: 'besides its lists the file contains "version", "about", "words", which are not rows and are not imported',
  });
  expect((await plan("export.json", wrapped)).streams).toEqual([{ stream: "export", count: 2 }]);
  const two = JSON.stringify({ users: [{ id: 1 }], orders: [{ id: 7 }, { id: 8 }] });
  expect((await plan("shop.json", two)).streams).toEqual([
    { stream: "users", count: 1 },
    { stream: "orders", count: 2 },
  ]);
  const broken = await run("shop.json", '{"users":[{"id":1},{"id":2}');
  expect([broken.data.length, broken.errors]).toEqual([2, [expect.stringContaining("it is truncated")]]);
  for (const other of [
    '{"type":"FeatureCollection","features":[{"a":1}]}',
    '{"a":{"b":[{"c":1}]}}',
    '{"a":[1],"b":[{"c":1}]}',
    "{}",
  ])
    expect(recognised(tablesImporter, "a.json", other)).toBeUndefined();
});

it("P-05 NDJSON: an invalid line does not affect the others", async () => {
  const { data, errors } = await run("log.ndjson", NDJSON);
  expect(data).toMatchObject([{ k: 1, v: "x" }, { k: 2 }]);
  expect(errors).toEqual(["the line is not JSON"]);
});

const DATABASE = (() => {
  const path = join(mkdtempSync(join(tmpdir(), "postern-test-")), "notes.db");
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, size REAL, raw BLOB, big INTEGER);
    CREATE TABLE pair (a TEXT, b INTEGER, v TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE "odd ""name" (word TEXT);
    CREATE TABLE empty (x);
    CREATE VIEW seen AS SELECT * FROM note;
    CREATE VIRTUAL TABLE words USING fts5(body);
    INSERT INTO note VALUES (1, 'one', 1.5, x'0102', 9007199254740993), (2, NULL, 2, zeroblob(100), 1);
    INSERT INTO pair VALUES ('x', 1, 'p'), ('x', 2, 'q');
    INSERT INTO "odd ""name" VALUES ('hi'), ('hi');
  `);
  database.close();
  return { path, bytes: readFileSync(path) };
})();

it("P-05 SQLite: each table is a stream with its own key, exact integers, and bytes as hex or blobs", async () => {
  const { records, errors } = await run("notes.db", DATABASE.bytes);
  expect(errors).toEqual([]);
  const of = (stream: string) => records.filter((record) => record.stream === stream);
  expect(of("note").map(({ key, data }) => [key, data])).toEqual([
    ["1", { id: 1, title: "one", size: 1.5, raw: "0102", big: "9007199254740993" }],
    [
      "2",
      {
        id: 2,
        size: 2,
        raw: { blob_id: "blob_100", mime_type: "application/octet-stream", size_bytes: 100, sha256: "0".repeat(64) },
        big: 1,
      },
    ],
  ]);
  expect(of("pair").map(({ key }) => key)).toEqual([
    ["x", "1"],
    ["x", "2"],
  ]);
  expect(of("odd_name").map(({ data }) => data.word)).toEqual(["hi", "hi"]);
  const { streams, declaration } = await plan("notes.db", DATABASE.bytes);
  expect(streams).toEqual([
    { stream: "empty", count: 0 },
    { stream: "note", count: 2 },
    { stream: "odd_name", count: 2 },
    { stream: "pair", count: 2 },
  ]);
  parseDeclaration(declaration);
});

it("SECURITY row 16: the owner's database is neither written to nor locked", async () => {
  const entry = { ...memoryEntry("notes.db", DATABASE.bytes), file: async () => DATABASE.path };
  const before = statSync(DATABASE.path);
  const writer = new DatabaseSync(DATABASE.path);
  writer.exec("BEGIN EXCLUSIVE");
  await tablesImporter.plan({ name: "x", entries: [entry] }, {});
  expect(recordsOf(await collect(tablesImporter, [entry]))).toHaveLength(6);
  writer.exec("ROLLBACK");
  writer.close();
  expect(statSync(DATABASE.path).mtimeMs).toBe(before.mtimeMs);
  expect(readFileSync(DATABASE.path).equals(DATABASE.bytes)).toBe(true);
});

it("P-05 SQLite: rows that are only in the write-ahead log of a database in use are read too", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "postern-test-")), "used.db");
  const writer = new DatabaseSync(path);
  writer.exec("PRAGMA journal_mode=WAL; CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)");
  const entry = { ...memoryEntry("used.db", readFileSync(path)), file: async () => path };
  expect((await tablesImporter.plan({ name: "x", entries: [entry] }, {})).streams).toEqual([{ stream: "t", count: 2 }]);
  expect(recordsOf(await collect(tablesImporter, [entry])).map(({ key }) => key)).toEqual(["1", "2"]);
  writer.close();
});

it("P-05 the same table in a file with another name is the same source, and a table with other columns is a different source", async () => {
  const id = async (path: string, text: string) => (await plan(path, text)).declaration.source.id;
  expect(await id("Orders (1).csv", CSV)).toBe(await id("a/orders-2024-05-31.csv", CSV));
  expect(await id("orders.csv", "id,b\n1,2\n")).not.toBe(await id("orders.csv", CSV));
  expect(await id("orders.csv", CSV)).toMatch(/^https:\/\/postern\.dev\/sources\/tables\/orders-/);
});

it("row 12 columns named like properties of every object are read like any other column", async () => {
  const texts = async (path: string, content: string) =>
    (await run(path, content)).data.map((data) => JSON.stringify(data));
  const json = '{"id":1,"constructor":"c","toString":"t"}';
  expect(await texts("a.json", `[${json},{"id":2},{"id":3,"__proto__":"p"}]`)).toEqual([
    json,
    '{"id":2}',
    '{"id":3,"__proto___2":"p"}',
  ]);
  const csv = "id,constructor,__proto__\n1,c,p\n2,,\n";
  expect(await texts("a.csv", csv)).toEqual(['{"id":1,"constructor":"c","__proto___2":"p"}', '{"id":2}']);
});

it("P-05 tables are tried last, and only files that are tables are recognised", () => {
  expect(recognised(tablesImporter, "a.csv", CSV)?.score).toBe(15);
  expect(recognised(tablesImporter, "a.bin", DATABASE.bytes)?.score).toBe(20);
  expect(recognised(tablesImporter, "a.json", JSON_ARRAY)?.score).toBe(12);
  expect(recognised(tablesImporter, "a.jsonl", NDJSON)?.score).toBe(14);
  expect(recognised(tablesImporter, "a.json", '{"a": 1}')).toBeUndefined();
  expect(recognised(tablesImporter, "a.txt", "hello")).toBeUndefined();
  expect(recognised(tablesImporter, "a.csv", "")).toBeUndefined();
});

it("seen keys are distinguished from new ones", () => {
  const isNew = seenKeys();
  for (let n = 0; n < 50_000; n++) expect(isNew(`key ${n}`) || n).toBe(true);
  for (let n = 0; n < 50_000; n += 7) expect(isNew(`key ${n}`)).toBe(false);
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const long = `id,text\n${Array.from({ length: 1500 }, (_, n) => `${n},word ${n % 9}`).join("\n")}`;
  for (const [path, content] of [
    ["a.csv", long],
    ["b.json", JSON_ARRAY],
    ["c.ndjson", NDJSON],
    ["d.db", DATABASE.bytes],
  ] as const) {
    const entries = [memoryEntry(path, content)];
    await repeatsAndResumes(tablesImporter, entries);
    expect(await refusals(tablesImporter, entries)).toEqual([]);
  }
});

it("SECURITY row 16: truncated and damaged tables never crash the parser", async () => {
  for (const [path, content] of Object.entries({
    "a.csv": CSV,
    "b.json": JSON_ARRAY,
    "c.ndjson": NDJSON,
    "d.db": DATABASE.bytes,
  })) {
    await hostile(tablesImporter, path, Buffer.from(content as string));
  }
});
