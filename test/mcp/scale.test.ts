// A package of 50 sources, 200 connections and 1,000 stream names: every response stays within its budget.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";
import { callTool, resultBytes, textAndDataBytes } from "../mcp.ts";

const SOURCES = 50;
const STREAMS = 20;
const CONNECTIONS = 200;

let server: TestServer;
let token: string;
const names = new Set<string>();

const stream = (name: string) => ({
  name,
  semantics: "append_only",
  primary_key: ["id"],
  schema: {
    type: "object",
    required: ["id"],
    properties: { id: { type: "string" }, text: { type: "string" }, at: { type: "string", format: "date-time" } },
  },
  query: { search: { lexical_fields: ["text"] } },
});

beforeAll(async () => {
  server = await testServer();
  const connections: string[] = [];
  for (let source = 0; source < SOURCES; source++) {
    const own = Array.from({ length: STREAMS - 1 }, (_, index) => `records_${source}_${index}`);
    for (const name of [...own, "messages"]) names.add(name);
    await server.register(`source${source}`, {
      protocol_version: "0.1.0",
      source: { kind: "connector", id: `https://test.example/source${source}` },
      declaration_version: "1",
      publisher: { id: "test" },
      display: { name: `Source number ${source}` },
      streams: [...own, "messages"].map(stream),
    });
    const made = Array.from({ length: CONNECTIONS / SOURCES }, (_, index) =>
      server.connect(`source${source}`, `Account ${index} of ${source}`),
    );
    connections.push(...(await Promise.all(made)));
  }
  await Promise.all(
    connections.map((connection, index) => {
      if (index % 10 !== 0) return undefined;
      const data = { id: `m${index}`, text: `a heron at ${index}` };
      return server.ingest("messages", connection, [{ key: data.id, data }]);
    }),
  );
  token = (await server.grant({ all: true })).access_token;
});
afterAll(() => server.close());

const call = (tool: string, args: object): Promise<Loose> => callTool(server.url, token, tool, args);

describe("50 sources × 20 streams, 200 connections", () => {
  it("E-08 schema() lists every stream name in text and data, which take at most 20 KB each", async () => {
    const result = await call("schema", {});
    for (const size of textAndDataBytes(result)) expect(size).toBeLessThanOrEqual(20_000);
    const { data } = result.structuredContent;
    expect(data.connectors).toHaveLength(SOURCES);
    expect(data).toMatchObject({ stream_count: SOURCES * STREAMS, connection_count: CONNECTIONS });
    expect(new Set(data.connectors.flatMap((row: Loose) => row.streams))).toEqual(names);
    for (const name of names) expect(result.text).toContain(name);
    expect(result.text).toContain(data.left_out);
  });

  it("E-10 C-04 schema(stream) lists all connections in pages of at most 16 KB of text and data", async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const result = await call("schema", { stream: "messages", ...(cursor === undefined ? {} : { cursor }) });
      expect(resultBytes(result)).toBeLessThanOrEqual(16_000);
      const rows = result.structuredContent.data.connectors.flatMap((row: Loose) => row.streams);
      for (const id of rows.flatMap((row: Loose) => row.connection_ids)) {
        seen.add(id);
        expect(result.text).toContain(id);
      }
      cursor = result.structuredContent.data.next_cursor;
    } while (cursor !== undefined);
    expect(seen.size).toBe(CONNECTIONS);
  });

  it("E-22 ambiguous_connection takes at most 2 KB, with ten candidates, totals and the option to read all", async () => {
    for (const [tool, args] of [
      ["query_records", { stream: "messages" }],
      ["aggregate", { stream: "messages", metric: "count" }],
      ["schema", { stream: "messages", detail: "full" }],
      ["fetch", { id: "messages:m0" }],
    ] as const) {
      const result = await call(tool, args);
      expect(result.isError).toBe(true);
      for (const size of textAndDataBytes(result)) expect(size).toBeLessThanOrEqual(2_000);
      const { error } = result.structuredContent;
      expect(error).toMatchObject({
        code: "ambiguous_connection",
        available_connections_total: CONNECTIONS,
        available_connections_truncated: true,
      });
      expect(error.available_connections).toHaveLength(10);
      expect(error.next_step).toContain("schema(");
    }
  });

  it("E-16 search across all of them stays within its budget", async () => {
    const result = await call("search", { query: "heron" });
    expect(result.structuredContent.results).toHaveLength(10);
    expect(result.structuredContent.count.value).toBe(20);
    expect(resultBytes(result)).toBeLessThanOrEqual(7_000);
  });
});
