// L-05, L-13: records as a file, streamed under the grant: every format, every error, and every kind of interruption.
import http from "node:http";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";

const COUNT = 2500;
let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  const books = Array.from({ length: COUNT }, (_, n) =>
    book(`b${n}`, {
      title: `Title ${n}`,
      genre: n % 3 === 0 ? "novel" : null,
      pages: n,
      price: n / 4,
      lent: n % 2 === 0,
      bought_on: "2024-02-29",
      published_at: new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toISOString(),
      extra: n % 5 === 0 ? { deep: [n, "x"] } : null,
      secret: `secret ${n}`,
    }),
  );
  await server.ingest("books", connection, books);
});
afterAll(() => server.close());

interface File {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
  text: string;
}

async function file(query: Record<string, string>, token = server.owner, method = "GET"): Promise<File> {
  const search = new URLSearchParams({ connection_id: connection, stream: "books", ...query });
  const response = await fetch(`${server.url}/v1/export?${search}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString("utf8") };
}

const lines = (text: string): Loose[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const grant = async (selection: Record<string, unknown> = {}): Promise<Loose> =>
  server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] });
const arrayBuffer = ({ bytes }: File): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

/** Reads CSV strictly as RFC 4180 describes it. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else while (text[at] !== "," && text[at] !== "\r") cell += text[at++];
    row.push(cell);
    if (text[at] === ",") at++;
    else {
      expect(text.slice(at, at + 2)).toBe("\r\n");
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe("L-13 JSON Lines", () => {
  test.each<[string, Record<string, string>]>([
    ["everything", {}],
    ["a filter", { "filter[genre]": "novel" }],
    ["a range, sorted", { "filter[pages][gte]": "100", "filter[pages][lt]": "1900", sort: "-price" }],
    ["ascending order", { order: "asc" }],
    ["some fields", { fields: "title,pages" }],
    ["a view", { view: "card" }],
    ["nothing", { "filter[pages]": "-1" }],
  ])("L-13 %s: the same records in the same order as the pages of `records`", async (_what, query) => {
    const { status, headers, text } = await file(query);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="books.jsonl"');
    expect(headers.get("cache-control")).toBe("private, no-store");
    const paged = await server.all("/v1/streams/books/records", {
      query: { ...query, connection_id: connection, limit: 100 },
    });
    expect(lines(text)).toEqual(paged);
  });

  test("L-06 an export under a grant contains only what the grant shows", async () => {
    const { access_token: token } = await grant({
      fields: ["title", "pages"],
      since: "2020-02-01T00:00:00Z",
      until: "2020-03-01T00:00:00Z",
    });
    const { text } = await file({}, token);
    const paged = await server.all("/v1/streams/books/records", { token, query: { limit: 100 } });
    expect(lines(text)).toEqual(paged);
    expect(paged).toHaveLength(29 * 24);
    for (const format of ["jsonl", "csv"]) expect((await file({ format }, token)).text).not.toContain("secret");
  });
});

describe("L-13 CSV", () => {
  test("L-13 has a header, a row for each record, and nested values as JSON", async () => {
    const { text, headers } = await file({ format: "csv", "filter[pages][lt]": "11", order: "asc" });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    const [header, ...rows] = csvRows(text);
    expect(header!.slice(0, 5)).toEqual(["connection_id", "stream", "id", "emitted_at", "data.id"]);
    expect(rows).toHaveLength(11);
    const named = rows.map((row) => Object.fromEntries(header!.map((name, index) => [name, row[index]])));
    expect(named[10]).toMatchObject({
      connection_id: connection,
      stream: "books",
      id: "b10",
      "data.id": "b10",
      title: "Title 10",
      genre: "",
      pages: "10",
      price: "2.5",
      lent: "true",
      extra: '{"deep":[10,"x"]}',
      other_fields: "",
    });
  });

  test("L-13 formulas become text, numbers stay numbers, and no quote, line end or name breaks out of its cell", async () => {
    const shelf = await server.connect("library", "Hostile");
    const texts = [
      "=1+1",
      "+1",
      "-1",
      "@SUM(A1)",
      "\t=1",
      "\r=1",
      "\n=1",
      "＝1+1",
      "＠SUM(A1)",
      '=HYPERLINK("http://x","y")',
      'a "quoted", word',
      "two\r\nlines",
      "",
      " spaces ",
      "'already",
      "bidi \u202e and emoji 🦔",
    ];
    await server.ingest(
      "books",
      shelf,
      texts.map((title, n) =>
        book(n === 0 ? "=cmd()" : `k${n}`, { title, pages: -5, price: -0.5, extra: { "=f": "=1" }, unknown: title }),
      ),
    );
    const [header, ...rows] = csvRows((await file({ format: "csv", connection_id: shelf })).text);
    const cells = new Map(
      rows.map((row) => {
        const named = Object.fromEntries(header!.map((name, index) => [name, row[index]!]));
        return [named.id!, named];
      }),
    );
    expect(cells.size).toBe(texts.length);
    for (const [n, title] of texts.entries()) {
      const row = cells.get(n === 0 ? "'=cmd()" : `k${n}`)!;
      const marked = title.replace(/([\t\r\n])=/g, "$1'=");
      expect(row.title, title).toBe(/^[=+\-@\t\r\n＝＠]/.test(title) ? `'${marked}` : title);
      expect([row.pages, row.price, row.extra]).toEqual(["-5", "-0.5", '{"=f":"=1"}']);
      expect(JSON.parse(row.other_fields!)).toEqual({ unknown: title });
    }
  });

  test("L-13 null and an empty string differ", async () => {
    const shelf = await server.connect("library", "Empty");
    await server.ingest("books", shelf, [book("e", { title: "", genre: null })]);
    const { text } = await file({ format: "csv", connection_id: shelf, fields: "title,genre" });
    expect(text.split("\r\n")[1]).toMatch(/,e,"",,$/);
  });
});

describe("L-13 Parquet", () => {
  test("L-13 another reader reads the typed columns back unchanged", async () => {
    const answer = await file({ format: "parquet", order: "asc" });
    expect(answer.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    const rows: Loose[] = await parquetReadObjects({ file: arrayBuffer(answer) });
    expect(rows).toHaveLength(COUNT);
    expect(rows[10]).toEqual({
      connection_id: connection,
      stream: "books",
      id: "b10",
      emitted_at: new Date("2024-06-01T00:00:00.000Z"),
      "data.id": "b10",
      title: "Title 10",
      genre: null,
      pages: 10n,
      price: 2.5,
      lent: true,
      bought_on: new Date("2024-02-29T00:00:00.000Z"),
      published_at: new Date("2020-01-01T10:00:00.000Z"),
      author_id: null,
      notes: null,
      extra: { deep: [10, "x"] },
      cover: null,
      secret: "secret 10",
      other_fields: null,
    });
    expect(rows.map((row) => Number(row.pages))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    const types = parquetMetadata(arrayBuffer(answer)).schema.slice(1);
    expect(types.find(({ name }) => name === "published_at")?.converted_type).toBe("TIMESTAMP_MILLIS");
  });

  test("L-13 values that do not fit their column, or have no column, are written as JSON", async () => {
    const shelf = await server.connect("library", "Odd");
    const odd = { published_at: "2024-01-01T00:00:00.123456Z", unknown: [1], pages: 2 ** 53 };
    await server.ingest("books", shelf, [book("o", odd)]);
    const [row]: Loose[] = await parquetReadObjects({
      file: arrayBuffer(await file({ format: "parquet", connection_id: shelf })),
    });
    expect(row).toMatchObject({ published_at: null, pages: null });
    expect(row.other_fields).toEqual(odd);
  });

  test("L-13 an export of no records is a complete file without rows", async () => {
    const answer = await file({ format: "parquet", "filter[pages]": "-1" });
    expect(await parquetReadObjects({ file: arrayBuffer(answer) })).toEqual([]);
  });
});

test("L-13 records of several megabytes among small ones arrive complete in every format", async () => {
  const shelf = await server.connect("library", "Huge");
  const texts = Array.from({ length: 40 }, (_, n) => (n % 10 === 3 ? `${n} ü`.repeat(500_000) : `small ${n}`));
  for (const [n, notes] of texts.entries()) await server.ingest("books", shelf, [book(`h${n}`, { notes, pages: n })]);
  const query = { connection_id: shelf, sort: "pages" };
  expect(lines((await file(query)).text).map(({ data }) => data.notes)).toEqual(texts);
  const [header, ...rows] = csvRows((await file({ ...query, format: "csv" })).text);
  expect(rows.map((row) => row[header!.indexOf("notes")])).toEqual(texts);
  const parquet = await file({ ...query, format: "parquet" });
  expect((await parquetReadObjects({ file: arrayBuffer(parquet) })).map(({ notes }) => notes)).toEqual(texts);
});

describe("L-05 invalid exports are refused before the first byte", () => {
  test.each<[Record<string, string>, number, string]>([
    [{ stream: "nowhere" }, 404, "not_found"],
    [{ format: "xlsx" }, 400, "invalid_request"],
    [{ limit: "5" }, 400, "invalid_request"],
    [{ cursor: "x" }, 400, "invalid_request"],
    [{ changes_since: "beginning" }, 400, "invalid_request"],
    [{ expand: "author" }, 400, "invalid_request"],
    [{ fields: "title", view: "card" }, 400, "invalid_request"],
    [{ "filter[nothing]": "1" }, 400, "unknown_field"],
    [{ connection_id: "cin_none" }, 404, "connection_not_found"],
    [{ handle: "pdpp://export/AAAA", stream: "" }, 400, "invalid_request"],
  ])("L-05 %j returns %i %s", async (query, status, code) => {
    const answer = await file(query);
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code]);
    expect(JSON.parse(answer.text).error.next_step).not.toBe("");
  });

  test("L-06 a field, a stream or a time outside the grant is refused, not silently omitted", async () => {
    const { access_token: token } = await grant({ fields: ["title"], since: "2020-02-01T00:00:00Z" });
    const code = async (query: Record<string, string>) => JSON.parse((await file(query, token)).text).error.code;
    expect(await code({ fields: "secret" })).toBe("field_not_granted");
    expect(await code({ "filter[secret]": "secret 1" })).toBe("field_not_granted");
    expect(await code({ stream: "authors" })).toBe("grant_stream_not_allowed");
  });

  test("L-05 HEAD returns the headers and no body", async () => {
    const { status, headers, bytes } = await file({ format: "csv" }, server.owner, "HEAD");
    expect([status, headers.get("content-disposition"), bytes.length]).toEqual([
      200,
      'attachment; filename="books.csv"',
      0,
    ]);
  });
});

describe("L-06 an interrupted stream", () => {
  /** Starts a download that reads so slowly that the server has not sent everything when the first chunk arrives. */
  const begin = (
    token: string,
    shelf: string,
  ): Promise<{ incoming: http.IncomingMessage; request: http.ClientRequest }> =>
    new Promise((resolve, reject) => {
      const address = `${server.url}/v1/export?stream=books&connection_id=${shelf}`;
      const request = http.get(address, { headers: { Authorization: `Bearer ${token}` } }, (incoming) => {
        incoming.once("readable", () => resolve({ incoming, request }));
      });
      request.once("error", reject);
    });
  const large = async (): Promise<string> => {
    const shelf = await server.connect("library", "Large");
    for (let batch = 0; batch < 10; batch++) {
      const books = Array.from({ length: 20 }, (_, n) => book(`l${batch}-${n}`, { notes: "long ".repeat(40_000) }));
      await server.ingest("books", shelf, books);
    }
    return shelf;
  };
  const activity = async (): Promise<Loose[]> =>
    (await server.get("/v1/activity", { query: { limit: 100 } })).body.data;
  const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test("L-06 revoking the grant during the transfer cuts it off, and the log says how much was sent", async () => {
    const shelf = await large();
    const given = await server.grant({ selections: [{ connection_id: shelf, stream: "books" }] });
    const { incoming } = await begin(given.access_token, shelf);
    await server.call("POST", `/v1/grants/${given.grant_id}/revoke`);
    const outcome = await new Promise<string>((resolve) => {
      incoming.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      incoming.on("end", () => resolve(incoming.complete ? "complete" : "incomplete"));
      incoming.resume();
    });
    expect(outcome).toBe("ECONNRESET");
    const line = await until(async () =>
      (await activity()).find(({ action, grant_id }) => action === "exportServed" && grant_id === given.grant_id),
    );
    expect(line).toMatchObject({ outcome: "grant_revoked" });
    expect(line.records).toBeGreaterThan(0);
    expect(line.records).toBeLessThan(200);
    expect(line.bytes).toBeGreaterThan(0);
  });

  test("L-05 the export stops when the client disconnects", async () => {
    const shelf = await large();
    const { incoming } = await begin(server.owner, shelf);
    const requestId = incoming.headers["request-id"];
    incoming.destroy();
    const line = await until(async () =>
      (await activity()).find(({ action, request_id }) => action === "exportServed" && request_id === requestId),
    );
    expect(line.outcome).toBe("ok");
    expect(line.records).toBeLessThan(200);
  });

  test("SECURITY row 19 the log has a line before the first byte and one after the last", async () => {
    const { headers, bytes } = await file({ format: "csv" });
    const id = headers.get("request-id");
    const own = (await activity()).filter(({ request_id }) => request_id === id).reverse();
    expect(own.map(({ action, outcome, records, bytes: size }) => [action, outcome, records, size])).toEqual([
      ["export", "ok", 0, 0],
      ["exportServed", "ok", COUNT, bytes.length],
    ]);
    expect(own[0]).toMatchObject({ stream: "books", connection_id: connection });
  });

  test("L-05 one caller's streams do not use up all slots", async () => {
    const shelf = await large();
    const open = await Promise.all(Array.from({ length: 4 }, () => begin(server.owner, shelf)));
    const refused = await file({ connection_id: shelf });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, "rate_limit_exceeded"]);
    for (const { incoming } of open) incoming.destroy();
    await until(async () => ((await file({ fields: "title" })).status === 200 ? true : undefined));
  });
});
