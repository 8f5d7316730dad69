// P-01: the OpenAPI document: every route, parameter and error, and schemas that real responses match.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../src/contract/errors.ts";
import { ROUTES } from "../../src/engine/calls/calls.ts";
import { FILE_ROUTES } from "../../src/surfaces/files/routes.ts";
import { PROBES } from "../../src/surfaces/http/probes.ts";
import { addHostile } from "../connectors/hostile-connector.ts";
import { type Receiver, startReceiver, subscribed, until } from "../events/receiver.ts";
import { type Ask, HOME_OWNER, type Loose, ndjson, type TestServer, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, book, library } from "../library.ts";
import { checkResponse } from "../response-check.ts";

const JSON_TYPE = "application/json";
let server: TestServer;
let document: Loose;
let connection: string;
let receiver: Receiver | undefined;
beforeAll(async () => {
  server = await testServer();
  document = (await server.get("/openapi.json", { token: null })).body;
  await server.register("library", library);
  connection = await server.connect("library", "First");
  await server.ingest("books", connection, BOOKS);
  await server.ingest("authors", connection, AUTHORS);
});
afterAll(async () => {
  await server.close();
  await receiver?.close();
});

describe("P-01 openapi.json", () => {
  test("P-01 lists every route, parameter and error code, and has the structure of OpenAPI 3.1", async () => {
    const { status, headers, body } = await server.get("/openapi.json", { token: null });
    expect([status, headers.get("content-type"), body.openapi]).toEqual([200, JSON_TYPE, "3.1.0"]);
    expect(Object.keys(body.info)).toEqual(expect.arrayContaining(["title", "version"]));
    expect(body.components.schemas.Error.properties.error.properties.code.enum.sort()).toEqual(
      Object.keys(ERRORS).sort(),
    );
    const operations: string[] = [];
    for (const route of ROUTES) {
      const operation = body.paths[route.path][route.method.toLowerCase()];
      operations.push(operation.operationId);
      const named = operation.parameters
        .filter((one: Loose) => one.in !== "header")
        .map((one: Loose) => `${one.in} ${one.name}`);
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => `path ${match[1]}`);
      expect(named.sort()).toEqual([...inPath, ...Object.keys(route.parameters).map((name) => `query ${name}`)].sort());
      for (const one of operation.parameters) {
        expect(typeof one.schema).toBe("object");
        if (one.in === "path") expect(one.required).toBe(true);
      }
      const sends = route.body !== undefined || (route.method !== "GET" && route.streams !== undefined);
      expect([route.path, "requestBody" in operation]).toEqual([route.path, sends]);
      const partial = route.streams?.endsWith("-download") ? ["206", "416"] : [];
      expect(Object.keys(operation.responses)).toEqual([String(route.status ?? 200), ...partial, "default"]);
    }
    operations.push(...FILE_ROUTES.map(({ call }) => call));
    for (const path of Object.keys(PROBES)) operations.push(body.paths[path].get.operationId);
    expect(new Set(operations).size).toBe(operations.length);
    expect(Object.values(body.paths).flatMap((path) => Object.keys(path as object))).toHaveLength(operations.length);
  });

  test("P-01 every reference resolves, and every schema is referenced", () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!));
    for (const reference of references) {
      const target = reference.split("/").reduce((at: Loose, name) => at?.[name], document);
      expect(target, reference).toBeDefined();
    }
    const names = Object.keys(document.components.schemas).map((name) => `components/schemas/${name}`);
    expect(names.filter((name) => !references.has(name))).toEqual([]);
    expect(text).not.toMatch(/"\$(?:defs|id|schema)"/);
  });

  test("P-01 a response has a named schema, consists of bytes or is empty, and is never an unnamed object", () => {
    for (const route of ROUTES) {
      const { content } = answerOf(route.method, route.path);
      if (["blob-download", "export", "export-download"].includes(route.streams ?? ""))
        expect(content).toEqual({ "*/*": { schema: { type: "string", format: "binary" } } });
      else if (route.status === 204) expect(content).toBeUndefined();
      else expect(Object.keys(content[JSON_TYPE].schema), route.path).toEqual(["$ref"]);
    }
  });
});

describe("P-01 the schemas of openapi.json", () => {
  let ajv: Ajv2020;
  beforeAll(() => {
    ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { "date-time": true, date: true } });
    ajv.addVocabulary(Object.keys(document));
    ajv.addSchema({ ...document, $id: "https://postern.test/openapi.json" });
  });
  const compile = (reference: string): ValidateFunction =>
    ajv.compile({ $ref: `https://postern.test/openapi.json${reference}` });

  test("P-01 every schema compiles as JSON Schema 2020-12", () => {
    for (const name of Object.keys(document.components.schemas))
      expect(compile(`#/components/schemas/${name}`), name).toBeTypeOf("function");
  });

  test("P-01 every kind of real response from every route is valid, and undocumented fields are not", async () => {
    const met = new Set<string>();
    for (const [method, path, names, ask] of await realCalls()) {
      const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(names[name]!));
      const { status, body } = await server.call(method, address, ask);
      met.add(`${method} ${path}`);
      expect(document.paths[path][method.toLowerCase()].responses, `${method} ${path}`).toHaveProperty(String(status));
      const { content } = answerOf(method, path);
      if (content?.[JSON_TYPE] === undefined) continue;
      const validate = compile(content[JSON_TYPE].schema.$ref);
      validate(body);
      expect(validate.errors, `${method} ${path} ${JSON.stringify(body)}`).toBeNull();
      expect(validate({ ...body, undocumented: 1 }), `${method} ${path}`).toBe(false);
    }
    expect([...met].sort()).toEqual(ROUTES.map((route) => `${route.method} ${route.path}`).sort());
  });

  test("P-01 every response in every test is checked with the schemas", async () => {
    const { text, body } = await server.get("/v1/connections");
    const check = (status: number, value: unknown) => () =>
      checkResponse("GET", `${server.url}/v1/connections`, { status, text: JSON.stringify(value) });
    expect(check(200, JSON.parse(text))).not.toThrow();
    expect(check(201, body)).toThrow("not 200");
    expect(check(200, { ...body, more: 1 })).toThrow('"more" is not recognised');
    expect(check(200, { ...body, data: [{ ...body.data[0], source: undefined }] })).toThrow("data[0].source");
    const { error } = (await server.get("/v1/nowhere")).body;
    expect(check(404, { error })).not.toThrow();
    expect(check(403, { error })).toThrow("differ");
    expect(check(404, { error: { ...error, doc_url: undefined } })).toThrow("doc_url");
  });

  test("P-01 every error that these calls return is valid", async () => {
    await server.connect("library", "Second");
    const validate = compile("#/components/schemas/Error");
    const asks: [string, string, Ask?][] = [
      ["GET", "/v1/schema", { token: null }],
      ["GET", "/v1/schema", { query: { nothing: "1" } }],
      ["GET", "/v1/streams/books/records"],
      ["GET", "/v1/nowhere"],
      ["PATCH", "/v1/schema"],
      ["POST", "/v1/grants", { body: "{" }],
      ["GET", "/nowhere"],
    ];
    const codes: string[] = [];
    for (const [method, path, ask] of asks) {
      const { body } = await server.call(method, path, ask);
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
      codes.push(body.error.code);
    }
    expect(new Set(codes).size).toBeGreaterThan(4);
  });
});

const answerOf = (method: string, path: string): Loose => {
  const { responses } = document.paths[path][method.toLowerCase()];
  return responses[Object.keys(responses)[0]!];
};

type RealCall = [method: string, path: string, names: Record<string, string>, ask?: Ask];

/** Calls each route at least once, in an order in which each can succeed. */
async function realCalls(): Promise<RealCall[]> {
  const here = { connection_id: connection };
  const blob = (await server.call("POST", "/v1/blobs", { query: { ...here, stream: "books" }, body: "bytes" })).body;
  const cover = { ...blob, mime_type: "text/plain" };
  await server.ingest("books", connection, [
    {
      ...book("real", { title: "Real", notes: `a thin long note${" and so on".repeat(300)}`, cover, author_id: "a1" }),
      provenance: { offset: 1 },
    },
    book("gone"),
  ]);
  const selections = [{ connection_id: connection, stream: "books", since: "2020-01-01T00:00:00Z" }];
  const { grant_id: id } = await server.grant({ selections });
  const narrow = await server.grant({ selections: [{ ...selections[0], fields: ["title"] }] });
  const spare = await server.connect("library", "Spare");
  const bundle = await server.grant({
    selections: [...selections, { connection_id: spare }],
    expires_in_seconds: 3600,
    purpose_description: "to see",
  });
  await server.get("/v1/streams/books/records", { token: bundle.access_token, query: here });
  await server.get("/v1/streams/books/records?fields=secret", {
    token: narrow.access_token,
    headers: { "Request-Id": "denied-once" },
  });
  const spareToken = await server.host.call("issueOwnerToken", { expires_in_seconds: 60 }, HOME_OWNER);
  const books = { stream: "books" };
  const exported = await finishedExport({ ...books, ...here, format: "csv" });
  const lost = await server.grant({ selections });
  const failed = await finishedExport({ ...books, ...here }, lost.access_token, lost.grant_id);
  const imported = await finishedImport();
  const { import_id: large } = await upload(LARGE.length);
  const scheduled = await failedSchedule();
  const { connectionId: disk } = await (await server.files()).addRoot({ path: import.meta.dirname });
  const refused = await collecting("lies-about-key", ({ status }) => status === "succeeded");
  const told = await collecting("told", ({ status }) => status === "succeeded");
  const broken = await collecting("crash-midway", ({ status }) => status === "failed");
  const asking = await collecting("otp", ({ question }) => question !== undefined);
  const running = await collecting("never-finishes", ({ progress }) => progress !== undefined);
  const ready = await addHostile(server.host, "good");
  const real = { ...books, id: "real" };
  const feed = "/v1/streams/{stream}/records";
  const one = "/v1/streams/{stream}/records/{id}";
  return [
    ["GET", "/v1/schema", {}],
    ["GET", "/v1/schema", {}, { token: bundle.access_token, query: { ...books, ...here, detail: "full" } }],
    ["GET", "/v1/streams", {}],
    ["GET", "/v1/streams/{stream}", books, { query: here }],
    ["GET", feed, books, { query: { ...here, limit: 1000, count: "exact", "expand[]": "author" } }],
    ["DELETE", one, { ...books, id: "gone" }, { query: here }],
    ["GET", feed, books, { query: { ...here, changes_since: "beginning", limit: 100 } }],
    ["GET", "/v1/changes", {}, { query: { changes_since: "2020-01-01", limit: 100 } }],
    ["GET", one, real, { query: { ...here, "expand[]": "author" } }],
    ["GET", `${one}/field-window`, real, { query: { ...here, field: "notes", q: "long", before_chars: 1 } }],
    ["GET", `${one}/field-window`, real, { query: { ...here, field: "notes", limit_chars: 3 } }],
    ["GET", "/v1/streams/{stream}/aggregate", books, { query: { ...here, metric: "max", field: "published_at" } }],
    [
      "GET",
      "/v1/streams/{stream}/aggregate",
      books,
      { query: { ...here, metric: "count", group_by_time: "published_at" } },
    ],
    ["GET", "/v1/search-model", {}],
    ["PUT", "/v1/search-model", {}, { body: { url: "http://127.0.0.1:9/v1", name: "none" } }],
    ["DELETE", "/v1/search-model", {}],
    ["GET", "/v1/search", {}, { query: { q: "thin", facets: "true", mode: "hybrid", limit: 1 } }],
    ["GET", "/v1/search", {}, { query: { q: "thinn nowhere" } }],
    ["GET", "/v1/timeline", {}, { query: { since: "2020-01-01", "kinds[]": "email", limit: 1 } }],
    ["GET", "/v1/timeline", {}, { query: { limit: 1 } }],
    ["GET", "/v1/timeline/counts", {}, { query: { granularity: "month" } }],
    ["GET", "/v1/people", {}],
    ["POST", "/v1/people/merge", {}, { body: { identifiers: ["ada@example.com", "Ada"] } }],
    ["POST", "/v1/people/split", {}, { body: { identifiers: ["Ada"] } }],
    ["POST", "/v1/people/undo", {}, { body: { revision: 2 } }],
    ["GET", "/v1/export", {}, { query: { ...books, ...here, format: "csv" } }],
    ["GET", "/v1/export/handle", {}, { query: { ...books, ...here } }],
    ["GET", "/v1/export/info", {}, { query: { ...books, ...here } }],
    ["POST", "/v1/exports", {}, { body: { ...books, ...here, format: "parquet" } }],
    ["GET", "/v1/exports", {}],
    ["GET", "/v1/exports/{id}", { id: exported }],
    ["GET", "/v1/exports/{id}", { id: failed }],
    ["GET", "/v1/exports/{id}/download", { id: exported }],
    ["DELETE", "/v1/exports/{id}", { id: exported }],
    ["GET", "/v1/blobs/{blob_id}", { blob_id: blob.blob_id }],
    ["POST", "/v1/links", {}, { token: narrow.access_token, body: { url: `/v1/blobs/${blob.blob_id}` } }],
    ["GET", "/v1/connections", {}],
    ["GET", "/v1/connectors", {}],
    ["PUT", "/v1/connectors/{connector_key}", { connector_key: "library" }, { body: library }],
    ["POST", "/v1/connections", {}, { body: { connector_id: "library", display_name: "Third" } }],
    ["PATCH", "/v1/connections/{connection_id}", { connection_id: spare }, { body: { display_name: "Renamed" } }],
    ["POST", "/v1/ingest/{stream}", books, { query: here, body: `${ndjson([book("more")])}{}\n` }],
    ["POST", "/v1/blobs", {}, { query: { ...here, stream: "books" }, body: "other bytes" }],
    ["GET", "/v1/state/{connector}", { connector: "library" }, { query: here }],
    [
      "PUT",
      "/v1/state/{connector}",
      { connector: "library" },
      { query: here, body: { state: { books: { page: 1 }, authors: null } } },
    ],
    ["GET", "/v1/grants", {}],
    ["POST", "/v1/grants", {}, { body: { all: true, client_name: "x", access_mode: "single_use" } }],
    ["GET", "/v1/grants/{id}", { id }],
    ["GET", "/v1/grants/{id}", { id: bundle.grant_package_id }],
    ["PATCH", "/v1/grants/{id}", { id: bundle.grant_package_id }, { body: { expires_in_seconds: 60 } }],
    ["POST", "/v1/grants/{id}/pause", { id: bundle.grant_package_id }],
    ["GET", "/v1/grants/{id}", { id: bundle.grant_package_id }],
    ["POST", "/v1/grants/{id}/resume", { id: bundle.grant_package_id }],
    ["POST", "/v1/grants/{id}/revoke", { id: bundle.grant_package_id }],
    ["POST", "/v1/grants/{id}/restore", { id: bundle.grant_package_id }],
    ["POST", "/v1/grants/{id}/revoke", { id: bundle.grant_package_id }],
    ["GET", "/v1/grants/{id}", { id: bundle.grants[0].grant_id }],
    ["GET", "/v1/activity", {}, { query: { limit: 2 } }],
    ["GET", "/v1/activity/days", {}, { query: { actor: "app", time_zone: "Europe/Dublin" } }],
    ["GET", "/v1/activity/why", {}, { query: { request_id: "denied-once" } }],
    ["GET", "/v1/activity/verify", {}],
    ["GET", "/v1/activity/verify/progress", {}],
    ["GET", "/v1/me", {}],
    ["PATCH", "/v1/me", {}, { body: { add: ["Nora Keane"] } }],
    ["GET", "/v1/owner-tokens", {}],
    ["DELETE", "/v1/owner-tokens/{id}", { id: spareToken.token_id }],
    ["DELETE", "/v1/connections/{connection_id}", { connection_id: spare }],
    ["POST", "/v1/imports", {}, { body: { name: "x.html", size: 5 } }],
    ["GET", "/v1/imports", {}],
    ["PUT", "/v1/recognition", {}, { body: { paused: true, photos: false } }],
    ["GET", "/v1/recognition", {}],
    ["GET", "/v1/imports/{id}", { id: imported.id }],
    ["GET", "/v1/imports/{id}", { id: imported.part }],
    ["GET", "/v1/imports/uploads/{id}", { id: `${large}.0` }],
    ["PATCH", "/v1/imports/uploads/{id}", { id: `${large}.0` }, { headers: { "Upload-Offset": "0" }, body: LARGE }],
    ["POST", "/v1/imports/{id}/plan", { id: large }, { body: {} }],
    ["POST", "/v1/imports/{id}/run", { id: large }, { body: { answers: {} } }],
    ["POST", "/v1/imports/{id}/pause", { id: large }],
    ["POST", "/v1/imports/{id}/resume", { id: large }],
    ["POST", "/v1/imports/{id}/cancel", { id: large }],
    ["POST", "/v1/imports/{id}/undo", { id: imported.id }],
    ["GET", "/v1/connector-setups", {}],
    ["GET", "/v1/connector-setups/{connection_id}", asking],
    [
      "PUT",
      "/v1/connections/{connection_id}/settings",
      asking,
      { body: { settings: { count: 2 }, secrets: { password: "x" } } },
    ],
    ["GET", "/v1/connections/{connection_id}/runs", asking],
    ...[asking, refused, told, broken].map(({ id }): RealCall => ["GET", "/v1/runs/{id}", { id }]),
    ["GET", "/v1/runs/{id}/log", asking],
    ["POST", "/v1/runs/{id}/answers", asking, { body: { request_id: "o1", values: { code: "1" } } }],
    ["POST", "/v1/runs/{id}/cancel", running],
    ["POST", "/v1/connections/{connection_id}/runs", { connection_id: ready.connectionId }, { body: {} }],
    ["DELETE", "/v1/connector-setups/{connection_id}", broken],
    ["GET", "/api/jobs/{id}", told],
    ["POST", "/v1/schedules", {}, { body: { folder: tmpdir(), every_seconds: 3600, answers: { date_order: "dmy" } } }],
    ["GET", "/v1/schedules", {}],
    ["GET", "/v1/schedules/{id}", { id: scheduled.schedule_id }],
    ["POST", "/v1/schedules/{id}/pause", { id: scheduled.schedule_id }],
    ["POST", "/v1/schedules/{id}/resume", { id: scheduled.schedule_id }],
    ["POST", "/v1/schedules/{id}/run", { id: scheduled.schedule_id }],
    ["PUT", "/v1/connections/{connection_id}/schedule", { connection_id: disk }, { body: { cron: "@daily" } }],
    ["DELETE", "/v1/schedules/{id}", { id: disk }],
    ["GET", "/api/jobs/{id}", { id: imported.id }],
    ["GET", "/api/jobs/{id}", { id: failed }],
    ...(await eventCalls()),
  ];
}

/** Calls for a subscription that has received an event, with a receiver that responds. */
async function eventCalls(): Promise<RealCall[]> {
  receiver = await startReceiver();
  const app = await server.grant({
    selections: [{ connection_id: connection, stream: "books" }],
  });
  const { access_token: token, grant_id } = app;
  const { id } = await subscribed(server, app, receiver, {
    streams: [{ stream: "books", connection_id: connection }],
  });
  await server.ingest("books", connection, [book("told")]);
  const told = await until(() => receiver!.events[0]);
  const path = "/v1/event-subscriptions";
  const { client_id } = app.grants[0].client;
  return [
    ["GET", `${path}/capabilities`, {}, { token: null }],
    ["GET", path, {}, { token }],
    ["GET", path, {}, { query: { grant_id } }],
    ["POST", path, {}, { body: { url: "https://app.example.test/hook", grant_id } }],
    ["GET", `${path}/{id}`, { id }],
    ["GET", `${path}/{id}/deliveries`, { id }, { query: { limit: 1 } }],
    ["POST", `${path}/{id}/test-event`, { id }],
    ["POST", `${path}/{id}/verify`, { id }],
    ["POST", `${path}/{id}/rotate-secret`, { id }],
    ["POST", `${path}/{id}/replay`, { id }, { body: { event_id: told.id } }],
    ["PATCH", `${path}/{id}`, { id }, { body: { status: "paused" } }],
    ["DELETE", `${path}/{id}`, { id }],
    ["POST", `${path}/{id}/restore`, { id }],
    ["PUT", "/v1/event-hosts/{host}", { host: "10.0.0.7:8080" }, { query: { client_id } }],
    ["GET", "/v1/event-hosts", {}],
    ["DELETE", "/v1/event-hosts/{host}", { host: "10.0.0.7:8080" }, { query: { client_id } }],
  ];
}

/** Starts a run and waits until it has reached the given state. */
async function collecting(mode: string, fits: (run: Loose) => boolean): Promise<{ id: string; connection_id: string }> {
  const { connectionId: connection_id } = await addHostile(server.host, mode);
  const { run_id: id } = (await server.call("POST", `/v1/connections/${connection_id}/runs`, { body: {} })).body;
  while (!fits((await server.get(`/v1/runs/${id}`)).body)) await new Promise((resolve) => setTimeout(resolve, 20));
  return { id, connection_id };
}

const bookmarks = (count: number): string =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${'<A HREF="https://example.org/">Page</A>\n'.repeat(count)}`;
/** An import of this size takes long enough to be paused. */
const LARGE = bookmarks(50_000);

/** Creates a schedule that has run and failed, so that its response has all optional fields. */
async function failedSchedule(): Promise<Loose> {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-watched-"));
  const { body } = await server.call("POST", "/v1/schedules", { body: { folder, cron: "@daily" } });
  rmSync(folder, { recursive: true });
  await server.call("POST", `/v1/schedules/${body.schedule_id}/run`);
  await server.jobs.schedules.idle();
  return body;
}

/** Returns a finished import, with the id of its only part. */
async function finishedImport(): Promise<{ id: string; part: string }> {
  const file = bookmarks(2);
  const { import_id: id, upload_url } = await upload(file.length);
  await server.call("PATCH", upload_url, { headers: { "Upload-Offset": "0" }, body: file });
  await server.call("POST", `/v1/imports/${id}/run`, { body: {} });
  for (;;) {
    const { status, imports } = (await server.get(`/v1/imports/${id}`)).body;
    if (status === "succeeded") return { id, part: imports[0].import_id };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const upload = async (size: number): Promise<Loose> =>
  (await server.call("POST", "/v1/imports", { body: { name: "b.html", size } })).body;

/** Returns a finished export. If a grant is given, the export failed because the grant was revoked. */
async function finishedExport(body: object, token?: string, revoked?: string): Promise<string> {
  const made = await server.call("POST", "/v1/exports", { body, ...(token === undefined ? {} : { token }) });
  const { export_id: id } = made.body;
  for (;;) {
    const { status } = (await server.get(`/v1/exports/${id}`)).body;
    if (status === "failed" || (status === "succeeded" && revoked === undefined)) return id;
    if (status === "succeeded") await server.call("POST", `/v1/grants/${revoked}/revoke`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
