// Admits a caller without checking the token twice. Every engine call checks it anyway, and reports if it is no longer
// valid.
import { type ErrorCode, PdppError } from "../../contract/errors.ts";
import { type EngineHost, hostAround } from "../../engine/host.ts";

/** The number of grant tokens remembered. It is enough for every app of a home, and limits the memory used. */
const KNOWN_MAX = 1000;

export function knownTokens(): { has(token: string): boolean; add(token: string): void } {
  const tokens = new Set<string>();
  return {
    has: (token) => tokens.has(token),
    add(token) {
      if (tokens.size >= KNOWN_MAX) tokens.clear();
      tokens.add(token);
    },
  };
}

/** Errors that end a caller's access altogether. They become an HTTP response, not the result of one tool. */
const ENDS_ACCESS: readonly ErrorCode[] = [
  "authentication_error",
  "token_expired",
  "grant_expired",
  "grant_revoked",
  "grant_paused",
  "grant_consumed",
  "grant_invalid",
];

export interface Watched {
  host: EngineHost;
  /** True if the engine was called at all, and so has checked the token. */
  wasAsked(): boolean;
  /** The reason why the caller is refused, if it is. */
  refusal(): PdppError | undefined;
}

export function watchedHost(host: EngineHost): Watched {
  let asked = false;
  let refusal: PdppError | undefined;
  return {
    host: hostAround(host, (next) => async (name, query, credential, requestId) => {
      asked = true;
      try {
        return await next(name, query, credential, requestId);
      } catch (error) {
        if (error instanceof PdppError && ENDS_ACCESS.includes(error.code)) refusal = error;
        throw error;
      }
    }),
    wasAsked: () => asked,
    refusal: () => refusal,
  };
}
