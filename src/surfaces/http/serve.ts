// Listens for HTTP, by default on loopback, with limits on slow and idle peers.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { connectionEvent, limitConnections } from "./connections.ts";
import { isProbe } from "./probes.ts";
import { readTlsFiles, type TlsFiles, watchTlsFiles } from "./tls-files.ts";
import { refuseUnreadable } from "./unreadable.ts";

/**
 * A peer that does not finish its headers in time, or stays silent, is disconnected. While the server works on a request,
 * the peer has nothing to send, so this time does not count: the first search may have to build the index.
 */
const TIMEOUTS = { headers: 10_000, request: 15 * 60_000, idle: 60_000, keepAlive: 15_000 };
/**
 * How many times Node checks for slow peers within one timeout. With its default interval of 30 s, a ten-second timeout
 * could take forty.
 */
const CHECKS_PER_TIMEOUT = 5;
const CONNECTIONS_MAX = 5000;
/** How long in-flight requests have to finish when the server stops. Then their connections are closed. */
const FINISH_MS = 10_000;
/** How often a stopping server looks for connections whose last response has been sent, and closes them. */
const SWEEP_MS = 20;

/** Node's own request and response, and the request id if another app passed the request on. */
export interface AppEnv {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
  requestId?: string;
}

export type HttpApp = (request: Request, env: AppEnv) => Response | Promise<Response>;

export interface Listening {
  port: number;
  /** From now on every response closes its connection, so that clients reconnect elsewhere. */
  drain(): void;
  /** Accepts no more connections, and resolves when the last one has ended. */
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

export interface ListenOptions {
  hostname?: string;
  timeouts?: typeof TIMEOUTS;
  connectionsMax?: number;
  /** If absent, the server uses plain HTTP. */
  tls?: TlsFiles & { log: (text: string) => void; everyMs?: number };
}

export async function listen(
  app: HttpApp,
  port: number,
  { hostname = LOOPBACK, timeouts = TIMEOUTS, connectionsMax = CONNECTIONS_MAX, tls }: ListenOptions = {},
): Promise<Listening> {
  let draining = false;
  const connectionsCheckingInterval = Math.ceil(timeouts.headers / CHECKS_PER_TIMEOUT);
  const server = createAdaptorServer({
    // Over HTTP/1, `env` has these types.
    fetch: (request, env) => {
      const answer = app(request, env as AppEnv);
      return request.method === "HEAD" ? headOf(answer) : answer;
    },
    ...(tls === undefined
      ? { serverOptions: { connectionsCheckingInterval } }
      : {
          createServer: createTlsServer,
          serverOptions: { connectionsCheckingInterval, handshakeTimeout: timeouts.headers, ...readTlsFiles(tls) },
        }),
  }) as Server;
  const stopWatching =
    tls !== undefined && server instanceof TlsServer
      ? watchTlsFiles(tls, (pair) => server.setSecureContext(pair), tls.log, tls.everyMs)
      : undefined;
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.timeout = timeouts.idle;
  server.keepAliveTimeout = timeouts.keepAlive;
  const last = new WeakMap<Socket, { request: IncomingMessage; answer: ServerResponse }>();
  server.on("timeout", (socket: Socket) => {
    const { request, answer } = last.get(socket) ?? {};
    const isAtWork = request?.complete === true && answer?.headersSent === false;
    // Without this listener, Node would close the connection. The time starts again with the response.
    if (!isAtWork) socket.destroy();
  });
  limitConnections(server, connectionsMax);
  server.on("clientError", refuseUnreadable);
  // headersTimeout starts at the first byte. A client that never sends one must not get more time than a slow one.
  server.on(connectionEvent(server), (socket) => socket.setTimeout(timeouts.headers));
  // Runs before the app's own listener, which may respond at once.
  server.prependListener("request", (request, answer) => {
    last.set(request.socket, { request, answer });
    request.socket.setTimeout(timeouts.idle);
    // Load balancer probes may use HTTP/1.0, which has no Host header. All other requests need one.
    if (request.headers.host === undefined && isProbe(request.url ?? "")) request.headers.host = LOOPBACK;
    if (draining) answer.setHeader("Connection", "close");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain() {
      draining = true;
    },
    async close() {
      draining = true;
      stopWatching?.();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // After a response, Node keeps the connection open for another request. No more requests are accepted now, so
      // such connections are closed.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const over = setTimeout(() => server.closeAllConnections(), FINISH_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(over);
    },
  };
}

/** Returns the response to GET without its body. */
const headOf = async (answer: Response | Promise<Response>): Promise<Response> => new Response(null, await answer);
