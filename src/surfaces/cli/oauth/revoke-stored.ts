// Revokes a grant (RFC 7009). The credential is deleted afterwards, whether or not the server could be reached.
import { z } from "zod";
import { PdppError } from "../../../contract/errors.ts";
import type { StoredCredential } from "../credentials.ts";
import { ask, form, OAuthRefusal } from "./exchange.ts";

export interface RevokedGrant {
  /** The id of the grant or package. */
  grant: string;
  revoked: boolean;
  failure?: string;
}

/** Call it while holding the lock, so that no other process renews a grant that is being revoked. */
export async function revokeStored(stored: StoredCredential): Promise<RevokedGrant> {
  const grant = stored.grant_id ?? stored.grant_package_id ?? "the grant";
  if (stored.revocation_endpoint === undefined)
    return { grant, revoked: false, failure: "it has no revocation endpoint" };
  const { revocation_endpoint, client_id, access_token, refresh_token } = stored;
  try {
    // Revoking the refresh token revokes the whole grant; revoking an access token ends only that token.
    const token = refresh_token ?? access_token;
    await ask(revocation_endpoint, z.unknown(), form({ token, client_id }));
    return { grant, revoked: true };
  } catch (error) {
    if (error instanceof OAuthRefusal || error instanceof PdppError)
      return { grant, revoked: false, failure: error.message };
    throw error;
  }
}
