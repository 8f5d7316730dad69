// The owner's second factors: added and removed in Settings, and verified at sign-in. Once the owner has one, the
// password alone opens no session (V-13).
import { createHash, randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import {
  type FactorProof,
  type Passkey,
  type PasskeyAdded,
  type PasskeyProof,
  SECOND_FACTORS,
  type SecondFactors,
} from "../../contract/second-factor.ts";
import { formatInstant } from "../../core/instant.ts";
import { openSecrets, sealSecrets } from "../../core/sealed-secrets.ts";
import { base32, fromBase32, stepOf } from "../../core/totp.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { WriteContext } from "../calls/define.ts";

const KIND = "second_factor";
const ID = "all";
const USED_CHALLENGE = "UsedChallenge";
/** Binds the sealed secret to its purpose, so it cannot be opened for another one. */
const SEALED_FOR = "authenticator app";
const AUTHENTICATOR = "authenticator";

interface KeptFactors {
  authenticator?: { sealed: string; lastStep: number; added_at: string };
  passkeys: Passkey[];
  /** The SHA-256 of each unused code. With 80 random bits, a slow hash is not needed. */
  recovery: string[];
}

type Added = { recovery_codes?: string[] };

async function kept(view: ReadView, subjectId: string): Promise<KeptFactors> {
  const item = await view.item(subjectId, KIND, ID);
  return (item?.body as KeptFactors | undefined) ?? { passkeys: [], recovery: [] };
}

const keep = (view: WriteView, subjectId: string, factors: KeptFactors, now: number): Promise<void> =>
  Promise.resolve(
    view.putItem(subjectId, { kind: KIND, id: ID, holder: null, createdAt: now, dueAt: null, body: { ...factors } }),
  );

const isRequired = ({ authenticator, passkeys }: KeptFactors): boolean =>
  authenticator !== undefined || passkeys.length > 0;

export async function secondFactors(view: ReadView, subjectId: string): Promise<SecondFactors> {
  const factors = await kept(view, subjectId);
  const { authenticator, passkeys, recovery } = factors;
  return {
    required: isRequired(factors),
    ...(authenticator === undefined ? {} : { authenticator: { added_at: authenticator.added_at } }),
    passkeys,
    recovery_codes_left: recovery.length,
  };
}

/** Called when the owner is reset from the terminal. */
export async function dropSecondFactors(view: WriteView, subjectId: string): Promise<void> {
  await view.deleteItem(subjectId, KIND, ID);
}

/** Consumes the proof. With a passkey, no password is needed. Throws if a proof is required but missing. */
export async function proveFactor(
  { view, caller: { subjectId }, key, now }: WriteContext,
  proof: FactorProof | undefined,
): Promise<{ replacesPassword: boolean }> {
  const factors = await kept(view, subjectId);
  if (proof === undefined) {
    if (isRequired(factors)) throw refused("this sign-in needs a second factor");
    return { replacesPassword: false };
  }
  if (proof.kind === "passkey") {
    await usePasskey(view, subjectId, factors, proof, now);
    return { replacesPassword: true };
  }
  const { authenticator, recovery } = factors;
  const typed = proof.code.replaceAll(/[\s-]/g, "");
  const secret = authenticator && openSecrets(key, SEALED_FOR, authenticator.sealed)?.secret;
  const step = secret === undefined ? undefined : stepOf(fromBase32(secret)!, typed, now, authenticator!.lastStep);
  const hash = recoveryHash(typed);
  if (step !== undefined)
    await keep(view, subjectId, { ...factors, authenticator: { ...authenticator!, lastStep: step } }, now);
  else if (recovery.includes(hash))
    await keep(view, subjectId, { ...factors, recovery: recovery.filter((one) => one !== hash) }, now);
  else throw refused("that code is wrong, or was used before");
  return { replacesPassword: false };
}

async function usePasskey(
  view: WriteView,
  subjectId: string,
  factors: KeptFactors,
  proof: PasskeyProof,
  now: number,
): Promise<void> {
  const passkey = factors.passkeys.find(({ id }) => id === proof.id);
  if (passkey === undefined) throw refused("that passkey is not registered on this server");
  await useChallenge(view, proof, now);
  // Most passkeys have no counter and always send 0. If a counter does not increase, the passkey was copied.
  if ((passkey.counter > 0 || proof.counter > 0) && proof.counter <= passkey.counter)
    throw refused("that passkey was copied: its counter went backwards");
  const used = { ...passkey, counter: proof.counter, used_at: formatInstant(now) };
  const passkeys = factors.passkeys.map((one) => (one.id === proof.id ? used : one));
  await keep(view, subjectId, { ...factors, passkeys }, now);
}

/**
 * A signature is accepted only once, even if it is sent twice at the same time, because this runs in the transaction of
 * the only writer.
 */
async function useChallenge(
  view: WriteView,
  { challenge, challenge_until }: Pick<PasskeyProof, "challenge" | "challenge_until">,
  now: number,
): Promise<void> {
  if (now >= challenge_until || (await view.authItem(USED_CHALLENGE, challenge)) !== undefined)
    throw refused("that passkey response was used before, or is too old");
  await view.putAuthItem({
    kind: USED_CHALLENGE,
    hash: challenge,
    body: "{}",
    grantId: null,
    uid: null,
    userCode: null,
    consumedAt: null,
    expiresAt: challenge_until,
  });
}

export async function addAuthenticator(
  { view, caller: { subjectId }, key, now }: WriteContext,
  { secret, code }: { secret: string; code: string },
): Promise<Added> {
  const bytes = fromBase32(secret);
  const step = bytes && stepOf(bytes, code.replaceAll(/\s/g, ""), now, 0);
  if (step === undefined)
    throw new PdppError("invalid_request", "that code does not match this secret, or is too old", {
      param: "code",
      next_step: "Type the code that the app shows now. If it is refused again, check the phone's clock.",
    });
  const sealed = sealSecrets(key, SEALED_FOR, { secret });
  const authenticator = { sealed, lastStep: step, added_at: formatInstant(now) };
  return added(view, subjectId, { ...(await kept(view, subjectId)), authenticator }, now);
}

export async function addPasskey(
  { view, caller: { subjectId }, now }: WriteContext,
  { challenge, challenge_until, ...passkey }: PasskeyAdded,
): Promise<Added> {
  await useChallenge(view, { challenge, challenge_until }, now);
  const factors = await kept(view, subjectId);
  if (factors.passkeys.some(({ id }) => id === passkey.id))
    throw new PdppError("invalid_request", "that passkey has already been added");
  if (factors.passkeys.length >= SECOND_FACTORS.passkeysMax)
    throw new PdppError("resource_limit", `there are ${SECOND_FACTORS.passkeysMax} passkeys already`, {
      next_step: "Remove one first.",
    });
  const passkeys = [...factors.passkeys, { ...passkey, added_at: formatInstant(now) }];
  return added(view, subjectId, { ...factors, passkeys }, now);
}

/** Adding the first factor also creates recovery codes, in case that factor is lost. */
async function added(view: WriteView, subjectId: string, factors: KeptFactors, now: number): Promise<Added> {
  if (factors.recovery.length > 0) {
    await keep(view, subjectId, factors, now);
    return {};
  }
  const { codes, recovery } = newCodes();
  await keep(view, subjectId, { ...factors, recovery }, now);
  return { recovery_codes: codes };
}

export async function removeSecondFactor(
  { view, caller: { subjectId }, now }: WriteContext,
  { id }: { id: string },
): Promise<SecondFactors> {
  const { authenticator, passkeys, recovery } = await kept(view, subjectId);
  const left: KeptFactors = {
    ...(id === AUTHENTICATOR || authenticator === undefined ? {} : { authenticator }),
    passkeys: passkeys.filter((passkey) => passkey.id !== id),
    recovery,
  };
  if (isRequired(left)) await keep(view, subjectId, left, now);
  else await dropSecondFactors(view, subjectId);
  return secondFactors(view, subjectId);
}

export async function newRecoveryCodes({ view, caller: { subjectId }, now }: WriteContext): Promise<Required<Added>> {
  const factors = await kept(view, subjectId);
  if (!isRequired(factors))
    throw new PdppError("invalid_request", "recovery codes need an authenticator app or a passkey first");
  const { codes, recovery } = newCodes();
  await keep(view, subjectId, { ...factors, recovery }, now);
  return { recovery_codes: codes };
}

function newCodes(): { codes: string[]; recovery: string[] } {
  const codes = Array.from({ length: SECOND_FACTORS.recoveryCodes }, () =>
    base32(randomBytes(10)).toLowerCase().match(/.{4}/g)!.join("-"),
  );
  return { codes, recovery: codes.map((one) => recoveryHash(one.replaceAll("-", ""))) };
}

const recoveryHash = (letters: string): string =>
  createHash("sha256").update(letters.toLowerCase()).digest("base64url");

const refused = (message: string): PdppError => new PdppError("authentication_error", message);
