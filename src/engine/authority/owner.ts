// The owner's account and sessions. The account is created once, with a code from the terminal; sessions are opened
// with a password.
import { PdppError } from "../../contract/errors.ts";
import { newToken } from "../../contract/ids.ts";
import type { FactorProof, PasskeyProof } from "../../contract/second-factor.ts";
import { formatInstant } from "../../core/instant.ts";
import type { OwnerRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import { type Caller, hashToken } from "../caller.ts";
import type { WriteContext } from "../calls/define.ts";
import { preferencesOf } from "../preferences.ts";
import { notePassword } from "./recent-password.ts";
import { dropSecondFactors, proveFactor } from "./second-factor.ts";

const SETUP = "Setup";
/** Long enough for the owner to open the link. A restart or `pdpp owner reset` issues another code. */
const SETUP_SECONDS = 24 * 3600;
const SESSION_SECONDS = 14 * 86_400;

export async function ownerAccount(view: ReadView, subjectId: string) {
  const owner = await view.owner(subjectId);
  return owner === undefined
    ? ({ exists: false } as const)
    : ({
        exists: true,
        subject_id: subjectId,
        name: owner.name,
        password: owner.password,
        preferences: await preferencesOf(view, subjectId),
      } as const);
}

/** Replaces every earlier code, so only one link is valid at a time. */
export async function putSetupCode(view: WriteView, subjectId: string, code: string, now: number) {
  const old = await view.authItemBy(SETUP, "uid", subjectId);
  if (old !== undefined) await view.deleteAuthItem(SETUP, old.hash);
  await view.putAuthItem({
    kind: SETUP,
    hash: code,
    body: "{}",
    grantId: null,
    uid: subjectId,
    userCode: null,
    consumedAt: null,
    expiresAt: now + SETUP_SECONDS * 1000,
  });
  return { expires_at: formatInstant(now + SETUP_SECONDS * 1000) };
}

export async function checkSetupCode(view: ReadView, code: string, now: number) {
  const item = await view.authItem(SETUP, code);
  return { valid: item !== undefined && item.consumedAt === null && now < item.expiresAt! };
}

/** Called for the first password and for every reset. Ends all sessions and removes second factors. */
export async function setOwner(
  view: WriteView,
  caller: Caller,
  { code, name, password }: { code: string; name: string; password: string },
  now: number,
) {
  const { valid } = (await checkSetupCode(view, code, now)) as { valid: boolean };
  if (!valid || !(await view.consumeAuthItem(SETUP, code, now))) {
    throw new PdppError("authentication_error", "this setup link has already been used or has expired", {
      next_step: "`pdpp owner reset` prints a new one.",
    });
  }
  await view.deleteAuthItem(SETUP, code);
  await view.putOwner({ subjectId: caller.subjectId, name, password, changedAt: now });
  await dropSecondFactors(view, caller.subjectId);
  await signOutAll(view, caller);
  return { name };
}

/**
 * Ends every session, including the current one, because somebody else may be using it. `replaces` is the hash that the
 * current password was checked against, so a reset that happened since then wins.
 */
export async function changePassword(
  view: WriteView,
  caller: Caller,
  { password, replaces }: { password: string; replaces: string },
  now: number,
) {
  const owner = await ownerWith(view, caller, replaces);
  await view.putOwner({ ...owner, password, changedAt: now });
  return signOutAll(view, caller);
}

/** Throws if the password was changed while it was being verified, which takes a while. */
async function ownerWith(view: WriteView, { subjectId }: Caller, password: string): Promise<OwnerRow> {
  const owner = await view.owner(subjectId);
  if (owner !== undefined && owner.password === password) return owner;
  throw new PdppError("authentication_error", "the password has been changed in the meantime", {
    next_step: "Sign in with the new password.",
  });
}

/** The owner entered the password again, or used a passkey, in an open session. */
export async function enterPassword(
  context: WriteContext,
  { checked, proof }: { checked?: string; proof?: PasskeyProof },
): Promise<object> {
  const { view, caller, now } = context;
  if (proof !== undefined) await proveFactor(context, proof);
  else await ownerWith(view, caller, checked ?? "");
  if (caller.sessionHash !== undefined) await notePassword(view, caller.sessionHash, now);
  return {};
}

async function signOutAll(view: WriteView, { subjectId }: Caller): Promise<{ ended: number }> {
  const held = await view.tokensOf(subjectId, "session");
  for (const { hash } of held) await view.deleteToken(hash);
  return { ended: held.length };
}

/** Sessions are opened only here, so this is where the second factor is required. */
export async function openSession(
  context: WriteContext,
  { label, checked, proof }: { label: string; checked?: string; proof?: FactorProof },
) {
  const { view, caller, now } = context;
  if (checked !== undefined) await ownerWith(view, caller, checked);
  const { replacesPassword } = await proveFactor(context, proof);
  const token = newToken("session");
  const expiresAt = now + SESSION_SECONDS * 1000;
  await view.pruneAuth(now);
  await view.putToken(
    hashToken(token),
    {
      kind: "session",
      subjectId: caller.subjectId,
      grantId: null,
      packageId: null,
      expiresAt,
      audience: "records",
      label,
    },
    now,
  );
  if (checked !== undefined || replacesPassword) await notePassword(view, hashToken(token), now);
  return { session: token, max_age_seconds: SESSION_SECONDS };
}
