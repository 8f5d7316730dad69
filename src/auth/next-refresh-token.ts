// Derives the refresh token that replaces a used one. Because it is not random, an app that refreshes twice at once
// gets the same token twice, and a grant's tokens form a single chain: if two parties hold the same token, both get the
// same next one, and its second use is detected (decision 0034).
import { createHmac } from "node:crypto";
import { TOKEN_PREFIX } from "../contract/ids.ts";

/**
 * How long a used refresh token may be presented again. Parallel processes of one app refresh within seconds of each
 * other.
 */
export const REPEAT_MS = 30_000;

/** Depends on the home's secret, so an old token alone reveals nothing about later tokens. */
export const nextRefreshToken = (secret: string, used: string): string =>
  TOKEN_PREFIX.refresh + createHmac("sha256", secret).update(`refresh token after ${used}`).digest("base64url");
