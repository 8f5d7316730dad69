// Tells of every request at its end, when all bytes have left or the other side is gone.

import type { Exchange } from "../surfaces/http/respond.ts";
import { routeName } from "./route-names.ts";

/** The parts of a request that may be logged: no query, no path with ids, no content. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The name of whose data it is for, where a process serves many. */
  owner?: string;
  /** The pattern of its route. */
  route: string;
  /** Absent when the other side left before there was one. */
  status?: number;
  ms: number;
  /** Sent on its connection, headers included. */
  bytes: number;
  /** The other side did not wait for the end. */
  aborted?: true;
}

export interface RequestWatch {
  began(): void;
  ended(line: RequestLine): void;
}

/** HTTP has more methods than anyone uses; each would be a name in the metrics. */
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
        // Found out meanwhile.
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
