// npm run soak -- proxies: tests the proxy files in deploy/ with the real nginx and Caddy, if installed: MCP, its event
// stream, an upload and an export.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Loose } from "../harness.ts";
import { library } from "../library.ts";
import { MCP_HEADERS } from "../mcp.ts";
import { ok, pdpp, serve } from "../pdpp.ts";

const root = join(import.meta.dirname, "../..");
const NAME = "app.example.test";
const TOKEN = "a-token-for-the-proxy";
const RECORDS = 20_000;
const MCP_VERSION = "2026-07-28";
/**
 * The only event stream in MCP. Nothing changes for a listener here, so the server ends the stream after the
 * acknowledgement.
 */
const LISTEN = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": MCP_VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "proxies", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
    notifications: { toolsListChanged: true },
  },
};
const certificate = join(root, "test/certificates/example-test.pem");
const key = join(root, "test/certificates/example-test.key.pem");
const folder = mkdtempSync(join(tmpdir(), "pdpp-proxies-"));
let failed = false;

try {
  for (const proxy of ["nginx", "caddy"] as const) {
    if (spawnSync(proxy, [proxy === "nginx" ? "-v" : "version"]).status !== 0) console.log(`${proxy}: not installed`);
    else await tryProxy(proxy);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;

async function tryProxy(proxy: "nginx" | "caddy"): Promise<void> {
  const [port, behind] = [await freePort(), await freePort()];
  const home = join(folder, `home-${proxy}`);
  const publicUrl = `https://${NAME}:${port}`;
  const server = await serve(home, ["--port", String(behind), "--public-url", publicUrl], { PDPP_PROXY_TOKEN: TOKEN });
  const [command, args] = proxy === "nginx" ? nginx(port, behind) : caddy(port, behind);
  const running = spawn(command, args, { stdio: "inherit", env: { ...process.env, PDPP_PROXY_TOKEN: TOKEN } });
  try {
    const declaration = join(folder, "library.json");
    writeFileSync(declaration, JSON.stringify(library));
    await ok(pdpp(["connectors", "add", declaration, "--key", "library", "--home", home]));
    const made = await ok(pdpp(["connections", "create", "library", "--home", home, "--json"]));
    const { connection_id: connection } = made.json;
    const owner = (await ok(pdpp(["owner", "token", "--home", home]))).stdout.trim();
    const bearer = { Authorization: `Bearer ${owner}` };
    for (let tries = 0; (await call(port, "GET", "/readyz").catch(() => undefined))?.status !== 200; tries++) {
      if (tries > 100) throw new Error(`${proxy} does not respond`);
      await sleep(100);
    }
    const lines = Array.from({ length: RECORDS }, (_, n) => line(n)).join("\n");
    const upload = await call(port, "POST", `/v1/ingest/books?connection_id=${connection}`, lines, {
      ...bearer,
      "Content-Type": "application/x-ndjson",
    });
    check(
      proxy,
      "upload",
      upload.status === 200,
      `${(lines.length / 1e6).toFixed(1)} MB: ${upload.status} ${upload.body.slice(0, 120)}`,
    );
    const file = await call(port, "GET", `/v1/export?stream=books&connection_id=${connection}`, undefined, bearer);
    const exported = file.body.split("\n").filter((one) => one !== "").length;
    check(proxy, "export", exported === RECORDS, `${exported} of ${RECORDS} records in ${file.pieces} pieces`);
    const { stdout } = await ok(pdpp(["grants", "issue", "--all", "--client-name", "Proxy", "--home", home]));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const tools = await call(port, "POST", "/mcp", body, { ...MCP_HEADERS, Authorization: `Bearer ${stdout.trim()}` });
    check(proxy, "MCP", tools.body.includes("query_records"), `${tools.status} ${tools.body.slice(0, 80)}`);
    const listened = await call(port, "POST", "/mcp", JSON.stringify(LISTEN), {
      ...MCP_HEADERS,
      Authorization: `Bearer ${stdout.trim()}`,
      "MCP-Protocol-Version": MCP_VERSION,
      "Mcp-Method": LISTEN.method,
    });
    const events = [...listened.body.matchAll(/^data: (.*)$/gm)].map(([, text]) => JSON.parse(text!) as Loose);
    const isWhole = events.length === 2 && events[1].result.resultType === "complete";
    check(proxy, "MCP stream", isWhole, `${events.length} events in ${listened.pieces} pieces`);
    const found = await call(port, "GET", "/.well-known/oauth-protected-resource/mcp");
    check(proxy, "address", found.body.includes(publicUrl), found.body.slice(0, 120));
  } finally {
    running.kill("SIGTERM");
    await once(running, "close");
    await server.stop();
  }
}

function nginx(port: number, behind: number): [string, string[]] {
  const own = adapted("deploy/nginx/postern.conf", behind)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace('"TOKEN"', `"${TOKEN}"`);
  const path = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((n) => `${n}_temp_path ${folder}/${n};`);
  writeFileSync(
    path,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr warn;
events {} http { access_log off; ${temporary.join(" ")} ${own} }`,
  );
  return ["nginx", ["-p", folder, "-c", path]];
}

function caddy(port: number, behind: number): [string, string[]] {
  const own = adapted("deploy/caddy/Caddyfile", behind).replace(
    `${NAME} {`,
    `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
  );
  const path = join(folder, "Caddyfile");
  writeFileSync(path, `{\n\tadmin off\n\tauto_https off\n}\n${own}`);
  return ["caddy", ["run", "--config", path, "--adapter", "caddyfile"]];
}

function adapted(path: string, behind: number): string {
  const text = readFileSync(join(root, path), "utf8").replaceAll("data.example.org", NAME);
  return text.replace("127.0.0.1:7887", `127.0.0.1:${behind}`);
}

function line(n: number): string {
  const at = "2024-05-01T00:00:00Z";
  const notes = `A line about book ${n}. `.repeat(8);
  return JSON.stringify({
    key: `b${n}`,
    data: { id: `b${n}`, title: `Book ${n}`, notes, published_at: at },
    emitted_at: at,
  });
}

function call(port: number, method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string; pieces: number }>((resolve, reject) => {
    const ca = readFileSync(certificate);
    const all = { Host: `${NAME}:${port}`, ...headers };
    const sent = request({ host: "127.0.0.1", port, method, path, ca, servername: NAME, headers: all }, (answer) => {
      let text = "";
      let pieces = 0;
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
        pieces++;
      });
      answer.on("end", () => resolve({ status: answer.statusCode!, body: text, pieces }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function check(proxy: string, what: string, holds: boolean, words: string): void {
  console.log(`${proxy}: ${what} ${holds ? "ok" : "FAILED"} (${words})`);
  failed ||= !holds;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
