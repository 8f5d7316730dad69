// Tests fetch: every id returns one bounded document, the same as text and as structured content, with the id of what
// comes next.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { library } from "../../../test/library.ts";
import { type Gate, libraryGate, longText, post, resultBytes, textAndDataBytes } from "../../../test/mcp.ts";

let gate: Gate;
let record: string;
let blob: { blob_id: string; sha256: string };
let cover: Loose;

beforeAll(async () => {
  gate = await libraryGate();
  record = `${gate.home}/books:b01`;
  const upload = await gate.server.call("POST", "/v1/blobs", {
    query: { connection_id: gate.home, stream: "books", record_key: "b20" },
    body: "the bytes of a cover",
    headers: { "Content-Type": "image/png" },
  });
  blob = upload.body;
  const { object: _object, ...uploaded } = upload.body;
  cover = uploaded;
  await gate.server.ingest("books", gate.home, [
    {
      key: "b20",
      data: { id: "b20", title: "With cover", cover, extra: { chapters: [{ name: "One", text: longText(100) }] } },
    },
  ]);
});
afterAll(() => gate.close());

describe("a document", () => {
  it("E-20 is exactly id, title, text, url and metadata, with the same JSON in text and structured content", async () => {
    const { content, structuredContent } = await gate.call("fetch", { id: record });
    expect(Object.keys(structuredContent).sort()).toEqual(["id", "metadata", "text", "title", "url"]);
    expect(content).toHaveLength(1);
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
    expect(structuredContent).toMatchObject({
      id: record,
      title: "Äther",
      url: `${gate.server.url}/dashboard/records/${gate.home}/books/b01`,
    });
    expect(structuredContent.metadata).toMatchObject({
      connection_id: gate.home,
      connector_key: "library",
      stream: "books",
      record_id: "b01",
      display_name: "Home shelf",
    });
    expect(structuredContent.text).toContain('notes: "thin but dense"');
    for (const name of ["data", "provider_url", "request_id"])
      expect(JSON.stringify(structuredContent)).not.toContain(`"${name}":`);
  });

  it("E-21 projects fields first: nothing else appears, not even in the title", async () => {
    const { content, structuredContent } = await gate.call("fetch", { id: record, fields: ["genre"] });
    for (const half of [JSON.stringify(content), JSON.stringify(structuredContent)]) {
      expect(half).toContain("poem");
      expect(half).not.toMatch(/Äther|dense|\b9\.5\b|pages|published/);
    }
    expect(structuredContent.title).toBe("Books · b01");
  });
});

describe("every id", () => {
  it.each([
    ["connection/stream:id", () => record],
    ["pdpp://record", () => `pdpp://record/${gate.home}/books/b01`],
  ])("L-02 %s reads the record", async (_form, id) => {
    expect((await gate.call("fetch", { id: id() })).structuredContent.id).toBe(record);
  });

  it("L-02 stream:id with connection_id reads the record; without it, the caller has to choose", async () => {
    expect((await gate.call("fetch", { id: "books:b01", connection_id: gate.home })).structuredContent.id).toBe(record);
    expect((await gate.call("fetch", { id: "books:b01" })).structuredContent.error.code).toBe("ambiguous_connection");
    expect((await gate.call("fetch", { id: 'loans:["b01","2024-05-01"]' })).structuredContent.title).toContain(
      "2024-05-01",
    );
  });

  it("L-02 a connection_id that disagrees with the id is refused", async () => {
    const { structuredContent } = await gate.call("fetch", { id: record, connection_id: gate.cabin });
    expect(structuredContent.error).toMatchObject({ code: "invalid_request", param: "connection_id" });
    expect(structuredContent.error.next_step).toContain(`fetch({"id":"${record}"})`);
  });

  it("L-02 L-04 a long field is truncated, and its windows lead to the end and back", async () => {
    const { structuredContent: document } = await gate.call("fetch", { id: `${gate.cabin}/books:c01` });
    const [cut] = document.metadata.cut;
    expect(cut).toMatchObject({ field: "notes", shown_chars: 4000 });
    expect(document.text).toContain(`fetch({"id":"${cut.next_id}"})`);
    const whole = longText(800);
    let text = whole.slice(0, cut.shown_chars);
    let next: string | undefined = cut.next_id;
    let last: Loose;
    while (next !== undefined) {
      const result = await gate.call("fetch", { id: next });
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      last = result.structuredContent;
      expect(last.metadata).toMatchObject({
        field: "notes",
        start_chars: text.length,
        total_chars: whole.length,
        revision: expect.any(String),
      });
      text += last.text;
      next = last.metadata.next_id;
    }
    expect(text).toBe(whole);
    expect(last.metadata).toMatchObject({ end_chars: whole.length, has_more: false });
    const back = (await gate.call("fetch", { id: last.metadata.previous_id })).structuredContent;
    expect(back.metadata.end_chars).toBe(last.metadata.start_chars);
    expect((await gate.call("fetch", { id: last.metadata.record })).structuredContent.id).toBe(document.id);
  });

  it("K-10 a large list shows its length and a pointer reads one item; an object shows its field names", async () => {
    const rows = Array.from({ length: 900 }, (_, index) => `item ${index} of a long list`);
    const data = { id: "wide", title: "Wide", extra: { "a/b": rows, other: "x" } };
    await gate.server.ingest("books", gate.home, [{ key: "wide", data }]);
    const record = (await gate.call("fetch", { id: `${gate.home}/books:wide` })).structuredContent;
    const [cut] = record.metadata.cut;
    expect(cut).toMatchObject({ field: "extra", type: "json", members: ["a/b", "other"] });
    expect(record.text).toContain(cut.part_id);
    const list = (await gate.call("fetch", { id: cut.part_id.replace("{member}", "a~1b") })).structuredContent;
    expect(list.metadata).toMatchObject({ type: "json", items: 900, has_more: true });
    const item = (await gate.call("fetch", { id: list.metadata.part_id.replace("{index}", "899") })).structuredContent;
    expect(item.text).toBe("item 899 of a long list");
  });

  it("L-02 a JSON Pointer reads inside a field", async () => {
    const id = `pdpp://field-window/${gate.home}/books/b20?field=extra&pointer=%2Fchapters%2F0%2Fname`;
    const { structuredContent } = await gate.call("fetch", { id });
    expect(structuredContent.text).toBe("One");
    expect(structuredContent.metadata).toMatchObject({ field: "extra", pointer: "/chapters/0/name", complete: true });
  });

  it("L-02 L-04 a window larger than the byte limit is reduced, and the result says so", async () => {
    const id = `pdpp://field-window/${gate.cabin}/books/c01?field=notes&limit=16384`;
    const result = await gate.call("fetch", { id });
    expect(resultBytes(result)).toBeLessThanOrEqual(20_000);
    const { page_ended_by, end_chars, next_id } = result.structuredContent.metadata;
    expect(page_ended_by).toBe("bytes");
    expect(next_id).toContain(`offset=${end_chars}`);
  });

  it("L-14 a window of changed text is refused as stale, with the call that reads the current text", async () => {
    const id = `pdpp://field-window/${gate.home}/books/b01?field=notes&offset=2&revision=older`;
    const { structuredContent } = await gate.call("fetch", { id });
    expect(structuredContent.error.code).toBe("stale_handle");
    const next = /fetch\((\{.+?\})\)/.exec(structuredContent.error.next_step)![1]!;
    expect((await gate.call("fetch", JSON.parse(next))).structuredContent.text).toBe("thin but dense");
  });

  it("L-02 a blob is described by type, size, digest, URL and command line, never by its bytes", async () => {
    const shown = (await gate.call("fetch", { id: `${gate.home}/books:b20` })).structuredContent;
    const { id } = shown.metadata.blobs[0];
    expect(shown.text).toContain(`fetch({"id":"${id}"})`);
    const { structuredContent } = await gate.call("fetch", { id });
    expect(structuredContent.metadata).toMatchObject({ mime_type: "image/png", size_bytes: 20, sha256: blob.sha256 });
    expect(JSON.stringify(structuredContent)).not.toContain("the bytes of a cover");
    const download = await fetch(structuredContent.metadata.download_url, {
      headers: { Authorization: `Bearer ${gate.token}` },
    });
    expect(await download.text()).toBe("the bytes of a cover");
    const { access_token } = await gate.server.grant({ selections: [{ connection_id: gate.cabin }] });
    expect((await gate.call("fetch", { id }, access_token)).isError).toBe(true);
  });

  it("L-02 a stream is described by its schema", async () => {
    const { structuredContent } = await gate.call("fetch", { id: `pdpp://stream/${gate.home}/books` });
    expect(structuredContent.text).toContain("exact_filter sort, all but: notes, extra, cover");
  });

  it("L-02 an export is described by count, size, formats, URL and command line; no records are inlined", async () => {
    const page = (
      await gate.call("query_records", {
        stream: "books",
        connection_id: gate.home,
        limit: 3,
        filter: { pages: { gte: 1 } },
      })
    ).structuredContent;
    const { structuredContent } = await gate.call("fetch", { id: page.export_id });
    expect(structuredContent.metadata).toMatchObject({
      stream: "books",
      count: { value: 9 },
      cli: expect.stringMatching(/^pdpp export .* --output FILE --server http:/),
    });
    const [{ url, estimated_bytes }] = structuredContent.metadata.formats;
    const headers = { Authorization: `Bearer ${gate.token}` };
    const file = await (await fetch(url, { headers })).text();
    expect(file.trim().split("\n")).toHaveLength(9);
    expect(estimated_bytes).toBe(Buffer.byteLength(file));
    expect(structuredContent.text).toContain('{"handle": this id, "format": "jsonl"}');
    const { method, url: jobs } = structuredContent.metadata.job;
    const body = JSON.stringify({ handle: structuredContent.id, format: "jsonl" });
    const init = { method, headers: { ...headers, "Content-Type": "application/json" }, body };
    expect((await fetch(jobs, init)).status).toBe(202);
  });

  it("L-02 X-06 if there are more blobs than fit, some are shown with instructions for reading the others", async () => {
    const covers = Array.from({ length: 400 }, (_, n) => ({ ...cover, blob_id: `blob_${n}`, fetch_url: "/x" }));
    await gate.server.ingest("books", gate.home, [{ key: "b21", data: { id: "b21", extra: { covers } } }]);
    const id = `${gate.home}/books:b21`;
    const result = await gate.call("fetch", { id, fields: ["extra"] });
    const { structuredContent } = result;
    expect(Math.max(...textAndDataBytes(result))).toBeLessThanOrEqual(16_000);
    const { blobs, blobs_left_out, cut, fields_left_out } = structuredContent.metadata;
    expect([blobs.length + blobs_left_out, fields_left_out]).toEqual([400, undefined]);
    expect(structuredContent.text).toContain(`pdpp://blob/${gate.home}/BLOB_ID`);
    const window = await gate.call("fetch", { id: cut[0].next_id });
    expect(window.structuredContent.text).toContain("blob_id");
    const page = await gate.call("query_records", {
      stream: "books",
      connection_id: gate.home,
      filter: { id: "b21" },
      fields: ["extra"],
    });
    expect(page.structuredContent.data[0].blobs_left_out).toBeGreaterThan(300);
    expect(page.text).toContain(`pdpp://blob/${gate.home}/BLOB_ID`);
  });

  it("L-02 the same ids can be read as resources, under the same grant", async () => {
    for (const uri of [
      `pdpp://record/${gate.home}/books/b01`,
      `pdpp://field-window/${gate.cabin}/books/c01?field=notes`,
      `pdpp://stream/${gate.home}/books`,
    ]) {
      const { result } = await post(gate.server.url, gate.token, "resources/read", { uri });
      const { structuredContent } = await gate.call("fetch", { id: uri });
      expect(JSON.parse(result.contents[0].text)).toEqual(structuredContent);
    }
    const { access_token } = await gate.server.grant({ selections: [{ connection_id: gate.cabin, stream: "books" }] });
    const refused = await post(gate.server.url, access_token, "resources/read", {
      uri: `pdpp://record/${gate.home}/books/b01`,
    });
    expect(refused.error.data.error.code).toBe("connection_not_found");
  });

  it("X-06 a record with many medium-sized fields shows as many as fit, and the others can be requested", async () => {
    const wide = structuredClone(library);
    wide.source.id = "https://test.example/wide";
    const names = Array.from({ length: 60 }, (_, n) => `answer_${n}`);
    for (const name of names) wide.streams[0]!.schema.properties![name] = { type: "string" };
    await gate.server.register("wide", wide);
    const connection_id = await gate.server.connect("wide", "Survey");
    const data = Object.fromEntries(names.map((name) => [name, `${name} ${"word ".repeat(60)}`]));
    await gate.server.ingest("books", connection_id, [{ key: "w", data: { id: "w", ...data } }]);
    const { access_token } = await gate.server.grant({ selections: [{ connection_id }] });
    const id = `${connection_id}/books:w`;
    const one = await gate.call("fetch", { id }, access_token);
    const page = await gate.call("query_records", { stream: "books", connection_id }, access_token);
    for (const [result, left] of [
      [one, one.structuredContent.metadata.fields_left_out],
      [page, page.structuredContent.data[0].fields_left_out],
    ] as const) {
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      expect(left).toBeLessThanOrEqual(43);
    }
    const rest = await gate.call("fetch", { id, fields: names.slice(-17) }, access_token);
    expect(rest.structuredContent.metadata.fields_left_out).toBeUndefined();
    expect(rest.structuredContent.text).toContain("answer_59 word");
  });

  it("L-14 an error does not repeat a long argument in full", async () => {
    const long = "x".repeat(100_000);
    const read = await post(gate.server.url, gate.token, "resources/read", { uri: `pdpp://record/${long}` });
    const call = await post(gate.server.url, gate.token, "tools/call", { name: long, arguments: {} });
    for (const { error } of [read, call]) expect(JSON.stringify(error).length).toBeLessThanOrEqual(4_000);
  });

  it("L-14 the error for an invalid id explains the format", async () => {
    for (const id of ["nonsense", "pdpp://record/x", "pdpp://field-window/a/b/c", "https://example.org/"]) {
      const { isError, text } = await gate.call("fetch", { id });
      expect(isError).toBe(true);
      expect(text).toContain("CONNECTION/STREAM:ID");
    }
  });
});
