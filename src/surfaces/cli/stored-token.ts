// The token of a stored credential. It is always current: one process at a time renews it when it has expired.
import type { Audience } from "../../contract/auth.ts";
import { PdppError } from "../../contract/errors.ts";
import { type EngineHost, hostAround } from "../../engine/host.ts";
import { httpHost } from "../rest/http-host.ts";
import {
  type CredentialPlace,
  credentialIn,
  lockedCredentials,
  putCredential,
  type SavedCredential,
  type StoredCredential,
} from "./credentials.ts";
import { requestToken, type TokenAnswer } from "./oauth/client.ts";
import { OAuthRefusal } from "./oauth/exchange.ts";
import { noLongerAccepted } from "./oauth/refusals.ts";

/** Tokens are renewed a little early, so that they do not expire in flight. */
const EARLY_MS = 30_000;

/** After these errors, only a new approval by the owner helps. */
const ENDED = ["token_expired", "grant_revoked", "grant_expired", "grant_consumed", "grant_invalid"];

/** Converts a token response to the stored form. Missing fields keep their stored value. */
export function keptTokens(tokens: TokenAnswer, now = Date.now()): Omit<SavedCredential, "client_id"> {
  const { access_token, refresh_token, expires_in, grant_id, grant_package_id } = tokens;
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    expires_at: expires_in === undefined ? undefined : new Date(now + expires_in * 1000).toISOString(),
    ...(grant_id === undefined ? {} : { grant_id }),
    ...(grant_package_id === undefined ? {} : { grant_package_id }),
    obtained_at: new Date(now).toISOString(),
  };
}

export function noCredential(origin: string, lens: Audience = "records"): PdppError {
  const files = lens === "files" ? " --files" : "";
  return new PdppError("authentication_error", `not connected to ${origin}`, {
    next_step: `Run \`pdpp connect ${origin}${files}\`, pass --token TOKEN, or set PDPP_ACCESS_TOKEN.`,
  });
}

/** Reads the file each time, because another process may have renewed, replaced or removed the credential. */
export async function currentToken(place: CredentialPlace): Promise<string> {
  const stored = credentialIn(place);
  if (stored === undefined) throw noCredential(place.origin, place.lens);
  const ends = stored.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(stored.expires_at);
  return Date.now() < ends - EARLY_MS ? stored.access_token : renewedToken(stored, stored.access_token);
}

const renewing = new Map<string, Promise<string>>();

/** Replaces `used`, which has expired. Returns the same token if nothing can renew it. */
export function renewedToken(place: CredentialPlace, used: string): Promise<string> {
  const name = `${place.folder}\n${place.origin}\n${place.lens}`;
  const running = renewing.get(name) ?? renew(place, used).finally(() => renewing.delete(name));
  renewing.set(name, running);
  return running;
}

function renew(place: CredentialPlace, used: string): Promise<string> {
  const { origin, lens } = place;
  return lockedCredentials(place.folder, async () => {
    const stored = credentialIn(place);
    if (stored === undefined) throw noCredential(origin, lens);
    const { access_token, token_endpoint, client_id, refresh_token } = stored;
    if (access_token !== used || refresh_token === undefined || token_endpoint === undefined) return access_token;
    // The request is never sent twice. If the response is lost, so is the grant, and a second attempt would look like
    // theft.
    const tokens = await requestToken(token_endpoint, { grant_type: "refresh_token", client_id, refresh_token }).catch(
      (error: unknown) => {
        throw error instanceof OAuthRefusal ? noLongerAccepted(origin, error.description ?? error.code) : error;
      },
    );
    const { origin: _origin, folder: _folder, lens: _lens, ...kept } = stored;
    putCredential(place, { ...kept, ...keptTokens(tokens) });
    return tokens.access_token;
  });
}

/** Accesses a server with its stored credential, ignoring the credential of each call. */
export function storedHost(server: string, stored: StoredCredential): EngineHost {
  const host = httpHost(server);
  return hostAround(host, (next) => async (name, query, _credential, requestId) => {
    const token = await currentToken(stored);
    try {
      return await next(name, query, { token }, requestId);
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
      const renewed = error.status === 401 ? await renewedToken(stored, token) : token;
      if (renewed === token) throw withWayOn(error, stored.origin);
      return next(name, query, { token: renewed }, requestId);
    }
  });
}

function withWayOn(error: PdppError, origin: string): PdppError {
  if (!ENDED.includes(error.code)) return error;
  const next_step = `Ask the owner again: \`pdpp connect ${origin}\`.`;
  return new PdppError(error.code, error.message, { ...error.details, next_step });
}
