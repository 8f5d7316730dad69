// The only way to connect to an address that a stranger supplied: resolve once, check every address, then connect only
// to those (SECURITY row 6).
import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

interface ResolvedAddress {
  address: string;
  family: number;
}

export interface NetworkAccess {
  /** Returns all addresses of a name. Called once per request, so we connect only to addresses that were checked. */
  resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** For tests: connect here after every check on the resolved addresses has passed. */
  connectTo?: { address: string; port: number };
  /** For tests: the certificate authority of a local server. */
  ca?: string;
}

export interface GuardedRequest {
  url: URL;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** True if the owner allowed this host, so its addresses may be private. */
  allowed?: boolean;
  headerBytes: number;
  signal: AbortSignal;
}

/** We refused to connect. The caller supplied the host and must not learn its private address. */
export class Unreachable extends Error {
  readonly publicly: string;
  constructor(message: string, publicly = message) {
    super(message);
    this.publicly = publicly;
  }
}

/**
 * Calls `read` as soon as the response headers arrive, without following redirects, and closes the connection
 * afterwards.
 */
export async function guardedRequest<T>(
  asked: GuardedRequest,
  reach: NetworkAccess,
  read: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  const exchange = async (): Promise<T> => {
    const answer = await connect(asked, reach);
    try {
      return await read(answer);
    } finally {
      answer.destroy();
    }
  };
  // A lookup cannot be cancelled, so on abort the race merely stops waiting for it.
  return Promise.race([exchange(), whenAborted(asked.signal)]);
}

async function connect(
  asked: GuardedRequest,
  { resolve = resolveAll, connectTo, ca }: NetworkAccess,
): Promise<IncomingMessage> {
  const { url, allowed = false } = asked;
  const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ""));
  if (addresses.length === 0) throw new Unreachable("the host has no address");
  const hidden = addresses.find(({ address }) => !isPublicAddress(address));
  if (hidden !== undefined && !allowed) {
    const message = `the host resolves to ${hidden.address}, which is not public`;
    throw new Unreachable(message, "the host has an address that is not public");
  }
  const pinned = connectTo === undefined ? addresses : [{ ...connectTo, family: isIP(connectTo.address) }];
  return send(asked, pinned, connectTo?.port, ca);
}

function send(
  { url, method, headers, body, headerBytes, signal }: GuardedRequest,
  pinned: readonly ResolvedAddress[],
  port: number | undefined,
  ca: string | undefined,
): Promise<IncomingMessage> {
  const lookupPinned: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, [...pinned]) : done(null, pinned[0]!.address, pinned[0]!.family);
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    (isSecure ? https : http)
      .request({
        host,
        ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
        port: port ?? (url.port || (isSecure ? 443 : 80)),
        method,
        path: url.pathname + url.search,
        headers: { host: url.host, ...headers, "accept-encoding": "identity", connection: "close" },
        lookup: lookupPinned,
        // Always a new connection, never one from a pool or through a proxy set in the environment.
        agent: false,
        ca,
        // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
        rejectUnauthorized: true,
        maxHeaderSize: headerBytes,
        signal,
      })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
  });
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
