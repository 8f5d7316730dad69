// The outer wall of every route: Host and Origin, against pages and names that only pretend to be this server.
import { PdppError } from "../../contract/errors.ts";

export interface Guard {
  check(request: Request): void;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** A browser tricked by DNS sends our address with a foreign Host; a foreign page sends its Origin. Both are refused. */
export function hostGuard(port: () => number, publicUrl: string | undefined): Guard {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const hosts = (): Set<string> =>
    new Set([...LOOPBACK.map((name) => `${name}:${port()}`), ...(own ? [own.host] : [])]);
  const origins = (): Set<string> =>
    new Set([...LOOPBACK.map((name) => `http://${name}:${port()}`), ...(own ? [own.origin] : [])]);
  let known: { port: number; hosts: Set<string>; origins: Set<string> } | undefined;
  return {
    check(request) {
      if (known?.port !== port()) known = { port: port(), hosts: hosts(), origins: origins() };
      const host = request.headers.get("host")?.toLowerCase();
      if (host === undefined || !known.hosts.has(host)) {
        throw new PdppError("forbidden_origin", `this server is not called ${JSON.stringify(host ?? "")}`, {
          param: "Host",
        });
      }
      const origin = request.headers.get("origin");
      if (origin !== null && !known.origins.has(origin)) {
        throw new PdppError("forbidden_origin", `requests from ${JSON.stringify(origin)} are refused`, {
          param: "Origin",
        });
      }
    },
  };
}
