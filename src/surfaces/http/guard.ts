// Checks Host and Origin for every route, against pages and names that only pretend to be this server.
import { hash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP, isIPv6 } from "node:net";
import { PdppError } from "../../contract/errors.ts";
import type { TrustedProxies } from "../../contract/trusted-proxies.ts";

export interface Guard {
  check(request: Request): void;
  /** For requests by address, under any name, as load balancers send them. Foreign pages are refused all the same. */
  checkOrigin(request: Request): void;
  /** The name of this server, byte for byte: its public name, or its loopback address. */
  origin(): string;
  /** The address of the caller: the peer's, or what a trusted proxy reports as its own peer, which is the last hop. */
  address(request: Request, peer: string | undefined): string;
}

/**
 * The only loopback name that this server listens on: another program may listen on [::1], where `localhost` can also
 * lead.
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
 * In a DNS rebinding attack a browser sends our address with a foreign Host; a foreign page sends its Origin. Both are
 * refused.
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
