// Links from responses, opened in a browser. A browser has a session but no token, so they are read under the session
// (K-08).
import { PdppError } from "../contract/errors.ts";
import { linkAddress } from "../contract/link.ts";
import type { Exchange } from "../surfaces/http/respond.ts";
import { seeOther } from "../surfaces/web/page-response.ts";

/**
 * Answers requests from programs. A person is redirected to the same resource under the dashboard, where they can sign
 * in.
 */
export async function opened(exchange: Exchange, answer: (exchange: Exchange) => Promise<Response>): Promise<Response> {
  if (!isNavigation(exchange.request)) return answer(exchange);
  const bySession = () => seeOther(exchange, `/dashboard${linkAddress(exchange.url)}`);
  if (!exchange.url.searchParams.has("signed")) return bySession();
  try {
    return await answer(exchange);
  } catch (error) {
    // The link or its grant has expired, but the owner can still open it.
    if (error instanceof PdppError && (error.status === 401 || error.status === 403)) return bySession();
    throw error;
  }
}

const isNavigation = (request: Request): boolean =>
  request.method === "GET" &&
  !request.headers.has("authorization") &&
  (request.headers.get("accept") ?? "").includes("text/html");
