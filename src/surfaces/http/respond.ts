// Responses: the headers every answer carries, JSON bodies, and errors as problems.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ErrorBody, errorBody, PdppError } from "../../contract/errors.ts";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";

export interface Exchange {
  request: Request;
  url: URL;
  requestId: string;
  /** Public origin, for absolute links. */
  origin: string;
  /** Cuts the connection: of an answer that has begun and cannot be finished, the other side must not take it for whole. */
  abort?: () => void;
  /** Who is at the other end; behind a proxy of ours, who that says it is. */
  address: string;
  /** The request as Node has it; absent when there is no socket. */
  node?: { incoming: IncomingMessage; outgoing: ServerResponse };
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
    ...extra,
  };
  if (error.status === 401) {
    const document = resourceDocument(exchange.url.pathname);
    headers["WWW-Authenticate"] =
      `Bearer resource_metadata="${exchange.origin}/.well-known/oauth-protected-resource${document}"`;
  }
  if (error.code === "rate_limit_exceeded") headers["Retry-After"] = "1";
  return new Response(JSON.stringify({ error: body }), { status: error.status, headers });
}

/** Of the lens that a path belongs to. Jobs at /api/jobs are of both, and who exports has a token of the records. */
function resourceDocument(pathname: string): string {
  if (pathname === "/mcp") return "/mcp";
  const files = pathname === "/files/mcp" || (pathname.startsWith("/api/") && !pathname.startsWith("/api/jobs/"));
  return files ? "/files/mcp" : "/v1";
}

/** What a surface did not foresee is logged under the request id and told as `api_error`. */
export function asPdppError(error: unknown, log: (text: string) => void, requestId: string): PdppError {
  if (error instanceof PdppError) return error;
  log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`);
  return new PdppError("api_error", "something went wrong here, not with your request");
}
