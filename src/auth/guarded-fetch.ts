// Fetches client metadata documents from addresses that strangers supplied (SECURITY row 6).
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { guardedRequest, type NetworkAccess, Unreachable } from "./guarded-request.ts";

const LIMITS = {
  /** The time from the first DNS lookup to the last byte. Short, because the user is waiting for the consent screen. */
  milliseconds: 2500,
  /**
   * The limit recommended by the client metadata document draft. Bytes are counted as they arrive, whatever the headers
   * say.
   */
  bodyBytes: 5 * 1024,
  headerBytes: 8 * 1024,
} as const;

const PORT = 443;
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;
/** The headers that the caller needs: the content type, and how long the response may be cached. */
const KEPT_HEADERS = ["content-type", "cache-control", "expires"] as const;

interface GuardedFetchOptions extends NetworkAccess {
  milliseconds?: number;
}

export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Sends GET with fixed headers and nothing from the caller: no cookie, no credential, no body. */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { milliseconds = LIMITS.milliseconds, ...reach } = options;
  return async (input, init = {}) => {
    const url = checkedUrl(input instanceof Request ? input.url : input);
    if ((init.method ?? "GET") !== "GET") throw refused(url, "only GET requests are allowed");
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(refused(url, `no response within ${milliseconds} ms`)), milliseconds);
    const signal = init.signal == null ? timer.signal : AbortSignal.any([timer.signal, init.signal]);
    const asked = { url, method: "GET", headers: { accept: "application/json" }, signal } as const;
    try {
      return await guardedRequest({ ...asked, headerBytes: LIMITS.headerBytes }, reach, (answer) =>
        readAnswer(url, answer),
      );
    } catch (error) {
      throw error instanceof Unreachable ? refused(url, error.message) : error;
    } finally {
      clearTimeout(timeout);
    }
  };
}

function checkedUrl(input: string | URL): URL {
  const url = new URL(input);
  if (url.protocol !== "https:") throw refused(url, "only https addresses can be fetched");
  if (url.username !== "" || url.password !== "") throw refused(url, "the address contains credentials");
  // The URL parser drops an explicit 443, so any remaining port is a different one.
  if (url.port !== "") throw refused(url, `only port ${PORT} is allowed`);
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) throw refused(url, "the host is an IP address, not a name");
  if (url.hostname.endsWith(".")) throw refused(url, "the host ends with a dot");
  return url;
}

async function readAnswer(url: URL, answer: IncomingMessage): Promise<Response> {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) throw refused(url, `it redirects (${status}), and redirects are not followed`);
  if (status !== 200) return new Response(null, { status });
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = answer.headers;
  if (!JSON_TYPE.test(type)) throw refused(url, `the content type is ${JSON.stringify(type)}, not JSON`);
  if (encoding !== "identity") throw refused(url, `the response is encoded as ${JSON.stringify(encoding)}`);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    if (bytes > LIMITS.bodyBytes) throw refused(url, `the response is larger than ${LIMITS.bodyBytes} bytes`);
    parts.push(part);
  }
  const headers = KEPT_HEADERS.flatMap((name): [string, string][] => {
    const value = answer.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  return new Response(Buffer.concat(parts), { status, headers });
}

function refused(url: URL, reason: string): Error {
  return new Error(`${url.origin}${url.pathname} was not fetched: ${reason}`);
}
