// Tests search: merged hits with their source, matching passages, and a cursor that continues in the same order.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { citedIn, type Gate, libraryGate, resultBytes } from "../../../test/mcp.ts";

let gate: Gate;

beforeAll(async () => {
  gate = await libraryGate();
  const shelf = Array.from({ length: 30 }, (_, index) => ({
    key: `h${index}`,
    data: {
      id: `h${index}`,
      title: `Heron ${index}`,
      notes: `A heron near the lake, number ${index}. ${"It waits. ".repeat(index * 20)}`,
      published_at: `2021-01-${String((index % 28) + 1).padStart(2, "0")}T00:00:00Z`,
    },
  }));
  await gate.server.ingest("books", gate.home, shelf);
});
afterAll(() => gate.close());

describe("search", () => {
  it("C-08 accepts q for query, as REST and the reference do, and does not list it", async () => {
    const [own, alias] = await Promise.all([
      gate.call("search", { query: "heron", limit: 3 }),
      gate.call("search", { q: "heron", limit: 3 }),
    ]);
    expect(alias.structuredContent.results).toEqual(own.structuredContent.results);
    const both = await gate.call("search", { query: "heron", q: "lake" });
    expect(both.structuredContent.error).toMatchObject({ code: "invalid_request", param: "q" });
  });

  it("E-16 merges hits of all granted connections up to limit, each with its full source", async () => {
    const result = await gate.call("search", { query: "heron", limit: 7 });
    const { results, source_mix, count } = result.structuredContent;
    expect(results).toHaveLength(7);
    expect(count).toEqual({ kind: "exact", value: 32 });
    expect(source_mix).toEqual({ [`${gate.home}/books`]: 30, [`${gate.cabin}/books`]: 2 });
    expect(result.text).toContain(`all hits by source: ${gate.home}/books 30, ${gate.cabin}/books 2`);
    for (const hit of results) {
      expect(hit).toMatchObject({
        connection_id: expect.any(String),
        connector_key: "library",
        stream: "books",
        record_id: expect.any(String),
        display_name: expect.stringMatching(/shelf/),
      });
      expect(hit.url).toBe(`${gate.server.url}/dashboard/records/${hit.connection_id}/books/${hit.record_id}`);
      expect(result.text).toContain(hit.id);
      expect(citedIn(result.text, hit.id)).toBe(hit.url);
    }
  });

  it("E-16 returns ten hits by default, and with evidence they fit the budget", async () => {
    const result = await gate.call("search", { query: "heron" });
    expect(result.structuredContent.results).toHaveLength(10);
    expect(resultBytes(result)).toBeLessThanOrEqual(7_000);
  });

  it("E-17 searches only one connection if connection_id is given, and limit applies to it", async () => {
    const { results, count } = (await gate.call("search", { query: "heron", connection_id: gate.cabin, limit: 5 }))
      .structuredContent;
    expect(count.value).toBe(2);
    expect(new Set(results.map((hit: Loose) => hit.connection_id))).toEqual(new Set([gate.cabin]));
  });

  it("E-15 shows the cursor in the text, and following it continues the same merged order", async () => {
    const whole = (await gate.call("search", { query: "lake", limit: 30, order: "newest" })).structuredContent;
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const result = await gate.call("search", {
        query: "lake",
        limit: 4,
        order: "newest",
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...result.structuredContent.results.map((hit: Loose) => hit.id));
      cursor = result.structuredContent.next_cursor;
      if (cursor !== undefined) expect(result.text).toContain(`next_cursor: ${cursor}`);
    } while (cursor !== undefined);
    expect(seen).toHaveLength(30);
    expect(seen.slice(0, whole.results.length)).toEqual(whole.results.map((hit: Loose) => hit.id));
  });

  it("X-06 ends the page at the byte limit if hits exceed the budget, and the cursor continues exactly there", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    let byBytes = 0;
    do {
      const result = await gate.call("search", {
        query: "heron",
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      if (result.structuredContent.page_ended_by === "bytes") byBytes++;
      seen.push(...result.structuredContent.results.map((hit: Loose) => hit.id));
      cursor = result.structuredContent.next_cursor;
    } while (cursor !== undefined);
    expect(byBytes).toBeGreaterThan(0);
    expect(seen).toHaveLength(32);
    expect(new Set(seen).size).toBe(32);
  });

  it("X-06 searches and logs only once if a page is cut at the byte limit", async () => {
    const result = await gate.call("search", { query: "heron", limit: 100, connection_id: gate.home });
    expect(result.structuredContent.page_ended_by).toBe("bytes");
    const [last, before] = (await gate.server.get("/v1/activity", { query: { limit: 2 } })).body.data;
    expect(last).toMatchObject({ action: "search", connection_id: gate.home });
    expect(before.request_id).not.toBe(last.request_id);
  });

  it("E-18 balances highlights at every length; a title describes the record and is never the snippet", async () => {
    for (const limit of [3, 10, 30]) {
      const { results } = (await gate.call("search", { query: "heron lake waits", limit })).structuredContent;
      for (const { evidence, title } of results) {
        const tags = evidence.text.match(/<\/?mark>/g) ?? [];
        expect(tags.length).toBeGreaterThan(0);
        expect(tags.filter((tag: string, index: number) => tag !== (index % 2 === 0 ? "<mark>" : "</mark>"))).toEqual(
          [],
        );
        expect(evidence.text.replace(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
        expect(title).toMatch(/heron/i);
      }
    }
  });

  it("E-18 the title of a record without a name has the time of writing, not the time of import", async () => {
    await gate.server.ingest("books", gate.cabin, [
      { key: "n1", data: { id: "n1", notes: "kingfisher", published_at: "2019-03-04T05:06:00Z" } },
    ]);
    const { results } = (await gate.call("search", { query: "kingfisher" })).structuredContent;
    expect(results[0].title).toBe("Books · 2019-03-04 05:06");
    const fetched = await gate.call("fetch", { id: results[0].id });
    expect(fetched.structuredContent.title).toBe("Books · 2019-03-04 05:06");
  });

  it("L-04 gives a passage's field, range, total and match, and the window that continues a long field", async () => {
    const { results } = (await gate.call("search", { query: '"heron of day 500"', limit: 1 })).structuredContent;
    const { evidence } = results[0];
    expect(evidence.total_chars).toBeGreaterThan(30_000);
    const window = (await gate.call("fetch", { id: evidence.window_id })).structuredContent;
    expect(window.metadata).toMatchObject({
      field: "notes",
      match_start_chars: evidence.match_chars[0],
      total_chars: evidence.total_chars,
    });
    expect(window.text).toContain("the heron of day 500 stood still");
    const { match_start_chars: from, match_end_chars: to, start_chars } = window.metadata;
    expect(
      [...window.text]
        .slice(from - start_chars, to - start_chars)
        .join("")
        .toLowerCase(),
    ).toContain("heron");
  });

  it("E-17 accepts a filter only for one stream of one connection; otherwise the error says so", async () => {
    const one = await gate.call("search", {
      query: "heron",
      streams: ["books"],
      connection_id: gate.home,
      filter: { published_at: { gte: "2021-01-20T00:00:00Z" } },
    });
    expect(one.structuredContent.count.value).toBeGreaterThan(0);
    const many = await gate.call("search", { query: "heron", filter: { genre: "x" } });
    expect(many.structuredContent.error.code).toBe("invalid_filter");
  });

  it("L-02 if there are no hits, suggests what to try next instead of an id to fetch, in text and structured content", async () => {
    const { text, structuredContent } = await gate.call("search", { query: "zzyzx" });
    expect(structuredContent.results).toEqual([]);
    const note = structuredContent.notes.at(-1);
    expect(note).toContain("schema({})");
    expect(text).toContain(note);
    expect(text).not.toContain("an id below");
  });

  it("K-11 shows the best passage of each field that matched, even if other things are omitted", async () => {
    const notes = "Nothing here. ".repeat(40);
    const ibises = Array.from({ length: 10 }, (_, index) => ({
      key: `ibis${index}`,
      data: {
        id: `ibis${index}`,
        title: `A very long chapter about what the ibis did on day ${index}`,
        notes: `${notes}An ibis landed ${index} times. ${notes}`,
      },
    }));
    await gate.server.ingest("books", gate.cabin, ibises);
    for (const limit of [1, 10]) {
      const result = await gate.call("search", { query: "ibis", limit });
      expect(result.structuredContent.results).toHaveLength(limit);
      expect(resultBytes(result)).toBeLessThanOrEqual(7_000);
      for (const { evidence, also_matched, title } of result.structuredContent.results) {
        expect(evidence.text).toContain("<mark>ibis</mark> landed");
        // The passage from the title field is the title itself.
        expect(also_matched).toEqual([{ field: "title" }]);
        expect(title).toContain("ibis");
      }
    }
    const { results } = (await gate.call("search", { query: "chapter landed", limit: 1 })).structuredContent;
    expect(JSON.stringify(results[0])).toContain("<mark>landed</mark>");
  });

  it("K-10 ties a hit's window to the text that matched, so its id is stale after an edit", async () => {
    const text = (word: string) => `${"It rains. ".repeat(300)}The ${word} came by. ${"It rains. ".repeat(300)}`;
    const put = (word: string) =>
      gate.server.ingest("books", gate.cabin, [{ key: "edited", data: { id: "edited", notes: text(word) } }]);
    await put("godwit");
    const { results } = (await gate.call("search", { query: "godwit" })).structuredContent;
    const id = results[0].evidence.window_id;
    expect((await gate.call("fetch", { id })).structuredContent.metadata.match_count).toBe(1);
    await put("curlew");
    const { error } = (await gate.call("fetch", { id })).structuredContent;
    expect(error.code).toBe("stale_handle");
    expect(error.next_step).toContain("fetch(");
  });
});
