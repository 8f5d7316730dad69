// Whoever is not signed in is sent to the sign-in, and comes back from there.
import type { Exchange } from "../http/respond.ts";
import { page, seeOther } from "./page-response.ts";
import { messagePage } from "./pages/message.ts";

/**
 * A strict cookie stays home when another site sent the browser here. One step of our own, and it comes along: that
 * tells an owner who is signed in from one who is not.
 */
export function signInFirst(exchange: Exchange, text: string): Response {
  const { request, url } = exchange;
  const here = url.pathname + url.search;
  if (request.headers.get("sec-fetch-site") === "cross-site" && request.method === "GET") {
    const step = messagePage({ title: "One moment", text, status: 200, next: { label: "Go on", href: here } });
    const answer = page(exchange, step);
    answer.headers.set("Refresh", `0; url=${here}`);
    return answer;
  }
  return seeOther(exchange, `/login?return_to=${encodeURIComponent(here)}`);
}
