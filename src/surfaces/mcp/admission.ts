// Letting a caller in without asking twice: every engine call looks at the token anyway, and says when it is none any more.
import { type ErrorCode, PdppError } from "../../contract/errors.ts";
import { type EngineHost, hostAround } from "../../engine/host.ts";

/** Tokens that were a grant's: enough for every app of a home, and a bound for everybody else. */
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

/** Errors that end a caller's access altogether: an answer of HTTP, not of one tool. */
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
  /** Whether the engine was asked at all: then it looked at the token. */
  wasAsked(): boolean;
  /** Why the caller is not let in, if it is not. */
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
