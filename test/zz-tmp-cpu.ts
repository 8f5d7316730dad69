import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import http from "node:http";
import { libraryGate } from "./mcp.ts";
const gate = await libraryGate();
const bare = (fetch: (r: Request) => Promise<Response> | Response) => new Promise<string>((resolve) => { const app = new Hono(); app.all("*", (c) => fetch(c.req.raw)); const s: any = createAdaptorServer({ fetch: app.fetch }); s.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${s.address().port}`)); });
const handler = createMcpHandler(() => { const s = new McpServer({ name: "x", version: "1" }); s.registerTool("empty", { description: "x", inputSchema: z.object({ stream: z.string().optional() }) }, async () => ({ content: [{ type: "text", text: "ok" }] })); return s; });
const sdk = await bare((r) => handler.fetch(r));
const plain = await bare(async (r) => { await r.json(); return Response.json({ ok: true }); });
const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" }, "io.modelcontextprotocol/clientCapabilities": {} };
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const send = (url: string, headers: Record<string, string>, body: string) => new Promise<string>((resolve, reject) => { const r = http.request(url + "/mcp", { method: "POST", agent, headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } }, (res) => { let t = ""; res.setEncoding("utf8"); res.on("data", (d) => (t += d)); res.on("end", () => resolve(t)); }); r.on("error", reject); r.end(body); });
const modern = (name: string, args: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta } });
const legacy = (name: string, args: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
const mh = (name: string) => ({ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name });
const auth = { authorization: `Bearer ${gate.token}` };
const only = process.argv[2];
const sides: Record<string, () => Promise<string>> = {
  plain: () => send(plain, {}, modern("empty", {})),
  "sdk modern": () => send(sdk, mh("empty"), modern("empty", {})),
  "sdk legacy": () => send(sdk, {}, legacy("empty", {})),
  "gate query modern": () => send(gate.server.url, { ...mh("query_records"), ...auth }, modern("query_records", { stream: "loans", limit: 1 })),
  "gate query legacy": () => send(gate.server.url, auth, legacy("query_records", { stream: "loans", limit: 1 })),
  "gate fetch modern": () => send(gate.server.url, { ...mh("fetch"), ...auth }, modern("fetch", { id: `${gate.home}/books:b01` })),
  "gate agg modern": () => send(gate.server.url, { ...mh("aggregate"), ...auth }, modern("aggregate", { stream: "loans", metric: "count" })),
};
if (only) for (const n of Object.keys(sides)) if (n !== only) delete sides[n];
for (const [n, f] of Object.entries(sides)) console.log(n, (await f()).slice(0, 260));
const N = 300; const sums: Record<string, number[]> = {};
for (let round = 0; round < 6; round++) for (const [n, f] of Object.entries(sides)) { const s = process.cpuUsage(); for (let i = 0; i < N; i++) await f(); const u = process.cpuUsage(s); (sums[n] ??= []).push((u.user + u.system) / N); }
for (const [n, v] of Object.entries(sums)) console.log(n.padEnd(20), v.map((x) => x.toFixed(0)).join(" "), "median µs", v.sort((a, b) => a - b)[3]!.toFixed(0));
await gate.close(); process.exit(0);
