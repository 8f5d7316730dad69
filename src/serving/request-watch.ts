// Reports every request at its end, when all bytes have been sent or the client has disconnected.

import type { Exchange } from "../surfaces/http/respond.ts";
import { routeName } from "./route-names.ts";

/** The parts of a request that may be logged: no query, no path with ids, no content. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The owner's name, where one process serves many. */
  owner?: string;
  /** The pattern of its route. */
  route: string;
  /** Absent when the client disconnected before there was one. */
  status?: number;
  ms: number;
  /** Bytes sent on its connection, headers included. */
  bytes: number;
  /** The client disconnected before the end. */
  aborted?: true;
}

export interface RequestWatch {
  began(): void;
  ended(line: RequestLine): void;
}

/** HTTP has more methods than anyone uses; each would become a label in the metrics. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function watchRequests(watches: readonly RequestWatch[]): (exchange: Exchange) => void {
  return (exchange) => {
    const { request, url, requestId, node } = exchange;
    if (node === undefined) return;
    const { incoming, outgoing } = node;
    const { socket } = incoming;
    const begun = performance.now();
    const before = socket.bytesWritten;
    for (const watch of watches) watch.began();
    outgoing.once("close", () => {
      const line: RequestLine = {
        request_id: requestId,
        // Determined while the request ran.
        ...(exchange.owner === undefined ? {} : { owner: exchange.owner }),
        method: METHODS.has(request.method) ? request.method : "other",
        route: routeName(url.pathname),
        ...(outgoing.headersSent ? { status: outgoing.statusCode } : {}),
        ms: Math.round((performance.now() - begun) * 10) / 10,
        bytes: socket.bytesWritten - before,
        ...(outgoing.writableFinished ? {} : { aborted: true }),
      };
      for (const watch of watches) watch.ended(line);
    });
  };
}
