// C-08: the requests of the reference's read-surface smoke script and of its CLI, and the fields that they expect in
// the responses.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoHome } from "../demo-home.ts";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { post } from "../mcp.ts";

const STREAM = "messages";
const DATE = "sent_at";
const SINCE = "1970-01-01T00:00:00.000Z";
const WORD = "lisbon";
const NO_GRANT = "pdpp-read-surface-smoke-non-grant-bearer";

let home: string;
let server: TestServer;
let token: string;
let connection: string;
beforeAll(async () => {
  home = await demoHome();
  server = await testServer({ home });
  ({ access_token: token } = await server.grant({ all: true }));
  const { body } = await server.get("/v1/connections");
  connection = body.data.find((row: Loose) => row.display_name === "Personal mail").connection_id;
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const rest = async (path: string, query: Record<string, string | number> = {}, bearer = token): Promise<Loose> => {
  const { status, body } = await server.get(path, { token: bearer, query });
  return { status, ...body };
};
const RECORDS = `/v1/streams/${STREAM}/records`;
const AGGREGATE = `/v1/streams/${STREAM}/aggregate`;
const ok = async (path: string, query: Record<string, string | number> = {}): Promise<Loose> => {
  const { status, ...body } = await rest(path, query);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

/** Returns every connection id in a schema: on connectors, on streams and on their granted connections. */
function connectionIds({ connectors }: Loose): string[] {
  const rows = connectors.flatMap((connector: Loose) => [
    connector,
    ...(connector.granted_connections ?? []),
    ...connector.streams.flatMap((stream: Loose) => [stream, ...(stream.granted_connections ?? [])]),
  ]);
  return [...new Set<string>(rows.map((row: Loose) => row.connection_id).filter(Boolean))];
}

function expectOneSource(schema: Loose): void {
  expect(schema.connectors.flatMap(({ streams }: Loose) => streams.map(({ name }: Loose) => name))).toEqual([STREAM]);
  expect(connectionIds(schema)).toEqual([connection]);
  const keys = schema.connectors.flatMap((row: Loose) =>
    [row, ...row.streams].map(({ connector_key }) => connector_key),
  );
  expect([...new Set(keys.filter(Boolean))]).toEqual(["mail"]);
}

describe("C-08 the reference's smoke script on REST", () => {
  test("C-08 schema: compact, and limited to one source", async () => {
    await ok("/v1/schema");
    expect((await ok("/v1/schema", { view: "compact" })).detail).toBe("compact");
    expectOneSource(await ok("/v1/schema", { view: "compact", stream: STREAM, connection_id: connection }));
    expect((await ok("/v1/streams", { connection_id: connection })).data.length).toBeGreaterThan(0);
  });

  test("C-08 pages, projections, sort, count and filters", async () => {
    const one = { connection_id: connection, limit: 1 };
    const [first] = (await ok(RECORDS, one)).data;
    expect(typeof first.id).toBe("string");
    expect(Object.keys((await ok(RECORDS, { ...one, fields: "id" })).data[0].data)).toEqual(["id"]);
    const ambiguous = await rest(RECORDS, { limit: 1 });
    expect([ambiguous.status, ambiguous.error.code]).toEqual([409, "ambiguous_connection"]);
    await ok(RECORDS, { ...one, sort: `-${DATE}` });
    const counted = await ok(RECORDS, { ...one, count: "exact" });
    expect([counted.has_more, typeof counted.next_cursor, counted.meta.count.kind]).toEqual([true, "string", "exact"]);
    await ok(RECORDS, { ...one, [`filter[${DATE}][gte]`]: SINCE });
    const path = `${RECORDS}/${encodeURIComponent(first.id)}`;
    await ok(path, { connection_id: connection });
    expect(Object.keys((await ok(path, { connection_id: connection, fields: "id" })).data)).toEqual(["id"]);
  });

  test("C-08 search in one source and in all, aggregates and events", async () => {
    await ok("/v1/search", { connection_id: connection, limit: 1, q: WORD, streams: STREAM });
    const hits = (await ok("/v1/search", { limit: 3, q: WORD, streams: STREAM })).data;
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.length).toBeLessThanOrEqual(3);
    for (const hit of hits) expect(hit.connection_id).toMatch(/^cin_/);
    await ok(AGGREGATE, { connection_id: connection, metric: "count" });
    await ok(AGGREGATE, {
      connection_id: connection,
      granularity: "day",
      group_by_time: DATE,
      limit: 7,
      metric: "count",
    });
    const metadata = await ok("/.well-known/oauth-protected-resource");
    expect(metadata.capabilities.client_event_subscriptions.supported).toBe(true);
    await ok("/v1/event-subscriptions");
    const refused = await rest("/v1/schema", {}, NO_GRANT);
    expect([refused.status, refused.error.code]).toEqual([401, "authentication_error"]);
  });

  test("C-08 other requests by its stdio adapter and CLI also work: stream metadata, a window, connector_instance_id", async () => {
    const metadata = await ok(`/v1/streams/${STREAM}`, { connection_id: connection });
    expect(metadata.granted_connections.map(({ connection_id }: Loose) => connection_id)).toEqual([connection]);
    const [{ id }] = (await ok(RECORDS, { connector_instance_id: connection, limit: 1, order: "asc" })).data;
    const window = { connection_id: connection, field: "body", limit_chars: 20, offset_chars: 0 };
    const { window: shown } = await ok(`${RECORDS}/${encodeURIComponent(id)}/field-window`, window);
    expect(shown).toMatchObject({ start_chars: 0, end_chars: 20 });
  });

  test.each(["semantic", "hybrid"])(
    "C-08 its CLI's %s search is refused with not_found, as the capabilities state",
    async (mode) => {
      const { status, error } = await rest(`/v1/search/${mode}`, { q: WORD });
      expect(status).toBe(404);
      expect(error.code).toBe("not_found");
    },
  );
});

describe("C-08 the reference's smoke script on MCP", () => {
  const call = async (name: string, args: object): Promise<Loose> =>
    (await post(server.url, token, "tools/call", { name, arguments: args })).result;
  const good = async (name: string, args: object): Promise<Loose> => {
    const { isError, structuredContent } = await call(name, args);
    expect([isError ?? false, structuredContent.error]).toEqual([false, undefined]);
    return structuredContent;
  };
  const one = { stream: STREAM, limit: 1 };

  test("C-08 connects with protocol version 2024-11-05, lists the five tools, and reads the schema with connection_id", async () => {
    const clientInfo = { name: "pdpp-read-surface-smoke", version: "1" };
    const opened = await post(server.url, token, "initialize", {
      capabilities: {},
      clientInfo,
      protocolVersion: "2024-11-05",
    });
    expect([opened.error, typeof opened.result.protocolVersion]).toEqual([undefined, "string"]);
    const { tools } = (await post(server.url, token, "tools/list")).result;
    expect(tools.map(({ name }: Loose) => name).sort()).toEqual(
      ["aggregate", "fetch", "query_records", "schema", "search"].sort(),
    );
    expect(tools.find(({ name }: Loose) => name === "schema").inputSchema.properties).toHaveProperty("connection_id");
  });

  test("C-08 schema: compact, full and limited to one source", async () => {
    await good("schema", {});
    expect((await good("schema", { detail: "compact" })).data.detail).toBe("compact");
    const scoped = { stream: STREAM, connection_id: connection };
    expect(JSON.stringify(await good("schema", { ...scoped, detail: "full" })).length).toBeLessThan(200_000);
    expectOneSource((await good("schema", { ...scoped, detail: "compact" })).data);
  });

  test("C-08 pages, projections, ambiguity, sort, count and filters", async () => {
    const scoped = { ...one, connection_id: connection };
    const [first] = (await good("query_records", scoped)).data;
    const id = first.id ?? first.data.id;
    expect(typeof id).toBe("string");
    expect(Object.keys((await good("query_records", { ...scoped, fields: ["id"] })).data[0].data)).toEqual(["id"]);
    expect((await call("query_records", one)).structuredContent.error.code).toBe("ambiguous_connection");
    const counted = await good("query_records", { ...scoped, count: "exact", sort: `-${DATE}` });
    expect([typeof counted.next_cursor, counted.count.kind]).toEqual(["string", "exact"]);
    await good("query_records", { ...scoped, filter: { [DATE]: { gte: SINCE } } });
    for (const filter of [`filter[${DATE}][gte]=${SINCE}`, `filter%5B${DATE}%5D%5Bgte%5D=${encodeURIComponent(SINCE)}`])
      expect((await call("query_records", { ...scoped, filter })).isError).toBe(true);
    const bare = { connection_id: connection, id: `${STREAM}:${id}` };
    await good("fetch", bare);
    // The script warns that the text is not JSON. Our responses have text for people there.
    expect((await good("fetch", { ...bare, fields: ["id"] })).text).toBe(`id: ${JSON.stringify(id)}`);
  });

  test("C-08 search by q and mode works in one source and in all, aggregates work, and a call without a grant is refused", async () => {
    await good("search", { connection_id: connection, limit: 1, mode: "lexical", q: WORD, streams: [STREAM] });
    const { results } = await good("search", { limit: 3, mode: "lexical", q: WORD, streams: [STREAM] });
    expect(results.length).toBeGreaterThan(0);
    for (const hit of results) expect(hit.connection_id).toMatch(/^cin_/);
    await good("aggregate", { connection_id: connection, metric: "count", stream: STREAM });
    await good("aggregate", {
      connection_id: connection,
      granularity: "day",
      group_by_time: DATE,
      limit: 7,
      metric: "count",
      stream: STREAM,
    });
    const refused = await post(server.url, NO_GRANT, "tools/list");
    expect(refused.error).toBeTruthy();
    expect(refused.result).toBeUndefined();
  });
});
