// The four surfaces as their callers use them. Each takes a case and returns facts, or an error with the suggested next
// step.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Handle, parseHandle } from "../../src/contract/handle.ts";
import { windowAsked } from "../../src/contract/window-handle.ts";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import type { Loose } from "../harness.ts";
import { MCP_HEADERS } from "../mcp.ts";
import { pdpp } from "../pdpp.ts";
import type { Args, Call } from "./cases.ts";
import { type Facts, plainFacts, toolFacts } from "./facts.ts";

export interface Answered {
  facts?: Facts;
  /** Reads the next page or window as the response describes. undefined on the last one. */
  next?: () => Promise<Answered>;
  /** Downloads the export file and returns its digest. */
  file?: () => Promise<string>;
  error?: { code: string; next_step: string };
}

export interface Surface {
  name: string;
  run(call: Call, args: Args): Promise<Answered>;
  /** Follows an error's next step if it is a call. Returns the call and whether it worked. */
  follow(call: Call, args: Args, next_step: string): Promise<{ tried?: string; ok: boolean }>;
  close?(): Promise<void>;
}

export interface At {
  url: string;
  token: string;
}

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const placeholder = (text: string): boolean => /\b[A-Z]{3,}\b/.test(text);

async function download({ url, token }: At, address: string): Promise<string> {
  const response = await fetch(new URL(address, url), { headers: { Authorization: `Bearer ${token}` } });
  return sha(await response.text());
}

/** Serves both MCP transports, which differ only in how a call is sent. */
function mcpSurface(name: string, at: At, callTool: (tool: string, args: Args) => Promise<Loose>): Surface {
  const run: Surface["run"] = async (call, args) => {
    const { structuredContent: answer, isError } = await callTool(call, args);
    if (isError) return { error: answer.error };
    const cursor = answer.next_cursor ?? answer.data?.next_cursor;
    const nextId = answer.metadata?.next_id;
    const jsonl = answer.metadata?.formats?.find(({ format }: Loose) => format === "jsonl");
    return {
      facts: toolFacts(call, args, answer),
      ...(cursor === undefined ? {} : { next: () => run(call, { ...args, cursor }) }),
      ...(nextId === undefined ? {} : { next: () => run("fetch", { id: nextId }) }),
      ...(jsonl === undefined ? {} : { file: () => download(at, jsonl.url) }),
    };
  };
  return {
    name,
    run,
    async follow(_call, _args, step) {
      const [tried, tool, args] = /\b(schema|query_records|aggregate|search|fetch)\((\{.*?\})\)/.exec(step) ?? [];
      if (tried === undefined) return { ok: /schema|query_records|aggregate|search|fetch/.test(step) };
      if (placeholder(tried)) return { ok: true };
      const { isError } = await callTool(tool!, JSON.parse(args!));
      return { tried, ok: isError === undefined };
    },
  };
}

export function overHttp(at: At): Surface {
  return mcpSurface("MCP over HTTP", at, async (name, args) => {
    const response = await fetch(`${at.url}/mcp`, {
      method: "POST",
      headers: { ...MCP_HEADERS, Authorization: `Bearer ${at.token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
    const body = (await response.json()) as Loose;
    // HTTP refuses a caller without access.
    return response.ok ? body.result : { isError: true, structuredContent: body };
  });
}

const BIN = fileURLToPath(new URL("../../bin/pdpp.js", import.meta.url));

export async function overStdio(at: At): Promise<Surface> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PDPP_"));
  const client = new Client({ name: "parity", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp", "--server", at.url],
      env: { ...(Object.fromEntries(inherited) as Record<string, string>), PDPP_ACCESS_TOKEN: at.token },
    }),
  );
  const surface = mcpSurface("MCP over stdio", at, (name, args) => client.callTool({ name, arguments: args }));
  return { ...surface, close: () => client.close() };
}

export function overRest(at: At): Surface {
  const get = async (path: string): Promise<{ status: number; body: Loose; headers: Headers }> => {
    const response = await fetch(at.url + path, { headers: { Authorization: `Bearer ${at.token}` } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
  const run: Surface["run"] = async (call, args) => {
    const path = routeOf(call, args);
    const { status, body, headers } = await get(path);
    if (status >= 400) return { error: body.error };
    const answer = path.startsWith("/v1/blobs/") ? blobFacts(body, headers) : body;
    const jsonl = answer.formats?.find(({ format }: Loose) => format === "jsonl");
    const next = answer.next_handle;
    return {
      facts: plainFacts(call, args, answer),
      ...(answer.next_cursor === undefined || next !== undefined
        ? {}
        : { next: () => run(call, { ...args, cursor: answer.next_cursor }) }),
      ...(next === undefined ? {} : { next: () => run("fetch", { id: next }) }),
      ...(jsonl === undefined ? {} : { file: () => download(at, jsonl.url) }),
    };
  };
  return {
    name: "REST",
    run,
    async follow(_call, args, step) {
      const path = /GET (\/v1[^\s,;`)]*[^\s,;.`)])/.exec(step)?.[1];
      if (path === undefined) return { ok: step.length > 10 };
      const filled = path.replace("STREAM", String(args.stream ?? streamIn(args) ?? "STREAM"));
      if (placeholder(filled)) return { ok: true };
      return { tried: filled, ok: (await get(filled)).status === 200 };
    },
  };
}

const streamIn = ({ id }: Args): string | undefined => {
  const handle = typeof id === "string" ? (parseHandle(id) as { stream?: string }) : {};
  return handle.stream;
};

const blobFacts = (body: string, headers: Headers) => ({
  mime_type: headers.get("content-type"),
  size_bytes: Buffer.byteLength(body),
  sha256: sha(body),
});

function routeOf(call: Call, { id, stream, query: q, filter, fields, expand, detail, ...rest }: Args): string {
  const parameters = new URLSearchParams();
  const set = (values: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(values)) if (value !== undefined) parameters.set(name, String(value));
  };
  for (const [field, value] of Object.entries((filter ?? {}) as Record<string, unknown>)) {
    if (value === null || typeof value !== "object") parameters.set(`filter[${field}]`, String(value));
    else
      for (const [operator, bound] of Object.entries(value))
        parameters.set(`filter[${field}][${operator}]`, String(bound));
  }
  set({ q, detail, fields, expand, ...rest });
  const at = (path: string): string => `${path}?${parameters}`;
  const place = `/v1/streams/${encodeURIComponent(String(stream))}`;
  if (call === "schema") {
    set({ stream });
    return at("/v1/schema");
  }
  if (call === "search") return at("/v1/search");
  if (call === "aggregate") return at(`${place}/aggregate`);
  if (call === "query_records") return at(`${place}/records`);
  return routeOfHandle(parseHandle(String(id)), String(id), set, at);
}

function routeOfHandle(
  handle: Handle,
  id: string,
  set: (values: Record<string, unknown>) => void,
  at: (path: string) => string,
): string {
  if (handle.kind === "export") {
    set({ handle: id });
    return at("/v1/export/info");
  }
  set({ connection_id: handle.connection_id });
  if (handle.kind === "blob") return at(`/v1/blobs/${encodeURIComponent(handle.blob_id)}`);
  if (handle.kind === "stream") {
    set({ stream: handle.stream });
    return at("/v1/schema");
  }
  const record = `/v1/streams/${encodeURIComponent(handle.stream)}/records/${encodeURIComponent(handle.id)}`;
  if (handle.kind === "record") return at(record);
  const { stream: _stream, id: _id, ...window } = windowAsked(handle);
  set(window);
  return at(`${record}/field-window`);
}

export function overCli({ url, token }: At): Surface {
  const pdppAt = (args: readonly string[]) => pdpp([...args, "--server", url], { env: { PDPP_ACCESS_TOKEN: token } });
  const run: Surface["run"] = async (call, args) => {
    const { code, stdout, stderr } = await pdppAt([...commandOf(call, args), "--json"]);
    if (stdout === "") throw new Error(`${commandOf(call, args).join(" ")}: ${stderr}`);
    if (code !== 0) return { error: (JSON.parse(stdout) as Loose).error };
    const answer = JSON.parse(stdout) as Loose;
    const next = answer.next_handle;
    return {
      facts: plainFacts(call, args, answer),
      ...(answer.next_cursor === undefined || next !== undefined
        ? {}
        : { next: () => run(call, { ...args, cursor: answer.next_cursor }) }),
      ...(next === undefined ? {} : { next: () => run("fetch", { id: next }) }),
      ...(answer.formats === undefined
        ? {}
        : { file: async () => sha((await pdppAt(["export", String(args.id)])).stdout) }),
    };
  };
  return {
    name: "CLI",
    run,
    /** The text for people suggests commands and options. */
    async follow(call, args) {
      const { stderr } = await pdppAt(commandOf(call, args));
      const tried = /`(pdpp [^`]+)`/.exec(stderr)?.[1];
      const option = /^ {2}(--connection \S+)/m.exec(stderr)?.[1];
      if (option !== undefined) {
        const again = [...commandOf(call, args), ...option.split(" ")];
        return { tried: again.join(" "), ok: (await pdppAt(again)).code === 0 };
      }
      if (tried === undefined || placeholder(tried)) return { ok: stderr.trim().split("\n").length > 1 };
      const words = shellWords(tried).slice(1);
      const place = words.indexOf("--server");
      const run = await pdppAt(place === -1 ? words : words.toSpliced(place, 2));
      return { tried, ok: run.code === 0 };
    },
  };
}

/** Builds a command. Some flags have a different name from the argument, or take no value. */
function commandOf(
  call: Call,
  { stream, id, query: q, filter, metric, field, streams, count, detail, order, ...rest }: Args,
): string[] {
  const names: Record<Call, string> = {
    schema: "schema",
    query_records: "query",
    aggregate: "aggregate",
    search: "search",
    fetch: "fetch",
  };
  const flags = Object.entries(rest).flatMap(([name, value]) => {
    const flag = name === "connection_id" ? "--connection" : `--${name.replaceAll("_", "-")}`;
    return Array.isArray(value) ? [flag, value.join(",")] : [`${flag}=${value}`];
  });
  const conditions = Object.entries((filter ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    value === null || typeof value !== "object"
      ? [`${name}=${value}`]
      : Object.entries(value).map(([operator, bound]) => conditionWords(name, operator, bound)),
  );
  return [
    names[call],
    ...[stream, id, q, metric, field].flatMap((word) => (word === undefined ? [] : [String(word)])),
    ...flags,
    ...conditions.flatMap((condition) => ["--filter", condition]),
    ...((streams as string[] | undefined) ?? []).flatMap((name) => ["--stream", name]),
    ...(count === undefined ? [] : ["--count"]),
    ...(detail === "full" ? ["--full"] : []),
    ...(order === "newest" ? ["--newest"] : order === undefined ? [] : ["--order", String(order)]),
  ];
}

const SIGNS: Record<string, string> = { gte: ">=", gt: ">", lte: "<=", lt: "<", ne: "!=" };

function conditionWords(name: string, operator: string, bound: unknown): string {
  if (operator === "exists") return bound ? `${name} exists` : `${name} not exists`;
  return operator in SIGNS ? `${name}${SIGNS[operator]}${bound}` : `${name} ${operator} ${bound}`;
}
