// search by meaning, with a small but real embedding endpoint.
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import { type EmbeddingServer, embeddingServer } from "../embedding-server.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool } from "../mcp.ts";

const declaration: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/notes" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Notes" },
  streams: [
    {
      name: "notes",
      semantics: "mutable_state",
      primary_key: ["id"],
      selection: { fields: true, resources: true },
      schema: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, title: { type: "string" }, text: { type: "string" } },
      },
      query: { search: { lexical_fields: ["title", "text"] } },
    },
  ],
};

const NOTES: Record<string, [title: string, text: string]> = {
  a: ["Tuesday", "The physician can see you at nine, this visit takes an hour."],
  b: ["Garage", "The vehicle is repaired and waits for you."],
  c: ["Doctor who", "A series about a doctor who travels in time."],
  d: ["Groceries", "Bread, butter, tea and two lemons."],
  e: ["Bill", "The doctor sends an invoice for the appointment in May."],
};
const line = (id: string, [title, text]: [string, string]) => ({ key: id, data: { id, title, text } });

let server: TestServer;
let endpoint: EmbeddingServer;
let connection: string;

beforeAll(async () => {
  endpoint = await embeddingServer();
  server = await testServer();
  await server.register("notes", declaration);
  connection = await server.connect("notes", "Notes");
  await server.ingest(
    "notes",
    connection,
    Object.entries(NOTES).map(([id, note]) => line(id, note)),
  );
});
afterAll(async () => {
  await server.close();
  await endpoint.close();
});

beforeEach(() => endpoint.behave("well"));
afterEach(async () => {
  await server.call("DELETE", "/v1/search-model");
});

const search = async (q: string, query: Record<string, string | number> = {}, token?: string): Promise<Loose> =>
  (await server.get("/v1/search", { query: { q, ...query }, ...(token === undefined ? {} : { token }) })).body;
const keys = (page: Loose): string[] => page.data.map((hit: Loose) => hit.record_key);

async function setModel(name = "test-model"): Promise<void> {
  const { status } = await server.call("PUT", "/v1/search-model", { body: { url: endpoint.url, name } });
  expect(status).toBe(200);
  await ready();
}

/** Waits until the model has indexed everything. */
async function ready(): Promise<Loose> {
  for (;;) {
    await server.jobs.meaning.news();
    await server.jobs.meaning.idle();
    const { body } = await server.get("/v1/search-model");
    if (body.progress?.status === "ready") return body;
  }
}

test("R-06 without a model the mode is lexical, and a request for another mode causes a warning", async () => {
  expect((await search("doctor")).meta).toMatchObject({ mode: "lexical", ranking: "bm25" });
  const { meta } = await search("doctor", { mode: "hybrid" });
  expect(meta.mode).toBe("lexical");
  expect(meta.warnings).toEqual([expect.objectContaining({ code: "mode_unavailable" })]);
  const { body } = await server.get("/v1/search-model");
  expect(body).toMatchObject({ object: "search_model", mode: "lexical" });
  expect(endpoint.requests).toEqual([]);
});

test("R-06 X-09 with a model, records with the same meaning are found, marked, and shown with the matching window", async () => {
  await setModel();
  const page = await search("doctor appointment");
  expect(page.meta).toMatchObject({ mode: "hybrid", ranking: "rank_fusion" });
  expect(page.meta.warnings).toBeUndefined();
  // The word index finds c and e; the physician's visit is similar only in meaning.
  expect(keys(page).slice(0, 3).toSorted()).toEqual(["a", "c", "e"]);
  const near = page.data.find((hit: Loose) => hit.record_key === "a");
  expect(near).toMatchObject({ found_by: "meaning", matched_fields: ["text"] });
  const [excerpt] = near.evidence_excerpts;
  expect(excerpt).toMatchObject({
    field_path: "text",
    provenance: "meaning_match",
    preview_text: NOTES.a![1],
    matches: [],
  });
  expect(excerpt.marked_text).not.toContain("<mark>");
  expect(page.data.find((hit: Loose) => hit.record_key === "e").found_by).toBeUndefined();
  // Every record is similar to some degree, so the count covers all of them.
  expect(page.meta.count.value).toBe(5);
  const read = await server.get(excerpt.read.route);
  expect(read.body.window.text).toBe(NOTES.a![1]);
});

test("X-09 the pages of a blended result contain each record once, and as many records as the count says", async () => {
  await setModel();
  const whole = await search("doctor appointment");
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search("doctor appointment", { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.meta.count).toEqual(whole.meta.count);
    seen.push(...keys(page));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(keys(whole));
});

test("X-09 with cursors=each, a blended result can continue after any of its hits", async () => {
  await setModel();
  const { data } = await search("doctor appointment", { cursors: "each" });
  for (const [index, { next_cursor: cursor }] of data.entries())
    expect(cursor && keys(await search("doctor appointment", { cursor }))).toEqual(
      cursor && keys({ data: data.slice(index + 1) }),
    );
  expect(data.at(-1).next_cursor).toBeUndefined();
});

test("R-03 a quoted phrase, a field and order=newest use only the word index", async () => {
  await setModel();
  for (const q of ['"doctor appointment"', "title:doctor"]) expect((await search(q)).meta.mode).toBe("lexical");
  expect(keys(await search('"doctor appointment"'))).toEqual([]);
  expect((await search("doctor", { order: "newest" })).meta.mode).toBe("lexical");
  expect((await search("doctor", { mode: "lexical" })).meta.mode).toBe("lexical");
  expect(keys(await search("doctor -physician")).includes("a")).toBe(false);
});

test("X-09 mode=semantic uses only meaning", async () => {
  await setModel();
  const { data, meta } = await search("automobile", { mode: "semantic" });
  expect(meta).toMatchObject({ mode: "semantic", ranking: "cosine" });
  expect(data[0]).toMatchObject({ record_key: "b", found_by: "meaning" });
});

test("R-07 an app finds by meaning only what it may read", async () => {
  await setModel();
  const titles = await server.grant({
    selections: [{ connection_id: connection, stream: "notes", fields: ["title"] }],
  });
  const page = await search("vehicle", {}, titles.access_token);
  expect(page.meta.mode).toBe("hybrid");
  for (const hit of page.data) expect(hit.matched_fields).toEqual(["title"]);
  expect(JSON.stringify(page)).not.toContain("repaired");
  const one = await server.grant({ selections: [{ connection_id: connection, stream: "notes", resources: ["d"] }] });
  const narrow = await search("vehicle", {}, one.access_token);
  expect(keys(narrow)).toEqual(["d"]);
  expect(narrow.meta.count.value).toBe(1);
  const { structuredContent } = await callTool(server.url, one.access_token, "search", { query: "vehicle" });
  expect(structuredContent).toMatchObject({ mode: "hybrid", results: [{ found_by: "meaning" }] });
});

test("R-06 vectors are updated after changes and deletions, and survive a restart of indexing", async () => {
  await setModel();
  await server.jobs.meaning.rest();
  await server.ingest("notes", connection, [line("f", ["Loan", "An automobile for a week"])]);
  expect((await search("vehicle")).meta.warnings).toEqual([expect.objectContaining({ code: "meaning_incomplete" })]);
  server.jobs.meaning.begin({ home: true });
  expect((await ready()).progress).toMatchObject({ records: { done: 6, total: 6 }, passages: 12, dimensions: 64 });
  expect(
    keys(await search("vehicle"))
      .slice(0, 2)
      .toSorted(),
  ).toEqual(["b", "f"]);
  await server.ingest("notes", connection, [line("f", ["Loan", "Nothing of the kind"])]);
  await server.ingest("notes", connection, [{ key: "b", op: "delete" }]);
  await ready();
  expect(keys(await search("vehicle"))).not.toContain("b");
  expect((await server.get("/v1/search-model")).body.progress.passages).toBe(10);
  const before = endpoint.requests.length;
  await server.jobs.meaning.rest();
  server.jobs.meaning.begin({ home: true });
  await ready();
  expect(endpoint.requests.slice(before)).toEqual([]);
  await server.ingest("notes", connection, [line("b", NOTES.b!), { key: "f", op: "delete" }]);
});

test("R-06 vectors that arrive after the model was changed are not used for the new model", async () => {
  endpoint.behave("wait");
  const before = endpoint.requests.length;
  await server.call("PUT", "/v1/search-model", { body: { url: endpoint.url, name: "slow" } });
  while (endpoint.requests.length === before) await nextTurn();
  await server.call("PUT", "/v1/search-model", { body: { url: endpoint.url, name: "next" } });
  endpoint.behave("well");
  await ready();
  const [slow, next] = endpoint.requests.slice(before);
  expect(next).toEqual(slow);
});

test("R-06 if the endpoint fails, redirects or does not respond, search falls back to words and says so", async () => {
  await setModel();
  for (const how of ["error", "redirect"] as const) {
    endpoint.behave(how);
    // Another name means another model, which is not in backoff.
    await server.call("PUT", "/v1/search-model", { body: { url: endpoint.url, name: how } });
    for (let body: Loose; body?.progress.status !== "waiting"; ) ({ body } = await server.get("/v1/search-model"));
    const { body } = await server.get("/v1/search-model");
    expect(body.progress.error).toMatch(how === "error" ? /status 500: the model is not loaded/ : /redirects/);
    // The endpoint is retried later, and the redirect target is never called.
    expect(new Set(endpoint.paths)).toEqual(new Set(["/v1/embeddings"]));
    expect((await search("doctor")).meta).toMatchObject({ mode: "lexical", warnings: [{ code: "mode_unavailable" }] });
  }
  endpoint.behave("well");
  await setModel("silent");
  endpoint.behave("error");
  const page = await search("a new question about a doctor");
  expect(page.meta).toMatchObject({ mode: "lexical", warnings: [{ code: "mode_unavailable" }] });
  expect(keys(page)).toContain("c");
});

test("R-06 texts are sent to another machine only after explicit consent, and the setting is recorded in the audit log", async () => {
  const elsewhere = { url: "http://embeddings.example:8080/v1", name: "m" };
  const refused = await server.call("PUT", "/v1/search-model", { body: elsewhere });
  expect(refused).toMatchObject({ status: 400, body: { error: { param: "remote" } } });
  const agreed = await server.call("PUT", "/v1/search-model", { body: { ...elsewhere, remote: true } });
  expect(agreed).toMatchObject({ status: 200, body: { remote: true, mode: "hybrid" } });
  expect(agreed.body.notice).toMatch(/sends passages of your records, and each search, to embeddings\.example:8080/);
  for (const url of ["file:///etc/passwd", "http://a:b@127.0.0.1/v1", "nonsense"])
    expect((await server.call("PUT", "/v1/search-model", { body: { url, name: "m" } })).status).toBe(400);
  const app = await server.grant({ all: true });
  expect((await server.get("/v1/search-model", { token: app.access_token })).status).toBe(403);
  const { body } = await server.get("/v1/activity", { query: { limit: 20 } });
  expect(body.data.map((entry: Loose) => entry.action)).toContain("setSearchModel");
});
