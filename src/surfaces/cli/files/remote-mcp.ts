// Relays the file tools of a running server on stdin and stdout. Each message goes to /files/mcp under the stored
// grant, whose token is renewed when it expires.
import { createInterface } from "node:readline";
import { type ErrorBody, fromErrorBody } from "../../../contract/errors.ts";
import { mcpResource } from "../../../core/resources.ts";
import { noAnswer } from "../../rest/http-host.ts";

export interface RemoteBearer {
  current(): Promise<string>;
  /** Replaces a refused token. Returns the same token if nothing can renew it. */
  renewed(used: string): Promise<string>;
}

/** Runs until the app disconnects and all its requests are answered. */
export async function relayFiles(origin: string, bearer: RemoteBearer): Promise<void> {
  const url = mcpResource(origin, "files");
  let version: string | undefined;
  const send = (message: string, token: string): Promise<Response> =>
    post(url, message, { Authorization: `Bearer ${token}`, ...versionHeader(versionIn(message) ?? version) });
  const relay = async (message: string): Promise<void> => {
    const id = idOf(message);
    try {
      const token = await bearer.current();
      let response = await send(message, token);
      if (response.status === 401) {
        const renewed = await bearer.renewed(token);
        if (renewed !== token) response = await send(message, renewed);
      }
      const answers = await messagesIn(response);
      for (const answer of answers) {
        version ??= parsed(answer)?.result?.protocolVersion;
        process.stdout.write(`${answer}\n`);
      }
      if (answers.length === 0 && id !== undefined) throw new Error(`${url} responded with status ${response.status}`);
    } catch (error) {
      if (id !== undefined) process.stdout.write(`${failure(id, (error as Error).message)}\n`);
    }
  };
  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const running: Promise<void> = relay(line).finally(() => open.delete(running));
    open.add(running);
    // No message is sent before the first exchange ends, because that exchange determines the protocol version of the
    // others.
    if (version === undefined) await running;
  }
  await Promise.all(open);
}

interface Message {
  jsonrpc?: string;
  id?: string | number;
  method?: string;
  params?: { _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
}

const idOf = (message: string): Message["id"] => parsed(message)?.id;

/** Since 2026-07-28, every request contains its protocol version. */
function versionIn(message: string): string | undefined {
  const named = parsed(message)?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  return typeof named === "string" ? named : undefined;
}

const versionHeader = (version: string | undefined): Record<string, string> =>
  version === undefined ? {} : { "MCP-Protocol-Version": version };

function post(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body,
    redirect: "manual",
  }).catch((error: Error) => {
    throw noAnswer(url, error);
  });
}

/** Returns the JSON-RPC messages of a response, which can be JSON or an event stream. */
async function messagesIn(response: Response): Promise<string[]> {
  const text = await response.text();
  const found = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data!)
    : [text];
  const messages = found.filter((one) => parsed(one)?.jsonrpc !== undefined);
  if (messages.length > 0 || response.ok) return messages;
  const { error } = (parsed(text) ?? {}) as { error?: ErrorBody };
  throw error === undefined ? new Error(`status ${response.status}`) : fromErrorBody(error);
}

const failure = (id: string | number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } });

function parsed(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
