// Whether a grant is good now, and whether it sleeps.
import type { Audience } from "../contract/auth.ts";
import type { Grant } from "../contract/grant.ts";
import type { GrantStatus } from "../contract/grant-status.ts";
import { SLEEPING } from "../contract/limits.ts";
import { parseInstant } from "./instant.ts";
import type { GrantState } from "./why.ts";

const DAY_MS = 86_400_000;

/** The lens that a grant opens. */
export const audienceOf = ({ files }: Grant): Audience => (files === undefined ? "records" : "files");

export function grantStatusOf({ grant, revokedAt, consumedAt }: GrantState, now: number): GrantStatus {
  if (revokedAt !== null) return "revoked";
  if (grant.expires_at !== undefined && parseInstant(grant.expires_at)! <= now) return "expired";
  return consumedAt === null ? "active" : "consumed";
}

/** Good, and nobody seems to need it: the owner may want to take it back. */
export function isSleeping(state: GrantState, usedAt: number | undefined, now: number): boolean {
  if (grantStatusOf(state, now) !== "active") return false;
  const days = usedAt === undefined ? SLEEPING.neverUsedDays : SLEEPING.unusedDays;
  return now - (usedAt ?? parseInstant(state.grant.issued_at)!) >= days * DAY_MS;
}
