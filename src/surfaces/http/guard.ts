// Checks Host and Origin on every route, to refuse pages and names that only pretend to be this server.
import { hash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP, isIPv6 } from "node:net";
import { PdppError } from "../../contract/errors.ts";
import type { TrustedProxies } from "../../contract/trusted-proxies.ts";

export interface Guard {
  check(request: Request): void;
  /**
   * Accepts any Host, because load balancers call the server by IP address. Requests from other sites' pages are still
   * refused.
   */
  checkOrigin(request: Request): void;
  /** The exact origin of this server: its public name, or its loopback address. */
  origin(): string;
  /** The caller's address: the peer's, or the last hop in X-Forwarded-For if the peer is a trusted proxy. */
  address(request: Request, peer: string | undefined): string;
}

/**
 * The only loopback name that this server listens on. `localhost` can also resolve to [::1], where another program may
 * listen.
 */
const LOOPBACK = "127.0.0.1";
const OTHER_LOOPBACK = ["localhost", "[::1]"];

function proxyCheck({ addresses = [], token }: TrustedProxies): (request: Request, peer: string) => boolean {
  const known = new BlockList();
  const family = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
  for (const one of addresses) {
    const [address = "", bits] = one.split("/");
    if (bits === undefined) known.addAddress(address, family(address));
    else known.addSubnet(address, Number(bits), family(address));
  }
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return (request, peer) => {
    const address = peer.replace(/^::ffff:/i, "");
    if (isIP(address) !== 0 && known.check(address, family(address))) return true;
    const given = request.headers.get("postern-proxy");
    return token !== undefined && given !== null && timingSafeEqual(digest(given), digest(token));
  };
}

/**
 * In a DNS rebinding attack, a browser sends a foreign Host to our address. A foreign page sends its own Origin. Both
 * are refused.
 */
export function hostGuard(port: () => number, publicUrl: string | undefined, proxies: TrustedProxies = {}): Guard {
  const isProxy = proxyCheck(proxies);
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const hosts = (): Set<string> => new Set([`${LOOPBACK}:${port()}`, ...(own ? [own.host] : [])]);
  const origins = (): Set<string> => new Set([`http://${LOOPBACK}:${port()}`, ...(own ? [own.origin] : [])]);
  let last: { port: number; hosts: Set<string>; origins: Set<string> } | undefined;
  const known = (): NonNullable<typeof last> => {
    if (last?.port !== port()) last = { port: port(), hosts: hosts(), origins: origins() };
    return last;
  };
  const checkOrigin = (request: Request): void => {
    const origin = request.headers.get("origin");
    if (origin !== null && !known().origins.has(origin)) {
      throw new PdppError("forbidden_origin", `requests from ${JSON.stringify(origin)} are refused`, {
        param: "Origin",
      });
    }
  };
  return {
    origin: () => own?.origin ?? `http://${LOOPBACK}:${port()}`,
    address(request, peer = "") {
      const hop = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
      return hop && isProxy(request, peer) ? hop : peer;
    },
    check(request) {
      const host = request.headers.get("host")?.toLowerCase();
      if (host === undefined || !known().hosts.has(host)) {
        const meant = OTHER_LOOPBACK.some((name) => host === `${name}:${port()}`);
        throw new PdppError("forbidden_origin", `${JSON.stringify(host ?? "")} is not an address of this server`, {
          param: "Host",
          ...(meant ? { next_step: `Use http://${LOOPBACK}:${port()} instead.` } : {}),
        });
      }
      checkOrigin(request);
    },
    checkOrigin,
  };
}
