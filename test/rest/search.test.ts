// GET /v1/search: ranking, evidence, pages, the query language, and grants.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import { type Line, type Loose, type Query, type TestServer, testServer } from "../harness.ts";

const mail: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/mail" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Mail" },
  streams: [
    {
      name: "messages",
      display: { label: "Messages" },
      semantics: "mutable_state",
      primary_key: ["id"],
      cursor_field: "sent_at",
      consent_time_field: "sent_at",
      schema: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string" },
          subject: { type: "string" },
          body: { type: "string" },
          private_note: { type: "string" },
          folder: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
          sent_at: { type: "string", format: "date-time" },
        },
      },
      query: {
        search: { lexical_fields: ["subject", "body", "private_note", "tags"] },
        range_filters: { sent_at: ["gte", "lt"] },
      },
    },
    {
      name: "chats",
      display: { label: "Chat" },
      semantics: "append_only",
      primary_key: ["id"],
      cursor_field: "said_at",
      schema: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string" },
          text: { type: "string" },
          said_at: { type: "string", format: "date-time" },
        },
      },
      query: { search: { lexical_fields: ["text"] } },
    },
  ],
};

const LONG = `${"Padding sentence number one. ".repeat(400)}The membrane is called Gorvex 418. ${"And more padding after it. ".repeat(400)}`;

const message = (id: string, data: Record<string, unknown>, day = 1): Line => ({
  key: id,
  data: { id, sent_at: `2025-03-${String(day).padStart(2, "0")}T10:00:00Z`, folder: "inbox", ...data },
});

let server: TestServer;
let home: string;
let work: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("mail", mail);
  home = await server.connect("mail", "Home");
  work = await server.connect("mail", "Work");
  await server.ingest("messages", home, [
    message(
      "lease",
      {
        subject: "Your lease",
        body: "The notice period is 56 days. Please write to the landlord.",
        private_note: "zanzibar",
      },
      1,
    ),
    message("long", { subject: "Lab book", body: LONG }, 2),
    message("mark", { subject: "Tags", body: "He wrote <mark>fake</mark> & <b>bold</b> about umbrellas." }, 3),
    message("scripts", { subject: "Straße nach Zürich", body: "明日の天気は晴れです。 สวัสดีครับ Ωραία мир" }, 4),
    message(
      "parts",
      {
        subject: "Ship it",
        body: "Write to ada.lovelace@example.org about ORD-48817, see https://shop.example/track/48817?x=1 for parseInstantV2.",
      },
      5,
    ),
    message("tagged", { subject: "Plain", body: "nothing", tags: ["quokka", "second"] }, 6),
    ...Array.from({ length: 30 }, (_, n) =>
      message(
        `bulk-${n}`,
        {
          subject: `Report ${n}`,
          body: `quarterly figures ${"grow ".repeat(n % 5)}`,
          folder: n % 2 ? "inbox" : "archive",
        },
        1 + (n % 28),
      ),
    ),
  ]);
  await server.ingest("messages", work, [
    message("lease", { subject: "Office lease", body: "The notice period of the office is 90 days." }, 8),
    ...Array.from({ length: 10 }, (_, n) =>
      message(`work-${n}`, { subject: "Figures", body: `quarterly numbers for team ${n}` }, 9),
    ),
  ]);
  await server.ingest("chats", work, [
    { key: "c1", data: { id: "c1", text: "did the notice period end?", said_at: "2025-04-01T09:30:00Z" } },
  ]);
});
afterAll(() => server.close());

const search = async (query: Query | [string, string][], token?: string): Promise<Loose> =>
  (await server.get("/v1/search", { query, ...(token === undefined ? {} : { token }) })).body;
const keys = (body: Loose): string[] => body.data.map((hit: Loose) => hit.record_key);
const walk = async (query: Query, token?: string): Promise<Loose[]> =>
  server.all("/v1/search", { query, ...(token === undefined ? {} : { token }) });

describe("search across connections", () => {
  test("E-16 merges all granted connections under one limit, shows each hit's source, and mixes the sources", async () => {
    const body = await search({ q: "notice period", limit: 2 });
    expect(body.data).toHaveLength(2);
    expect(body.has_more).toBe(true);
    expect(body.meta.count).toEqual({ kind: "exact", value: 3 });
    for (const hit of body.data) {
      expect(hit).toMatchObject({
        object: "search_result",
        connector_key: "mail",
        display_name: expect.any(String),
        stream: expect.any(String),
      });
      expect([home, work]).toContain(hit.connection_id);
      const record = await server.get(hit.record_url);
      expect(record.body.id).toBe(hit.record_key);
    }
    expect(body.meta.source_mix.map((row: Loose) => row.count)).toEqual([1, 1, 1]);
    expect(body.meta.searched).toEqual({ connections: 2, streams: 4 });
  });

  test("E-17 connection_id restricts the search to one connection, and the limit applies there", async () => {
    const body = await search({ q: "quarterly", connection_id: work, limit: 4 });
    expect(body.data).toHaveLength(4);
    expect(new Set(body.data.map((hit: Loose) => hit.connection_id))).toEqual(new Set([work]));
    expect(body.meta.count.value).toBe(10);
  });

  test("E-15 next_cursor continues the same merged order", async () => {
    for (const order of ["relevance", "newest"]) {
      const whole = await search({ q: "quarterly", order, limit: 100 });
      const paged = await walk({ q: "quarterly", order, limit: 7 });
      const shown = whole.data.map((hit: Loose) => 1 + (hit.repeats?.count ?? 0));
      expect(shown.reduce((sum: number, records: number) => sum + records, 0)).toBe(40);
      expect(order === "newest" ? whole.data.length : 40).toBe(40);
      expect(paged.map((hit) => [hit.connection_id, hit.record_key, hit.score])).toEqual(
        whole.data.map((hit: Loose) => [hit.connection_id, hit.record_key, hit.score]),
      );
    }
  });

  test("E-15 with cursors=each, every hit's cursor continues with the hit after it", async () => {
    for (const order of ["relevance", "newest"]) {
      const { data } = await search({ q: "quarterly", order, limit: 100, cursors: "each" });
      for (const [index, hit] of data.entries()) {
        const next = hit.next_cursor && (await search({ q: "quarterly", order, limit: 1, cursor: hit.next_cursor }));
        expect(next?.data[0].record_url).toBe(data[index + 1]?.record_url);
        expect(next?.data[0].repeats).toEqual(data[index + 1]?.repeats);
      }
    }
  });

  test("pages stay stable while data arrives: no hit is repeated or skipped", async () => {
    const first = await search({ q: "figures", limit: 10 });
    const before = new Set(
      (await search({ q: "figures", limit: 100 })).data.map((hit: Loose) => hit.connection_id + hit.record_key),
    );
    await server.ingest(
      "messages",
      home,
      Array.from({ length: 50 }, (_, n) => message(`later-${n}`, { subject: "Later", body: "figures figures" })),
    );
    const seen: string[] = first.data.map((hit: Loose) => hit.connection_id + hit.record_key);
    for (let cursor = first.next_cursor; cursor !== undefined; ) {
      const page = await search({ q: "figures", limit: 10, cursor });
      seen.push(...page.data.map((hit: Loose) => hit.connection_id + hit.record_key));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const key of before) expect(seen).toContain(key);
    for (let n = 0; n < 50; n++)
      await server.call("DELETE", `/v1/streams/messages/records/later-${n}`, { query: { connection_id: home } });
    expect(keys(await search({ q: "later" }))).toEqual([]);
  });
});

describe("a hit's evidence", () => {
  test("L-01 L-03 lists the matching fields, with a bounded preview of the match", async () => {
    const [hit] = (await search({ q: "Gorvex membrane" })).data;
    expect(hit.matched_fields).toEqual(["body"]);
    const [excerpt] = hit.evidence_excerpts;
    expect(excerpt).toMatchObject({
      field_path: "body",
      truncated: true,
      provenance: "lexical_match",
      total_chars: [...LONG].length,
    });
    expect(excerpt.preview_text).toBe(LONG.slice(excerpt.start_chars, excerpt.end_chars));
    expect(excerpt.preview_text.length).toBeLessThan(600);
    expect(excerpt.matches.map((match: Loose) => LONG.slice(match.start_chars, match.end_chars))).toEqual([
      "membrane",
      "Gorvex",
    ]);
  });

  test("L-11 includes a call for further reading, and that call returns the window", async () => {
    const [hit] = (await search({ q: "Gorvex" })).data;
    const { read, start_chars } = hit.evidence_excerpts[0];
    expect(read).toMatchObject({ object: "field_window_read", method: "GET" });
    const { body } = await server.get(read.route);
    expect(body.object).toBe("field_window");
    expect(body.window.start_chars).toBe(start_chars);
    expect(body.window.text).toContain("Gorvex 418");
    const around = await server.get(`/v1/streams/messages/records/long/field-window`, {
      query: { connection_id: home, field: "body", q: "Gorvex" },
    });
    expect(around.body.window.text).toContain("Gorvex");
  });

  test("E-18 marks are balanced, and data cannot forge one", async () => {
    const [hit] = (await search({ q: "umbrellas fake" })).data;
    expect(hit.snippet.text).toContain("&lt;mark&gt;<mark>fake</mark>&lt;/mark&gt; &amp; &lt;b&gt;bold");
    for (const { snippet } of (await search({ q: "quarterly figures", limit: 100 })).data) {
      const tags = snippet.text.match(/<\/?mark>/g) ?? [];
      expect(tags.filter((_: string, index: number) => index % 2 === 0).every((tag: string) => tag === "<mark>")).toBe(
        true,
      );
      expect(tags.length % 2).toBe(0);
    }
  });

  test("E-18 a title is the record's name, or else its kind and authored time, never the snippet or the ingest time", async () => {
    const hits = (await search({ q: "notice period" })).data;
    const title = (key: string) => hits.find((hit: Loose) => hit.record_key === key).title;
    expect(hits.map((hit: Loose) => hit.title)).toContain("Your lease");
    expect(title("c1")).toBe("Chat · 2025-04-01 09:30");
    const { grants: _grants, ...issued } = await server.grant({
      selections: [{ connection_id: home, stream: "messages", fields: ["body"] }],
    });
    const [bare] = (await search({ q: "landlord" }, issued.access_token)).data;
    expect(bare.title).toBe("Messages · lease");
    expect(bare).not.toHaveProperty("authored_at");
  });

  test("texts inside a list are found too", async () => {
    const [hit] = (await search({ q: "quokka" })).data;
    expect(hit).toMatchObject({ record_key: "tagged", matched_fields: ["tags"] });
    expect(hit.evidence_excerpts[0]).not.toHaveProperty("read");
  });
});

describe("the query language", () => {
  test.each([
    ["strasse", "scripts"],
    ["ZURICH", "scripts"],
    ["天気", "scripts"],
    ["สวัสดี", "scripts"],
    ["ωραια", "scripts"],
    ["МИР", "scripts"],
    ["ada.lovelace@example.org", "parts"],
    ["lovelace", "parts"],
    ["ORD-48817", "parts"],
    ["48817", "parts"],
    ["shop.example", "parts"],
    ["https://shop.example/track/48817?x=1", "parts"],
    ["parseInstantV2", "parts"],
    ["instant", "parts"],
    ['"56 days"', "lease"],
    ["landl*", "lease"],
    ["subject:lab", "long"],
  ])("the query %s finds its record", async (q, key) => {
    expect(keys(await search({ q, connection_id: home }))).toContain(key);
  });

  test("excluded words, phrases, fields and dates narrow the results", async () => {
    expect(keys(await search({ q: "notice period -office" }))).not.toContain("work");
    const turned = await search({ q: '"period notice"', connection_id: home });
    expect(turned.data).toEqual([]);
    expect(turned.meta.warnings).toEqual([expect.objectContaining({ code: "phrase_unmatched", param: "q" })]);
    expect((await search({ q: "subject:landlord", connection_id: home })).data).toEqual([]);
    expect(keys(await search({ q: "quarterly after:2025-03-27", connection_id: home }))).toEqual(
      expect.arrayContaining(["bulk-26", "bulk-27"]),
    );
    expect((await search({ q: "quarterly before:2025-03-02", connection_id: home })).meta.count.value).toBe(2);
  });

  test("reports which words did not match, and suggests corrections if nothing matches", async () => {
    const partly = await search({ q: "landlord nowherewords" });
    expect(keys(partly)).toEqual(["lease"]);
    expect(partly.meta).toMatchObject({ matched: { all: 0, any: 1 }, unmatched: ["nowherewords"] });
    const slip = await search({ q: "landlrod" });
    expect(keys(slip)).toEqual(["lease"]);
    expect(slip.meta.relaxed).toMatch(/similar spelling/);
    expect(slip.meta.suggestions).toContain("landlord");
    expect(slip.data[0].snippet.text).toContain("<mark>landlord</mark>");
    const far = await search({ q: "landlodr1x" });
    expect(far).toMatchObject({ data: [], meta: { count: { value: 0 } } });
  });

  test("R-01 other forms of a word match, are marked, and rank below the typed form", async () => {
    await server.ingest("messages", home, [
      message("umbrella", { subject: "One umbrella", body: "It is at the door." }, 20),
      message("umbrellas", { subject: "Two umbrellas", body: "They are at the door." }, 19),
      message("schirme", { subject: "Die Schirme", body: "Sie stehen neben der Tür und sind nass." }, 18),
    ]);
    const found = await search({ q: "umbrellas", "streams[]": "messages", connection_id: home });
    expect(keys(found).filter((key) => key !== "mark")).toEqual(["umbrellas", "umbrella"]);
    expect(found.data.map((hit: Loose) => hit.snippet.text)).toContain("One <mark>umbrella</mark>");
    expect(keys(await search({ q: "Schirm" }))).toEqual(["schirme"]);
    expect(keys(await search({ q: '"Schirm"' }))).toEqual([]);
  });

  test("R-02 records with every word are first, then those with more rare words; stop words match nothing", async () => {
    const { data, meta } = await search({ q: "what is the notice period of the landlord" });
    expect(keys({ data })).toEqual(["lease", "lease", "c1"]);
    expect(data[0]).toMatchObject({ connection_id: home });
    expect(data[0].score).toBeGreaterThan(1);
    expect(data[1].score).toBeLessThan(1);
    expect(meta).toMatchObject({ count: { value: 3 }, matched: { all: 1, any: 3 } });
  });

  test("R-03 a phrase is never widened, not even next to other words", async () => {
    const { data, meta } = await search({ q: '"notice period" landlord nowherewords' });
    expect(keys({ data }).toSorted()).toEqual(["c1", "lease", "lease"]);
    expect(data[0].connection_id).toBe(home);
    expect(meta.matched).toEqual({ all: 0, any: 3 });
    expect((await search({ q: '"quarterly landlord" figures' })).data).toEqual([]);
  });

  test("R-05 equal passages are one hit with a count, but sorting by time lists each of them", async () => {
    const text = "Bring the kayak paddles to the pier at noon";
    await server.ingest(
      "chats",
      work,
      [1, 2, 3, 4, 5].map((n) => ({
        key: `kayak-${n}`,
        data: { id: `kayak-${n}`, text, said_at: `2025-05-0${n}T09:00:00Z` },
      })),
    );
    const { data, meta, has_more } = await search({ q: "kayak paddles" });
    expect(keys({ data })).toEqual(["kayak-5"]);
    expect(data[0].repeats).toEqual({
      count: 4,
      handles: [4, 3, 2, 1].map((n) => `${work}/chats:kayak-${n}`),
    });
    expect([meta.count.value, has_more]).toEqual([5, false]);
    expect(keys(await search({ q: "kayak paddles", order: "newest" }))).toHaveLength(5);
    expect(keys({ data: await walk({ q: "kayak pier", limit: 1 }) })).toEqual(["kayak-5"]);
  });

  test("typed filters narrow one stream; for several streams they are refused, and the error says how to select one", async () => {
    const filtered = await search({
      q: "quarterly",
      connection_id: home,
      "streams[]": "messages",
      "filter[folder]": "archive",
    });
    expect(filtered.meta.count.value).toBe(15);
    const wide = await search({ q: "quarterly", "filter[folder]": "archive" });
    expect(wide.error).toMatchObject({ code: "invalid_filter", next_step: expect.stringContaining("streams[]") });
  });

  test("facets count exactly, by stream and month", async () => {
    const { meta } = await search({ q: "notice period", facets: "true" });
    expect(meta.facets.months).toEqual([
      { month: "2025-03", count: 2 },
      { month: "2025-04", count: 1 },
    ]);
    expect(meta.facets.streams.map((row: Loose) => row.count)).toEqual([1, 1, 1]);
  });

  test("a mode that is not set up returns a warning and the lexical result", async () => {
    const { meta, data } = await search({ q: "landlord", mode: "hybrid" });
    expect(data).toHaveLength(1);
    expect(meta).toMatchObject({ mode: "lexical", warnings: [{ code: "mode_unavailable", param: "mode" }] });
  });
});

describe("bad input", () => {
  test.each([
    "",
    "   ",
    '"',
    '"unbalanced phrase',
    "-",
    "*",
    "-*",
    ":::",
    "AND OR NOT NEAR(",
    "'; DROP TABLE record; --",
    "\u0000\u0001\u202e\ufeff",
    "the of and",
    "((((((((((a+)+)+)+)+$",
    "👩‍👩‍👧‍👦 \ud83d",
    "from:2025-99-99",
    "after:yesterdayish before:",
  ])("the query %j is not an error", async (q) => {
    const answer = await server.get("/v1/search", { query: { q } });
    expect(answer.status).toBe(200);
    expect(answer.body.meta.count.kind).toBe("exact");
  });

  test("a query that is too long is cut, with a warning", async () => {
    for (const q of ["a".repeat(10_000), "word ".repeat(1500)]) {
      const { meta } = await search({ q });
      expect(meta.warnings).toEqual([expect.objectContaining({ code: "query_cut", param: "q" })]);
    }
  });

  test("unknown streams, connections and parameters are refused, and so are other queries' cursors", async () => {
    const codes = async (query: Query, token?: string) => (await search(query, token)).error.code;
    expect(await codes({ q: "x", "streams[]": "secrets" })).toBe("not_found");
    expect(await codes({ q: "x", connection_id: "cin_nowhere" })).toBe("connection_not_found");
    expect(await codes({ q: "x", sideways: "1" })).toBe("invalid_request");
    expect(await codes({})).toBe("invalid_request");
    const { next_cursor } = await search({ q: "quarterly", limit: 1 });
    expect(await codes({ q: "figures", limit: 1, cursor: next_cursor })).toBe("invalid_cursor");
    expect(await codes({ q: "quarterly", order: "newest", limit: 1, cursor: next_cursor })).toBe("invalid_cursor");
    const { access_token } = await server.grant({ all: true });
    expect(await codes({ q: "quarterly", limit: 1, cursor: next_cursor }, access_token)).toBe("invalid_cursor");
    expect(await codes({ q: "quarterly", limit: 1, cursor: `${next_cursor.slice(0, -2)}AA` })).toBe("invalid_cursor");
  });
});

describe("search under a grant", () => {
  test("P-02 L-03 a hidden field never matches and is never listed, and searching in it is like searching in an unknown field", async () => {
    const { access_token } = await server.grant({
      selections: [{ connection_id: home, stream: "messages", fields: ["subject", "body", "sent_at"] }],
    });
    const hidden = await search({ q: "zanzibar" }, access_token);
    expect(hidden).toMatchObject({ data: [], meta: { count: { value: 0 } } });
    expect(JSON.stringify(hidden.meta)).not.toContain("private");
    const asked = await search({ q: "private_note:zanzibar" }, access_token);
    const never = await search({ q: "never_existed:zanzibar" }, access_token);
    expect({ ...asked, url: "", links: {} }).toEqual({ ...never, url: "", links: {} });
    expect(keys(await search({ q: "zanzibar" }))).toEqual(["lease"]);
  });

  test("P-08 every search is logged, with a line for each stream that had hits", async () => {
    const { access_token, grant_package_id } = await server.grant({ all: true });
    const requestId = "search-audit-1";
    await server.get("/v1/search", {
      query: { q: "notice period" },
      token: access_token,
      headers: { "Request-Id": requestId },
    });
    const { body } = await server.get("/v1/activity", { query: { limit: 20 } });
    const lines = body.data.filter((line: Loose) => line.request_id === requestId);
    expect(lines.map((line: Loose) => [line.action, line.stream, line.records])).toEqual(
      expect.arrayContaining([
        ["search", "messages", 1],
        ["search", "chats", 1],
      ]),
    );
    expect(lines.every((line: Loose) => line.grant_package_id === grant_package_id && line.bytes > 0)).toBe(true);
  });
});

test("search results reflect writes, changes and deletions immediately", async () => {
  await server.ingest("messages", home, [message("fresh", { subject: "Fresh", body: "xylophone" })]);
  expect(keys(await search({ q: "xylophone" }))).toEqual(["fresh"]);
  await server.ingest("messages", home, [message("fresh", { subject: "Fresh", body: "glockenspiel" })]);
  expect(keys(await search({ q: "xylophone" }))).toEqual([]);
  expect(keys(await search({ q: "glockenspiel" }))).toEqual(["fresh"]);
  await server.call("DELETE", "/v1/streams/messages/records/fresh", { query: { connection_id: home } });
  expect(keys(await search({ q: "glockenspiel" }))).toEqual([]);
});
