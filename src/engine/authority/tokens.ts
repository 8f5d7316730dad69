// Grant tokens. Checks whether the authorization server may still issue a token for a grant, and issues it in the same
// transaction.
import type { Audience, GrantInfo } from "../../contract/auth.ts";
import { PdppError } from "../../contract/errors.ts";
import type { Grant } from "../../contract/grant.ts";
import { audienceOf } from "../../core/grant-state.ts";
import { parseInstant } from "../../core/instant.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";

async function rowsOf(view: ReadView, id: string): Promise<GrantRow[]> {
  const single = await view.grant(id);
  return single ? [single] : view.grantsOfPackage(id);
}

const expiryOf = ({ grant }: GrantRow): number =>
  grant.expires_at === undefined ? Number.POSITIVE_INFINITY : parseInstant(grant.expires_at)!;

/** Returns undefined if there is no such grant or it has ended. The grants table is the only source of truth. */
export async function grantInfo(view: ReadView, id: string, now: number): Promise<GrantInfo | undefined> {
  const alive = (await rowsOf(view, id)).filter((row) => row.revokedAt === null && now < expiryOf(row));
  const first = alive[0];
  if (first === undefined) return undefined;
  const expires = Math.max(...alive.map(expiryOf));
  return {
    id,
    client_id: first.grant.client.client_id,
    client_name: first.grant.client.client_display?.name ?? first.grant.client.client_id,
    subject_id: first.grant.subject.id,
    access_mode: first.grant.access_mode,
    audience: audienceOf(first.grant),
    consumed: first.consumedAt !== null,
    issued_at: parseInstant(first.grant.issued_at)!,
    expires_at: Number.isFinite(expires) ? expires : null,
    package: first.packageId !== null,
  };
}

/** A single-use grant yields one token, and issuing it consumes the grant. */
export async function issueToken(
  view: WriteView,
  token: { hash: string; id: string; audience: Audience; expiresAt: number },
  now: number,
) {
  const info = await grantInfo(view, token.id, now);
  if (info === undefined) throw new PdppError("grant_invalid", "there is no such grant, or it has ended");
  if (info.audience !== token.audience) {
    throw new PdppError("grant_invalid", `this grant is for the ${info.audience} lens, not the ${token.audience} lens`);
  }
  if (info.access_mode === "single_use") {
    if (info.consumed)
      throw new PdppError("grant_consumed", "this grant was for a single token, which has been issued");
    for (const { grant } of await rowsOf(view, token.id)) await view.consumeGrant(grant.grant_id, now);
  }
  await view.putToken(
    token.hash,
    {
      kind: "client",
      subjectId: info.subject_id,
      grantId: info.package ? null : info.id,
      packageId: info.package ? info.id : null,
      expiresAt: Math.min(token.expiresAt, info.expires_at ?? Number.POSITIVE_INFINITY),
      audience: token.audience,
      label: null,
    },
    now,
  );
  return {};
}

export interface TokenInfo {
  grant: GrantInfo;
  expires_at: number | null;
}

/** Returns a client's token if it would be accepted now. */
export async function tokenInfo(view: ReadView, hash: string, now: number): Promise<TokenInfo | undefined> {
  const token = await view.token(hash);
  if (token?.kind !== "client" || (token.expiresAt !== null && token.expiresAt <= now)) return undefined;
  const grant = await grantInfo(view, (token.packageId ?? token.grantId)!, now);
  return grant && { grant, expires_at: token.expiresAt };
}

/** The access that this grant's tokens have, as authorization details: what the client was actually granted. */
export async function grantedDetails(view: ReadView, id: string, now: number): Promise<Grant[]> {
  return (await rowsOf(view, id))
    .filter((row) => row.revokedAt === null && now < expiryOf(row))
    .map((row) => row.grant);
}

/** Ends a grant and all its tokens, because the app revoked the grant or a stolen token was used. */
export async function endGrant(view: WriteView, id: string, by: "app" | "reuse", now: number) {
  for (const { grant } of await rowsOf(view, id)) await view.revokeGrant(grant.grant_id, now, by);
  await view.deleteAuthItemsOfGrant(id);
  return {};
}
