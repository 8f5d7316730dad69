// Listening: loopback by default, with limits on slow and idle peers.

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { refuseUnreadable } from "./unreadable.ts";

/** A peer that does not finish its headers, or says nothing for a while, holds nothing. */
const TIMEOUTS = { headers: 10_000, request: 15 * 60_000, idle: 60_000, keepAlive: 15_000 };
/** How often Node looks for peers that are too slow: left at its 30 s, ten would mean up to forty. */
const CHECKS_PER_TIMEOUT = 5;
const CONNECTIONS_MAX = 2000;

export interface Listening {
  port: number;
  close(): Promise<void>;
}

export async function listen(app: Hono, port: number, timeouts = TIMEOUTS, hostname = "127.0.0.1"): Promise<Listening> {
  const connectionsCheckingInterval = Math.ceil(timeouts.headers / CHECKS_PER_TIMEOUT);
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { connectionsCheckingInterval } }) as Server;
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.timeout = timeouts.idle;
  server.keepAliveTimeout = timeouts.keepAlive;
  server.maxConnections = CONNECTIONS_MAX;
  server.on("clientError", refuseUnreadable);
  // headersTimeout begins with the first byte; who never sends one gets no longer than who sends too slowly.
  server.on("connection", (socket) => socket.setTimeout(timeouts.headers));
  server.on("request", (request) => request.socket.setTimeout(timeouts.idle));
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
