// Engine calls of the authorization server: its stored items, grant tokens, and the owner's sign-in.
import { z } from "zod";
import { NAME_MAX } from "./limits.ts";
import { factorProof, passkeyProof } from "./second-factor.ts";

const kind = z.string().min(1).max(60);
const hash = z.string().min(1).max(100);
const at = z.number().nullable();

/** The lens that a token is for. A token for one lens is not valid for the other. */
const audience = z.enum(["records", "files"]);
export type Audience = z.infer<typeof audience>;

export const authItemRef = z.strictObject({ kind, hash });
export const authItemBy = z.strictObject({ kind, key: z.enum(["uid", "user_code"]), value: z.string().max(200) });
export const authItemPut = z.strictObject({
  kind,
  hash,
  body: z.string(),
  grantId: z.string().nullable(),
  uid: z.string().nullable(),
  userCode: z.string().nullable(),
  expiresAt: at,
});

/** Refers to a grant or a package by its id. */
export const grantRef = z.strictObject({ id: z.string().min(1).max(NAME_MAX) });
export const grantEnd = grantRef.extend({ by: z.enum(["app", "reuse"]) });
export const clientRef = z.strictObject({ client_id: z.string().min(1).max(2000) });
export const tokenRef = z.strictObject({ hash });
export const tokenIssue = z.strictObject({
  hash,
  id: z.string().min(1).max(NAME_MAX),
  audience,
  expiresAt: z.number(),
});

const ownerAccount = z.strictObject({
  name: z.string().trim().min(1).max(100),
  /** Already hashed. */
  password: z.string().min(1).max(1000),
});
/** Includes the hash of the setup code that was used. */
export const ownerSetup = ownerAccount.extend({ code: hash });
/** Already hashed. `replaces` is the hash of the previous password. */
export const passwordChange = z.strictObject({
  password: z.string().min(1).max(1000),
  replaces: z.string().min(1).max(1000),
});
export const sessionEnd = z.strictObject({ id: hash, except: hash.optional() });
export const setupCode = z.strictObject({ code: hash });
/** One attempt that counts towards a rate limit. `back` undoes the count if the attempt turned out not to matter. */
export const attempt = z.strictObject({
  limit: z.string().max(100),
  key: z.string().max(200),
  points: z.number().positive(),
  seconds: z.number().positive(),
  back: z.literal(true).optional(),
});
/** `checked` is the stored password hash that was verified. */
export const sessionOpen = z.strictObject({
  label: z.string().max(300),
  checked: z.string().optional(),
  proof: factorProof.optional(),
});

/**
 * `checked` is the stored password hash that was verified. With `proof`, a passkey was used instead of the password.
 */
export const passwordEntered = z.union([
  z.strictObject({ checked: z.string() }),
  z.strictObject({ proof: passkeyProof }),
]);

/** The terms under which a grant or package can still get tokens. */
export interface GrantInfo {
  id: string;
  client_id: string;
  client_name: string;
  subject_id: string;
  access_mode: "single_use" | "continuous";
  audience: Audience;
  /** True for a single-use grant that has issued its token. */
  consumed: boolean;
  issued_at: number;
  /** The latest expiry of the package's members; null means until revoked. */
  expires_at: number | null;
  package: boolean;
}
