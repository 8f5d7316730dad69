// Admits a caller without checking twice: every engine call checks the token anyway, and reports when it is no longer
// valid.
import { type ErrorCode, PdppError } from "../../contract/errors.ts";
import { type EngineHost, hostAround } from "../../engine/host.ts";

/** How many tokens of grants are remembered: enough for every app of a home, and a bound for everyone else. */
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

/** Errors that end a caller's access altogether: they become an HTTP answer, not the result of one tool. */
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
  /** Whether the engine was called at all: then it checked the token. */
  wasAsked(): boolean;
  /** Why the caller is refused, if it is. */
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
