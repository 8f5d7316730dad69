// Owner tokens: full access for the owner's own tools. They are listed by purpose and revoked like grants.
import { PdppError } from "../../contract/errors.ts";
import { newToken } from "../../contract/ids.ts";
import type { OwnerToken } from "../../contract/owner-token.ts";
import { formatInstant } from "../../core/instant.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import { type Caller, hashToken } from "../caller.ts";

/** Identifies a token without being one: the first characters of its hash. */
const tokenId = (hash: string): string => `tok_${hash.slice(0, 16)}`;

const lifetime = (expiresAt: number | null) => (expiresAt === null ? {} : { expires_at: formatInstant(expiresAt) });

export async function issueOwnerToken(
  view: WriteView,
  caller: Caller,
  args: { expires_in_seconds?: number },
  now: number,
) {
  const token = newToken("owner");
  const hash = hashToken(token);
  const expiresAt = args.expires_in_seconds === undefined ? null : now + args.expires_in_seconds * 1000;
  await view.putToken(
    hash,
    {
      kind: "owner",
      subjectId: caller.subjectId,
      grantId: null,
      packageId: null,
      expiresAt,
      audience: "records",
      label: null,
    },
    now,
  );
  return { access_token: token, token_type: "Bearer", token_id: tokenId(hash), ...lifetime(expiresAt) };
}

export async function listOwnerTokens(view: ReadView, caller: Caller, now: number): Promise<OwnerToken[]> {
  return (await view.tokensOf(caller.subjectId, "owner")).map(({ hash, createdAt, expiresAt }) => ({
    object: "owner_token",
    token_id: tokenId(hash),
    status: expiresAt !== null && expiresAt <= now ? "expired" : "active",
    created_at: formatInstant(createdAt),
    ...lifetime(expiresAt),
  }));
}

/** Revokes one token by its id, or `all`. */
export async function revokeOwnerTokens(view: WriteView, caller: Caller, { id }: { id: string }, now: number) {
  const known = await view.tokensOf(caller.subjectId, "owner");
  const gone = known.filter(({ hash }) => id === "all" || tokenId(hash) === id);
  if (gone.length === 0 && id !== "all") {
    throw new PdppError("not_found", `there is no owner token ${JSON.stringify(id)}`, {
      param: "id",
      next_step: "`pdpp owner list` shows them.",
    });
  }
  for (const { hash } of gone) await view.deleteToken(hash);
  return { object: "revocation", id, revoked: gone.map(({ hash }) => tokenId(hash)), revoked_at: formatInstant(now) };
}
