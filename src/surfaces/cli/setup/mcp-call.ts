// The first two calls of every MCP client, initialize and tools/list, over HTTP or through a program that it starts.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { Program } from "../../../contract/client-setups.ts";
import { PdppError } from "../../../contract/errors.ts";
import { noAnswer } from "../../rest/http-host.ts";

const TIMEOUT_MS = 20_000;
const PROTOCOL_VERSION = "2025-11-25";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: "pdpp setup", version: "1" } },
} as const;
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
const LIST_TOOLS = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} } as const;

const initialized = z.looseObject({ protocolVersion: z.string(), serverInfo: z.looseObject({ name: z.string() }) });
const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })).min(1) });
const answer = z.looseObject({
  id: z.number().optional(),
  result: z.unknown(),
  error: z.looseObject({ message: z.string() }).optional(),
});

export interface ListedTools {
  server: string;
  tools: string[];
}

/** Sends a first request without a token. Returns the status and the metadata address for getting a token. */
export async function unsignedCall(url: string): Promise<{ status: number; metadata: string | undefined }> {
  const response = await post(url, INITIALIZE, {});
  await response.body?.cancel();
  const challenge = response.headers.get("www-authenticate") ?? "";
  return { status: response.status, metadata: /resource_metadata="([^"]+)"/.exec(challenge)?.[1] };
}

export async function toolsOverHttp(url: string, token: string): Promise<ListedTools> {
  const headers = { Authorization: `Bearer ${token}` };
  const hello = initialized.parse(await resultOf(url, INITIALIZE, headers));
  const version = { ...headers, "MCP-Protocol-Version": hello.protocolVersion };
  await (await post(url, INITIALIZED, version)).body?.cancel();
  const { tools } = listed.parse(await resultOf(url, LIST_TOOLS, version));
  return { server: hello.serverInfo.name, tools: tools.map(({ name }) => name) };
}

async function resultOf(url: string, message: object, headers: Record<string, string>): Promise<unknown> {
  const response = await post(url, message, headers);
  const text = await response.text();
  const body = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? /^data: (\{.*)$/m.exec(text)?.[1]
    : text;
  const { result, error } = answer.safeParse(jsonOf(body)).data ?? {};
  if (response.ok && result !== undefined) return result;
  throw refused(url, error?.message ?? `status ${response.status}`);
}

function post(url: string, message: object, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(message),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw noAnswer(url, error);
  });
}

/** Starts the program exactly as the app does, with the token in its environment. */
export async function toolsOfProgram({ command, args }: Program, token: string): Promise<ListedTools> {
  const child = spawn(command, args, {
    env: { ...process.env, PDPP_ACCESS_TOKEN: token },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const called = [command, ...args].join(" ");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdin.on("error", () => undefined);
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", (error) => reject(refused(called, error.message)));
    child.once("close", (code) =>
      reject(refused(called, said.trim() || `it ended: ${code ?? "the time limit was reached"}`)),
    );
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (message: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value } = await Promise.race([lines.next(), failed]);
    const { result, error } = answer.safeParse(jsonOf(value)).data ?? {};
    if (result === undefined) throw refused(called, error?.message ?? String(value));
    return result;
  };
  try {
    const hello = initialized.parse(await next(INITIALIZE));
    child.stdin.write(`${JSON.stringify(INITIALIZED)}\n`);
    const { tools } = listed.parse(await next(LIST_TOOLS));
    return { server: hello.serverInfo.name, tools: tools.map(({ name }) => name) };
  } finally {
    failed.catch(() => undefined);
    child.stdin.end();
    child.kill();
  }
}

const refused = (what: string, why: string): PdppError =>
  new PdppError("store_unavailable", `${what} did not list its tools: ${why}`, {
    next_step: "Check the server: `pdpp doctor`. The setting was written; `--undo` removes it.",
  });

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
