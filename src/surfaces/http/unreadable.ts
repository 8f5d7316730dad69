// Handles requests that could not be parsed because they are too long, too slow or malformed. They still get an error
// that says what to do.
import type { Duplex } from "node:stream";
import { errorBody, PdppError } from "../../contract/errors.ts";
import { newRequestId } from "../../engine/host.ts";
import { baseHeaders } from "./respond.ts";

const REASONS: Record<string, [status: string, error: PdppError]> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    new PdppError("resource_limit", "the request's address and headers are longer than 16 KB"),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    new PdppError("invalid_request", "the request did not arrive in time", {
      next_step: "Send it again without pauses.",
    }),
  ],
};
const MALFORMED: [string, PdppError] = ["400 Bad Request", new PdppError("invalid_request", "this is not HTTP/1.1")];

export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, reason] = REASONS[error.code ?? ""] ?? MALFORMED;
  const requestId = newRequestId();
  const body = JSON.stringify({ error: errorBody(reason, requestId) });
  const headers = {
    ...baseHeaders(requestId),
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
