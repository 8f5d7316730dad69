// Listening: loopback by default, with limits on slow and idle peers.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";

/** A peer that does not finish its headers, or says nothing for a while, holds nothing. */
const TIMEOUTS = { headers: 10_000, request: 15 * 60_000, idle: 60_000, keepAlive: 15_000 } as const;
const CONNECTIONS_MAX = 2000;

export interface Listening {
  port: number;
  close(): Promise<void>;
}

export async function listen(app: Hono, port: number, hostname = "127.0.0.1"): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.headersTimeout = TIMEOUTS.headers;
  server.requestTimeout = TIMEOUTS.request;
  server.timeout = TIMEOUTS.idle;
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // Requests in flight get a moment; then the door closes on them.
      const timer = setTimeout(() => server.closeAllConnections(), 3000);
      await closed;
      clearTimeout(timer);
    },
  };
}
