// Refuses owner credentials in the environment or arguments of a program that serves an agent, before anything is read
// (E-07).
import { PdppError } from "../../contract/errors.ts";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { type OptionValues, text } from "./command.ts";

/**
 * Matches anywhere in a value, because people store tokens as whole headers, and hosts store their settings as JSON.
 */
const OWNER_CREDENTIAL = new RegExp(`(?:${TOKEN_PREFIX.owner}|${TOKEN_PREFIX.session})[A-Za-z0-9_-]`);

/**
 * An agent's host can read the environment of the programs it starts, and so can the agent, even if it has its own
 * token.
 */
export function refuseOwnerCredentials(environment: NodeJS.ProcessEnv, values: OptionValues, nextStep: string): void {
  const given = [...Object.entries(environment), ["--token", text(values, "token")] as const];
  const found = given.find(
    ([name, value]) => name === "PDPP_OWNER_TOKEN" || (value !== undefined && OWNER_CREDENTIAL.test(value)),
  );
  if (found !== undefined) throw ownerRejected(found[0], nextStep);
}

export function ownerRejected(where: string, nextStep: string): PdppError {
  return new PdppError("owner_token_rejected", `${where} contains an owner's credential; apps need a grant`, {
    next_step: nextStep,
  });
}
