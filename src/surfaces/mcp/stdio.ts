// Serves the MCP tools over stdin and stdout to one client, until it disconnects.
import { EventEmitter, once } from "node:events";
import { Transform } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type RequestId,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { gate } from "./gate.ts";
import { serverFactory } from "./server.ts";
import type { ToolContext } from "./tool.ts";

/**
 * Calls in progress when the client disconnects are still answered within this time, so that `printf … | pdpp mcp` gets
 * all its responses.
 */
const LAST_ANSWERS_MS = 10_000;

export async function serveGateOnStdio(context: ToolContext, note: (text: string) => void): Promise<void> {
  const make = serverFactory(
    gate((error) => note(error instanceof Error ? (error.stack ?? error.message) : String(error))),
  );
  await serveOnStdio(() => make(context), note);
}

export async function serveOnStdio(make: () => Server, note: (text: string) => void): Promise<void> {
  const open = new Set<RequestId>();
  const wire = new EventEmitter<{ answered: []; closed: [] }>();
  const lastAnswers = async () => {
    // Input that arrived just before the end is read first.
    await tick();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LAST_ANSWERS_MS);
    const { signal } = late;
    while (open.size > 0 && !signal.aborted) await once(wire, "answered", { signal }).catch(() => undefined);
    clearTimeout(timer);
  };
  const input = new Transform({
    transform: (bytes, _encoding, done) => done(null, bytes),
    flush: (done) => {
      lastAnswers().then(() => done(), done);
    },
  });
  const closed = once(wire, "closed");
  const handle = serveStdio(make, {
    transport: counted(new StdioServerTransport(input), open, wire),
    onerror: ({ message }) => note(message),
  });
  process.stdin.pipe(input);
  await closed;
  await handle.close();
  // stdin may still be open, because an oversized message or a client that stops reading also ends the session.
  process.stdin.destroy();
}

/** Tracks the unanswered requests. */
function counted(inner: Transport, open: Set<RequestId>, wire: EventEmitter<{ answered: []; closed: [] }>): Transport {
  const settle = (id: RequestId) => {
    open.delete(id);
    wire.emit("answered");
  };
  const outer: Transport = {
    start() {
      inner.onmessage = (message) => {
        // subscriptions/listen ends only with the connection, so it is not tracked.
        if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") open.add(message.id);
        if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
          settle(message.params?.requestId as RequestId);
        outer.onmessage?.(message);
      };
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => {
        outer.onclose?.();
        wire.emit("closed");
      };
      return inner.start();
    },
    async send(message) {
      await inner.send(message);
      if (isJSONRPCResponse(message) && message.id !== undefined) settle(message.id);
    },
    close: () => inner.close(),
  };
  return outer;
}
