// Tells whether a grant is valid now, and whether it is unused.
import type { Audience } from "../contract/auth.ts";
import type { Grant } from "../contract/grant.ts";
import type { GrantStatus } from "../contract/grant-status.ts";
import { UNUSED_GRANT } from "../contract/limits.ts";
import { parseInstant } from "./instant.ts";
import type { GrantState } from "./why.ts";

const DAY_MS = 86_400_000;

/** The lens that a grant is for. */
export const audienceOf = ({ files }: Grant): Audience => (files === undefined ? "records" : "files");

/**
 * A single-use grant issued its only token when `consumedAt` was set, and that token is valid until the grant expires.
 * Until then the grant counts as active, so that the owner can see it and revoke it.
 */
export function grantStatusOf({ grant, revokedAt, consumedAt }: GrantState, now: number): GrantStatus {
  if (revokedAt !== null) return "revoked";
  if (grant.expires_at === undefined || now < parseInstant(grant.expires_at)!)
    return grant.paused_at === undefined ? "active" : "paused";
  return consumedAt === null ? "expired" : "consumed";
}

/** True for a grant that is valid but unused, which the owner may want to revoke. */
export function isUnused(state: GrantState, usedAt: number | undefined, now: number): boolean {
  if (grantStatusOf(state, now) !== "active") return false;
  const days = usedAt === undefined ? UNUSED_GRANT.neverUsedDays : UNUSED_GRANT.unusedDays;
  return now - (usedAt ?? parseInstant(state.grant.issued_at)!) >= days * DAY_MS;
}
