// A path prefix that only one browser knows: /~KEY. Cookies ignore ports, so the cookies of the owner's browser are set
// for a path that no other server on this host can guess (G-03, decision 0027).
import type { Exchange } from "./respond.ts";

/** 132 bits. */
export const KEY_LENGTH = 22;
const KEY_IN_PATH = new RegExp(`^/~([A-Za-z0-9_-]{${KEY_LENGTH}})(?=/|$)`);

/** Removes the key from the address before any route sees it, so logs and errors never contain the key. */
export function splitKey(address: string): Pick<Exchange, "url" | "key"> {
  const url = new URL(address);
  const key = KEY_IN_PATH.exec(url.pathname)?.[1];
  if (key === undefined) return { url };
  url.pathname = url.pathname.slice(keyPath(key).length - 1) || "/";
  return { url, key };
}

/** The path for which a browser's cookies are valid. */
export const keyPath = (key: string): string => `/~${key}/`;

/** Adds the requesting browser's key to one of our links. Links to other sites are returned unchanged. */
export function withKey({ key, origin }: Pick<Exchange, "key" | "origin">, link: string): string {
  if (key === undefined) return link;
  const [base, path] = link.startsWith(`${origin}/`) ? [origin, link.slice(origin.length)] : ["", link];
  return /^\/(?![/\\~])/.test(path) ? base + keyPath(key) + path.slice(1) : link;
}

/**
 * Adds the key to all links, forms and pictures of a page. Stored text cannot contain an attribute, because its quotes
 * are escaped.
 */
export function pageWithKey(exchange: Pick<Exchange, "key" | "origin">, html: string): string {
  if (exchange.key === undefined) return html;
  return html.replace(
    /(\s(?:href|action|src)=")([^"]*)(?=")/g,
    (_, attribute: string, link: string) => attribute + (link.startsWith("/assets/") ? link : withKey(exchange, link)),
  );
}
