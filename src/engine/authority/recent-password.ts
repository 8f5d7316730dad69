// Checks that the owner entered the password recently in this session. A session without a recent password cannot
// create lasting access (G-04).
import { PdppError } from "../../contract/errors.ts";
import { RECENT_PASSWORD_MS } from "../../contract/limits.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";

const KIND = "RecentPassword";

export async function notePassword(view: WriteView, sessionHash: string, now: number): Promise<void> {
  await view.putAuthItem({
    kind: KIND,
    hash: sessionHash,
    body: "{}",
    grantId: null,
    uid: null,
    userCode: null,
    consumedAt: null,
    expiresAt: now + RECENT_PASSWORD_MS,
  });
}

/** Owner tokens and the home itself are exempt, because only a session can be left open in a browser. */
export async function requireRecentPassword(view: ReadView, { sessionHash }: Caller, now: number): Promise<void> {
  if (sessionHash === undefined) return;
  const entered = await view.authItem(KIND, sessionHash);
  if (entered !== undefined && now < entered.expiresAt!) return;
  throw new PdppError("password_required", "this needs your password, entered within the last 10 minutes");
}
