// Responses: the headers every answer carries, JSON bodies, and errors as problems.
import { type ErrorBody, errorBody, PdppError } from "../../contract/errors.ts";
import { PROTOCOL_VERSION } from "../../contract/limits.ts";

export interface Exchange {
  request: Request;
  url: URL;
  requestId: string;
  /** Public origin, for absolute links. */
  origin: string;
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
    headers["WWW-Authenticate"] =
      `Bearer resource_metadata="${exchange.origin}/.well-known/oauth-protected-resource/v1"`;
  }
  if (error.code === "rate_limit_exceeded") headers["Retry-After"] = "1";
  return new Response(JSON.stringify({ error: body }), { status: error.status, headers });
}

/** What a surface did not foresee is logged under the request id and told as `api_error`. */
export function asPdppError(error: unknown, log: (text: string) => void, requestId: string): PdppError {
  if (error instanceof PdppError) return error;
  log(`${requestId} ${error instanceof Error ? error.stack : String(error)}`);
  return new PdppError("api_error", "something went wrong here, not with your request");
}
