// Responses: common headers, JSON bodies, and errors as problem documents.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorBody, type ErrorCode, errorBody, PdppError } from "../../contract/errors.ts";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";
import { bearerChallenge, type ResourcePath } from "../../core/resources.ts";
import { newRequestId } from "../../engine/host.ts";

export interface Exchange {
  request: Request;
  /** The address without the browser's key. */
  url: URL;
  /** The secret part of the path, if the request had one (browser-key.ts). */
  key?: string;
  requestId: string;
  /** The public origin, for absolute links. */
  origin: string;
  /** Closes the connection, so that an unfinished response is not mistaken for a complete one. */
  abort?: () => void;
  /** The peer's address or, behind a trusted proxy, the address that the proxy reports. */
  address: string;
  /** The owner's name, if this process serves many owners and the name is known. */
  owner?: string;
  /** Node's own request and response. Absent if there is no socket. */
  node?: { incoming: IncomingMessage; outgoing: ServerResponse };
}

const REQUEST_ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Returns the caller's own request id, or a new one. */
export function requestIdOf(request: Request): string {
  const inbound = request.headers.get("request-id");
  return inbound !== null && REQUEST_ID.test(inbound) ? inbound : newRequestId();
}

export function baseHeaders(requestId: string): Record<string, string> {
  return {
    "PDPP-Version": PROTOCOL_VERSION,
    "Request-Id": requestId,
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  };
}

export function json(exchange: Exchange, body: string, status = 200): Response {
  return new Response(body, {
    status,
    headers: { ...baseHeaders(exchange.requestId), "Content-Type": "application/json" },
  });
}

export function problem(exchange: Exchange, error: PdppError, extra: Record<string, string> = {}): Response {
  const body: ErrorBody = errorBody(error, exchange.requestId);
  const headers: Record<string, string> = {
    ...baseHeaders(exchange.requestId),
    "Content-Type": "application/json",
    ...retryHeaders(error),
    ...extra,
  };
  if (error.status === 401) {
    headers["WWW-Authenticate"] = bearerChallenge(exchange.origin, resourceOf(exchange.url.pathname));
  }
  return new Response(JSON.stringify({ error: body }), { status: error.status, headers });
}

const SECONDS: Partial<Record<ErrorCode, string>> = { rate_limit_exceeded: "1", store_unavailable: "2" };

/** Tells the caller when to retry after a temporary error. */
export function retryHeaders({ code }: PdppError): Record<string, string> {
  const seconds = SECONDS[code];
  return seconds === undefined ? {} : { "Retry-After": seconds };
}

/**
 * Returns the resource that a path belongs to. Jobs at /api/jobs belong to both lenses, and apps that export have a
 * token for the records lens.
 */
function resourceOf(pathname: string): ResourcePath {
  if (pathname === "/mcp" || pathname === "/files/mcp") return pathname;
  return pathname.startsWith("/api/") && !pathname.startsWith("/api/jobs/") ? "/api" : "/v1";
}

/** The client disconnected while sending, so no response is possible. This is not a server error. */
const hungUp = (error: unknown): boolean =>
  error instanceof Error && error.message === "aborted" && (error as NodeJS.ErrnoException).code === "ECONNRESET";

/** An unexpected error is logged under the request id and reported as `api_error`. */
export function asPdppError(error: unknown, log: (text: string) => void, requestId: string): PdppError {
  if (error instanceof PdppError) return error;
  if (hungUp(error)) return new PdppError("invalid_request", "the connection ended before the request did");
  log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`);
  return new PdppError("api_error", "something went wrong on this server; your request was valid");
}
