// The bearer token of a request, and the limit on requests in flight per token.
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import type { Credential } from "../../engine/caller.ts";

export function credentialOf(request: Request): Credential {
  const header = request.headers.get("authorization");
  if (header === null) throw new PdppError("authentication_error", "this needs a bearer token");
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(header)?.[1];
  if (token === undefined) throw new PdppError("authentication_error", "Authorization must be: Bearer TOKEN");
  if (token.startsWith(TOKEN_PREFIX.session)) {
    throw new PdppError("authentication_error", "a session opens pages in a browser; it is not a bearer token");
  }
  return { token };
}

/** Identifies the holder of request slots: a token, or the grant of a signed link. */
export const holderName = (credential: Credential): string =>
  "token" in credential ? credential.token : "grant" in credential ? credential.grant : "";

/** One caller's flood must not block the others. */
const IN_FLIGHT_MAX = 64;

export function inFlightLimit(): <T>(credential: Credential, work: () => Promise<T>) => Promise<T> {
  const counts = new Map<string, number>();
  return async (credential, work) => {
    const name = holderName(credential);
    const running = counts.get(name) ?? 0;
    if (running >= IN_FLIGHT_MAX) {
      throw new PdppError("rate_limit_exceeded", `this token already has ${IN_FLIGHT_MAX} requests in flight`);
    }
    counts.set(name, running + 1);
    try {
      return await work();
    } finally {
      const left = counts.get(name)! - 1;
      if (left === 0) counts.delete(name);
      else counts.set(name, left);
    }
  };
}
