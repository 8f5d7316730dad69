// MCP under a wide grant package: 50 sources, 1,000 streams and 200 connections, compared with a tenth of that and the
// same number of records.
import { mkdirSync, rmSync } from "node:fs";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { benchFolder } from "../home.ts";
import { alternate } from "../measure.ts";
import { inMs } from "../report.ts";
import { type Started, startPostern } from "../server.ts";

const OWNER = { home: true } as const;
const STREAMS = 20;
const PER_SOURCE = 4;
const RECORDS = 2_000;
const WIDE = 50;
const NARROW = 5;

export const packages: Bench = {
  name: "package",
  async onSize(size, { sizes }) {
    // The size of this benchmark is fixed, so it runs only once.
    if (size !== sizes[0]) return [];
    const [wide, narrow] = [await sideOf(WIDE), await sideOf(NARROW)];
    const lines: Line[] = [
      { line: "schema() per stream", tool: "schema", args: {}, share: WIDE / NARROW, atMost: 1.5 },
      { line: "ambiguous_connection error", tool: "query_records", args: { stream: "messages" }, share: 1, atMost: 2 },
      { line: "search over all connections", tool: "search", args: { query: "heron" }, share: 1, atMost: 2 },
    ];
    const results = [];
    for (const { line, tool, args, share, atMost } of lines) {
      const work = (side: Side) => () => callTool(side, tool, args);
      const { ours, yardstick, ratio } = await alternate(
        { ours: work(wide), yardstick: work(narrow) },
        { rounds: 9, calls: 20 },
      );
      results.push({
        line: `MCP, wide grant package: ${line}`,
        size: "200 connections",
        ratio: ratio / share,
        budget: { atMost },
        ours: inMs(ours.median),
        yardstick: inMs(yardstick.median),
        against: "the same with 20 connections",
      });
    }
    for (const { server, path } of [wide, narrow]) {
      await server.stop();
      rmSync(path, { recursive: true, force: true });
    }
    return results;
  },
};

interface Line {
  line: string;
  tool: string;
  args: object;
  /** How many times larger the wide grant's response is. */
  share: number;
  atMost: number;
}

interface Side {
  server: Started;
  path: string;
  token: string;
}

async function sideOf(sources: number): Promise<Side> {
  const path = benchFolder(`package-${sources}`);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  const token = await fill(path, sources);
  return { server: await startPostern(path), path, token };
}

async function fill(path: string, sources: number): Promise<string> {
  prepareHome(path);
  const host = localHost(openSqliteStore(path), { home: path, persist: false });
  const connections = sources * PER_SOURCE;
  for (let source = 0; source < sources; source++) {
    const connector_key = `source${source}`;
    await host.call("putConnector", { connector_key, declaration: declaration(source) }, OWNER);
    for (let count = 0; count < PER_SOURCE; count++) {
      const made = await host.call("createConnection", { connector_id: connector_key }, OWNER);
      const { connection_id } = made;
      const lines = Array.from({ length: RECORDS / connections }, (_, index) => recordLine(index));
      await host.call("ingest", { stream: "messages", connection_id, text: lines.join("\n") }, OWNER);
    }
  }
  const issued = await host.call("issueGrant", { all: true }, OWNER);
  await host.close();
  return issued.access_token;
}

const recordLine = (index: number): string =>
  JSON.stringify({
    key: `m${index}`,
    data: { id: `m${index}`, text: `a heron at ${index}` },
    emitted_at: "2024-06-01T00:00:00.000Z",
  });

const declaration = (source: number) => ({
  protocol_version: "0.1.0",
  source: { kind: "connector", id: `https://bench.example/source${source}` },
  declaration_version: "1",
  publisher: { id: "bench" },
  display: { name: `Source ${source}` },
  streams: ["messages", ...Array.from({ length: STREAMS - 1 }, (_, index) => `records_${source}_${index}`)].map(
    (name) => ({
      name,
      semantics: "append_only",
      primary_key: ["id"],
      schema: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, text: { type: "string" } },
      },
      query: { search: { lexical_fields: ["text"] } },
    }),
  ),
});

async function callTool({ server, token }: Side, name: string, args: object): Promise<void> {
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  if (!text.includes('"content":[')) throw new Error(`${name}: ${text}`);
}
