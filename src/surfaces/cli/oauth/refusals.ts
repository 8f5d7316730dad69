// Explains an authorization server's refusal to the person at the terminal.
import { PdppError } from "../../../contract/errors.ts";
import { OAuthRefusal } from "./exchange.ts";

export function deniedByOwner(origin: string, code: string, description: string | undefined): PdppError {
  const message =
    code === "access_denied"
      ? `the owner of ${origin} denied the request`
      : `${origin} refused: ${code}${description === undefined ? "" : ` (${description})`}`;
  return new PdppError("authentication_error", message, {
    next_step: `Nothing was stored. \`pdpp connect ${origin}\` asks again.`,
  });
}

/** Explains any refusal that occurs while a terminal connects. */
export function refusedBy(origin: string, error: unknown): unknown {
  return error instanceof OAuthRefusal ? deniedByOwner(origin, error.code, error.description) : error;
}

/** The grant ended, or someone else used its refresh token. */
export const noLongerAccepted = (origin: string, because: string): PdppError =>
  new PdppError("grant_invalid", `${origin} no longer accepts the stored credential (${because})`, {
    next_step: `Ask the owner again: \`pdpp connect ${origin}\`.`,
  });
