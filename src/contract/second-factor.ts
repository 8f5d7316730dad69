// The owner's second factors, in addition to the password: an authenticator app, passkeys and recovery codes (V-13).
import { z } from "zod";

const id = z.string().min(1).max(1400);

export const SECOND_FACTORS = {
  /** Nobody needs more passkeys than this. */
  passkeysMax: 20,
  recoveryCodes: 10,
  nameMax: 60,
} as const;

/** A code from the authenticator app, or a recovery code. */
const code = z.strictObject({ kind: z.literal("code"), code: z.string().max(100) });

/** A passkey whose signature was verified. Its challenge can be used only once, and only until it expires. */
export const passkeyProof = z.strictObject({
  kind: z.literal("passkey"),
  id,
  counter: z.int().min(0),
  /** The hash of the challenge. */
  challenge: z.string().min(1).max(100),
  challenge_until: z.number(),
});

export const factorProof = z.discriminatedUnion("kind", [code, passkeyProof]);

export const authenticatorAdded = z.strictObject({
  /** In base32. */
  secret: z.string().min(16).max(100),
  /** A code that proves that the authenticator app has the secret. */
  code: z.string().max(20),
});

export const passkeyAdded = z.strictObject({
  id,
  name: z.string().trim().min(1).max(SECOND_FACTORS.nameMax),
  /** COSE, in base64url. */
  public_key: z.string().min(1).max(4000),
  counter: z.int().min(0),
  transports: z.array(z.string().max(40)).max(10),
  /** The name of the server that the passkey is valid for. */
  server: z.string().max(255),
  challenge: z.string().min(1).max(100),
  challenge_until: z.number(),
});

/** `authenticator`, or the id of a passkey. */
export const factorRef = z.strictObject({ id });

export type FactorProof = z.infer<typeof factorProof>;
export type PasskeyProof = z.infer<typeof passkeyProof>;
export type PasskeyAdded = z.infer<typeof passkeyAdded>;

export type Passkey = Omit<PasskeyAdded, "challenge" | "challenge_until"> & { added_at: string; used_at?: string };

/** Contains no secrets. If `required` is true, the password alone is not enough to sign in. */
export interface SecondFactors {
  required: boolean;
  authenticator?: { added_at: string };
  passkeys: Passkey[];
  recovery_codes_left: number;
}
