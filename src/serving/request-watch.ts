// Reports every request once all bytes have been sent or the client has disconnected.

import type { Exchange } from "../surfaces/http/respond.ts";
import { routeName } from "./route-names.ts";

/** The parts of a request that may be logged: no query, no path with ids, no content. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The owner's name, if one process serves many owners. */
  owner?: string;
  /** The route's pattern. */
  route: string;
  /** Absent if the client disconnected before there was a status. */
  status?: number;
  ms: number;
  /** Bytes sent on the connection, including headers. */
  bytes: number;
  /** True if the client disconnected before the end. */
  aborted?: true;
}

export interface RequestWatch {
  began(): void;
  ended(line: RequestLine): void;
}

/** HTTP has more methods than anyone uses, and each would become a label in the metrics. */
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
        // The owner is determined while the request runs.
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
