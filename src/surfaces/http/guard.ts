// The outer wall of every route: Host and Origin, against pages and names that only pretend to be this server.
import { PdppError } from "../../contract/errors.ts";

export interface Guard {
  check(request: Request): void;
  /** For what is asked by address, under any name: load balancers probe so. Pages of others are refused all the same. */
  checkOrigin(request: Request): void;
  /** What this server is called, byte for byte: its public name, or the loopback name that the caller used. */
  origin(request: Request): string;
  /** Who is at the other end. Under a public name a proxy of ours is in between; the last hop is what it saw itself. */
  address(request: Request, peer: string | undefined): string;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** A browser tricked by DNS sends our address with a foreign Host; a foreign page sends its Origin. Both are refused. */
export function hostGuard(port: () => number, publicUrl: string | undefined): Guard {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const hosts = (): Set<string> =>
    new Set([...LOOPBACK.map((name) => `${name}:${port()}`), ...(own ? [own.host] : [])]);
  const origins = (): Set<string> =>
    new Set([...LOOPBACK.map((name) => `http://${name}:${port()}`), ...(own ? [own.origin] : [])]);
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
    origin(request) {
      if (own !== undefined) return own.origin;
      const host = request.headers.get("host")?.toLowerCase() ?? "";
      return LOOPBACK.some((name) => host === `${name}:${port()}`) ? `http://${host}` : `http://127.0.0.1:${port()}`;
    },
    address(request, peer = "") {
      const hop = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
      return own !== undefined && hop ? hop : peer;
    },
    check(request) {
      const host = request.headers.get("host")?.toLowerCase();
      if (host === undefined || !known().hosts.has(host)) {
        throw new PdppError("forbidden_origin", `this server is not called ${JSON.stringify(host ?? "")}`, {
          param: "Host",
        });
      }
      checkOrigin(request);
    },
    checkOrigin,
  };
}
