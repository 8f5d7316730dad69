// A page as a response: HTML with a policy that allows nothing from other sites and no inline code.
import { pageWithKey, withKey } from "../http/browser-key.ts";
import { packed } from "../http/compress.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";

export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** With `no-referrer`, a browser would not send a form's Origin either, and the guard would refuse the form. */
export const PAGE_HEADERS = { "Content-Security-Policy": PAGE_POLICY, "Referrer-Policy": "same-origin" };

export function page(exchange: Exchange, html: string, status = 200, cookies: readonly string[] = []): Response {
  const { body, headers: encoding } = packed(exchange.request, pageWithKey(exchange, html));
  const headers = new Headers({
    ...baseHeaders(exchange.requestId),
    ...PAGE_HEADERS,
    ...encoding,
    "Content-Type": "text/html; charset=utf-8",
  });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(body, { status, headers });
}

/** Returns the data of a page as JSON. */
export function pageData(exchange: Exchange, view: object): Response {
  const { body, headers } = packed(exchange.request, JSON.stringify(view));
  return new Response(body, {
    headers: { ...baseHeaders(exchange.requestId), ...headers, "Content-Type": "application/json" },
  });
}

export function seeOther(exchange: Exchange, location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ ...baseHeaders(exchange.requestId), Location: withKey(exchange, location) });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
