// The only fetch of an address that a stranger named: client metadata documents (SECURITY row 6).
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

const LIMITS = {
  /** From the first name lookup to the last byte: someone waits for the consent screen meanwhile. */
  milliseconds: 2500,
  /** What the client metadata document draft recommends; counted as bytes arrive, whatever the headers say. */
  bodyBytes: 5 * 1024,
  headerBytes: 8 * 1024,
} as const;

const PORT = 443;
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;
/** What the caller needs of an answer: its type and how long it may be kept. */
const KEPT_HEADERS = ["content-type", "cache-control", "expires"] as const;

interface ResolvedAddress {
  address: string;
  family: number;
}

interface GuardedFetchOptions {
  /** All addresses of a name. Asked once per fetch: the addresses that were checked are the ones connected to. */
  resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** Tests: the connection goes here after every check on the resolved addresses has passed. */
  connectTo?: { address: string; port: number };
  /** Tests: the certificate authority of a local server. */
  ca?: string;
  milliseconds?: number;
}

export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Sends GET with fixed headers and nothing of the caller's: no cookie, no credential, no body. */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { resolve = resolveAll, connectTo, ca, milliseconds = LIMITS.milliseconds } = options;
  return async (input, init = {}) => {
    const url = checkedUrl(input instanceof Request ? input.url : input);
    if ((init.method ?? "GET") !== "GET") throw refused(url, "only GET is sent");
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(refused(url, `no answer in ${milliseconds} ms`)), milliseconds);
    const signal = init.signal == null ? timer.signal : AbortSignal.any([timer.signal, init.signal]);

    const fetchIt = async (): Promise<Response> => {
      const addresses = await resolve(url.hostname);
      if (addresses.length === 0) throw refused(url, "the host has no address");
      const hidden = addresses.find(({ address }) => !isPublicAddress(address));
      if (hidden !== undefined) throw refused(url, `the host resolves to ${hidden.address}, which is not public`);
      const pinned = connectTo === undefined ? addresses : [{ ...connectTo, family: isIP(connectTo.address) }];
      return readAnswer(url, await get(url, { pinned, port: connectTo?.port ?? PORT, ca, signal }));
    };
    try {
      // A lookup cannot be stopped; the race leaves it behind.
      return await Promise.race([fetchIt(), whenAborted(signal)]);
    } finally {
      clearTimeout(timeout);
    }
  };
}

function checkedUrl(input: string | URL): URL {
  const url = new URL(input);
  if (url.protocol !== "https:") throw refused(url, "only https is fetched");
  if (url.username !== "" || url.password !== "") throw refused(url, "the address carries credentials");
  // The parser has dropped an explicit 443, so any port left is another one.
  if (url.port !== "") throw refused(url, `only port ${PORT} is fetched`);
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0) throw refused(url, "the host is an address, not a name");
  if (url.hostname.endsWith(".")) throw refused(url, "the host ends with a dot");
  return url;
}

interface Connection {
  pinned: readonly ResolvedAddress[];
  port: number;
  ca: string | undefined;
  signal: AbortSignal;
}

function get(url: URL, { pinned, port, ca, signal }: Connection): Promise<IncomingMessage> {
  const lookupPinned: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, [...pinned]) : done(null, pinned[0]!.address, pinned[0]!.family);
  return new Promise((resolve, reject) => {
    request({
      host: url.hostname,
      servername: url.hostname,
      port,
      path: url.pathname + url.search,
      headers: { host: url.host, accept: "application/json", "accept-encoding": "identity", connection: "close" },
      lookup: lookupPinned,
      // A connection of its own, never one from a pool or through a proxy of the environment.
      agent: false,
      ca,
      // Said explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot say otherwise.
      rejectUnauthorized: true,
      maxHeaderSize: LIMITS.headerBytes,
      signal,
    })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}

async function readAnswer(url: URL, answer: IncomingMessage): Promise<Response> {
  try {
    const status = answer.statusCode ?? 0;
    if (status >= 300 && status < 400) throw refused(url, `it redirects (${status}), which is not followed`);
    if (status !== 200) return new Response(null, { status });
    const { "content-type": type = "", "content-encoding": encoding = "identity" } = answer.headers;
    if (!JSON_TYPE.test(type)) throw refused(url, `its content type is ${JSON.stringify(type)}, not JSON`);
    if (encoding !== "identity") throw refused(url, `it is encoded as ${JSON.stringify(encoding)}`);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.byteLength;
      if (bytes > LIMITS.bodyBytes) throw refused(url, `it is larger than ${LIMITS.bodyBytes} bytes`);
      parts.push(part);
    }
    const headers = KEPT_HEADERS.flatMap((name): [string, string][] => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    return new Response(Buffer.concat(parts), { status, headers });
  } finally {
    answer.destroy();
  }
}

async function resolveAll(hostname: string): Promise<ResolvedAddress[]> {
  return lookup(hostname, { all: true });
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function refused(url: URL, reason: string): Error {
  return new Error(`${url.origin}${url.pathname} was not fetched: ${reason}`);
}
