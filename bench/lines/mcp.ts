// A tool call on /mcp compared with an empty tool on a bare SDK server: CPU time per process, over all threads.
import type { Bench } from "../bench.ts";
import { recordAt, STREAM } from "../data.ts";
import { type Client, openClient } from "../http-client.ts";
import { median } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { issueToken, type Started, startPostern, startYardstick } from "../server.ts";

const ROUNDS = 35;
/** Warm-up rounds until both sides are compiled; they are not counted. */
const WARM = 20;
const CALLS = 50;
const MODERN = "2026-07-28";

type Era = "2026-07-28" | "2025-11-25";
interface Side {
  server: Started;
  call(index: number): Promise<void>;
}

export const mcp: Bench = {
  name: "mcp",
  async onHome(home) {
    const token = await issueToken(home.path, "grant");
    const [server, yardstick] = [await startPostern(home.path), await startYardstick("mcp-empty.ts")];
    const [ours, bare] = [await openClient(server.port), await openClient(yardstick.port)];
    const id = (index: number) => recordAt((index * 7919) % home.records, home.records).id;
    const tools = {
      "fetch of a record": ["fetch", (index: number) => ({ id: `${STREAM}:${id(index)}` })],
      "query_records, newest 10": ["query_records", () => ({ stream: STREAM, limit: 10 })],
    } as const;
    const results: Result[] = [];
    for (const [what, [tool, args]] of Object.entries(tools)) {
      for (const era of [MODERN, "2025-11-25"] as const) {
        const cpu = await alternateCpu(
          { server, call: (index) => callTool(ours, server.port, token, era, tool, args(index)) },
          {
            server: yardstick,
            call: (index) => callTool(bare, yardstick.port, token, era, "empty", { id: id(index) }),
          },
        );
        results.push({
          line: `MCP ${what}, CPU time (protocol ${era})`,
          size: home.name,
          ratio: cpu.ours / cpu.yardstick,
          budget: { atMost: 1.5 },
          ours: inMs(cpu.ours),
          yardstick: inMs(cpu.yardstick),
          against: "an empty tool on a bare SDK server",
        });
      }
    }
    for (const client of [ours, bare]) client.close();
    await Promise.all([server.stop(), yardstick.stop()]);
    return results;
  },
};

/** Returns milliseconds of CPU time per call. */
async function alternateCpu(ours: Side, yardstick: Side): Promise<{ ours: number; yardstick: number }> {
  const spent = new Map<Side, number[]>([
    [ours, []],
    [yardstick, []],
  ]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, perCall] of spent) {
      const before = side.server.cpuMs();
      for (let call = 0; call < CALLS; call++) await side.call(round * CALLS + call);
      if (round >= WARM) perCall.push((side.server.cpuMs() - before) / CALLS);
    }
  }
  return { ours: median(spent.get(ours)!), yardstick: median(spent.get(yardstick)!) };
}

async function callTool(client: Client, port: number, token: string, era: Era, name: string, args: object) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name, arguments: args, ...(era === MODERN ? { _meta } : {}) };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${era}`,
    ...(era === MODERN ? ["MCP-Method: tools/call", `MCP-Name: ${name}`] : []),
    `Content-Length: ${body.length}`,
  ];
  const answer = await client.send(`${head.join("\r\n")}\r\n\r\n`, body);
  if (!answer.includes('"content":[') || answer.includes('"isError":true')) throw new Error(`${name}: ${answer}`);
}
