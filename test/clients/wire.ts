// Two recording proxies on loopback: one in front of the server that records every exchange, and one that blocks the
// clients' internet connections.
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Loose } from "../harness.ts";

export interface Exchange {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  status: number;
  answer: string;
}

export interface Wire {
  port: number;
  exchanges: Exchange[];
  /** From now on, the server refuses the access tokens issued so far, as if they had expired. */
  expireTokens(): void;
  close(): Promise<void>;
}

/**
 * The server never issued this token, so it responds with 401, as it does to a token that has expired and been removed.
 */
const EXPIRED = "Bearer pdpp_at_expired";

export async function listenOn(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Forwards everything to the server, whose port is known only after this proxy has started. */
export async function wireTo(target: () => number, alter: (answer: string, asked: string) => string): Promise<Wire> {
  const exchanges: Exchange[] = [];
  const given = new Set<string>();
  let expired = new Set<string>();
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url: path = "/", headers } = incoming;
    if (expired.has(headers.authorization ?? "")) headers.authorization = EXPIRED;
    const body = await textOf(incoming);
    // The proxy reads responses as text.
    headers["accept-encoding"] = "identity";
    const onward = request({ host: "127.0.0.1", port: target(), path, method, headers }, async (answered) => {
      const answer = alter(await textOf(answered), body);
      for (const [, token] of answer.matchAll(/"access_token":"([^"]+)"/g)) given.add(`Bearer ${token}`);
      exchanges.push({ method, path, headers, body, status: answered.statusCode!, answer });
      const { "content-length": _, ...kept } = answered.headers;
      outgoing.writeHead(answered.statusCode!, kept).end(answer);
    });
    onward.on("error", () => outgoing.writeHead(502).end());
    onward.end(body);
  });
  return {
    port: await listenOn(server),
    exchanges,
    expireTokens() {
      expired = new Set(given);
    },
    close: () => closeServer(server),
  };
}

/** A proxy that refuses all connections and records their targets. */
export async function noWayOut(): Promise<{ port: number; wanted: string[]; close(): Promise<void> }> {
  const wanted: string[] = [];
  const server = createServer((incoming, outgoing) => {
    wanted.push(URL.parse(incoming.url ?? "")?.host ?? "");
    incoming.resume();
    outgoing.writeHead(403).end();
  });
  server.on("connect", (incoming: IncomingMessage, socket) => {
    wanted.push((incoming.url ?? "").replace(/:443$/, ""));
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  });
  return { port: await listenOn(server), wanted, close: () => closeServer(server) };
}

/** Returns JSON-RPC requests with their responses, which can be JSON or an event stream. */
export function rpc(
  exchanges: readonly Exchange[],
): { method: string; params: Loose; result: Loose; status: number }[] {
  return exchanges
    .filter(({ method, path }) => method === "POST" && path === "/mcp")
    .flatMap(({ body, answer, status }) => {
      const asked = json(body);
      if (asked?.method === undefined) return [];
      const said = json(answer) ?? json(/^data: (\{.*)$/m.exec(answer)?.[1] ?? "");
      return [{ method: asked.method as string, params: asked.params, result: said?.result, status }];
    });
}

function json(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
