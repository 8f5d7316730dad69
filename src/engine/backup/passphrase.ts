// Backup encryption in age's format: an identity that a passphrase opens, and a recipient key that works without it, so
// that scheduled backups do not need the passphrase.
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { PdppError } from "../../contract/errors.ts";

const PASSPHRASE_MIN = 10;

/** 2^15 rounds, because age's own 2^18 take several seconds in JavaScript. Tests use fewer. */
const WORK_FACTOR = 15;

export interface EncryptedIdentity {
  /** `age1…`. A program that has it can add to a backup, but cannot read anything. */
  recipient: string;
  /** A file for `age -d -i`, encrypted with the passphrase. */
  file: Uint8Array;
}

function checkPassphrase(passphrase: string): string {
  if (passphrase.length >= PASSPHRASE_MIN) return passphrase;
  throw new PdppError("invalid_request", `the passphrase has ${passphrase.length} characters`, {
    param: "passphrase",
    next_step: `Choose one of at least ${PASSPHRASE_MIN} characters. Without it, nobody can restore the backup, not even you.`,
  });
}

export async function makeIdentity(passphrase: string): Promise<EncryptedIdentity> {
  const identity = await generateX25519Identity();
  const encrypter = withPassphrase(passphrase);
  return {
    recipient: await identityToRecipient(identity),
    file: await encrypter.encrypt(`# A backup of Postern: age -d -i identity.age FILE\n${identity}\n`),
  };
}

export function withPassphrase(passphrase: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(checkPassphrase(passphrase));
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  return encrypter;
}

/** `passphrase` is undefined if none was given. */
export async function openIdentity(file: Uint8Array, passphrase: string | undefined): Promise<string> {
  if (passphrase === undefined) throw passphraseNeeded();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const text = await decrypter.decrypt(file, "text");
    return text.split("\n").find((line) => line.startsWith("AGE-SECRET-KEY-"))!;
  } catch {
    throw wrongPassphrase();
  }
}

export const isPassphraseNeeded = (error: unknown): boolean =>
  error instanceof PdppError && error.code === "invalid_request" && error.message === ENCRYPTED;

const ENCRYPTED = "this backup is encrypted";

export const passphraseNeeded = (): PdppError =>
  new PdppError("invalid_request", ENCRYPTED, {
    param: "passphrase",
    next_step:
      "Enter its passphrase: with --passphrase-file FILE, in PDPP_BACKUP_PASSPHRASE, or at the prompt in a terminal.",
  });

export const wrongPassphrase = (): PdppError =>
  new PdppError("invalid_request", "this passphrase does not open the backup", {
    param: "passphrase",
    next_step: "Try again. Without the passphrase, nobody can restore the backup.",
  });
