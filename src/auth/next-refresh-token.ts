// The refresh token that follows another. It is derived rather than random, so an app that refreshes twice at once gets
// the same one twice, and the tokens of a grant stay one chain: if two parties hold it, they end up with the same
// token, and the second use is noticed (decision 0034).
import { createHmac } from "node:crypto";
import { TOKEN_PREFIX } from "../contract/ids.ts";

/**
 * How long a used refresh token may be presented again. Processes of one app that refresh at once are seconds apart.
 */
export const REPEAT_MS = 30_000;

/** Needs the secret of the home: an old token alone reveals nothing about later tokens. */
export const nextRefreshToken = (secret: string, used: string): string =>
  TOKEN_PREFIX.refresh + createHmac("sha256", secret).update(`refresh token after ${used}`).digest("base64url");
