// Calls of the authorization server to the engine: its stored items, tokens of grants, the owner's sign-in.
import { z } from "zod";
import { NAME_MAX } from "./limits.ts";
import { factorProof, passkeyProof } from "./second-factor.ts";

const kind = z.string().min(1).max(60);
const hash = z.string().min(1).max(100);
const at = z.number().nullable();

/** The lens a token opens; a token of one is no token of the other. */
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

/** A grant or a package, by its id. */
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
  /** Hashed already. */
  password: z.string().min(1).max(1000),
});
/** With the hash of the setup code it is made with, or of none when the owner resets it at home. */
export const ownerSetup = ownerAccount.extend({ code: hash });
/** Hashed already; `replaces` is the hash it takes the place of. */
export const passwordChange = z.strictObject({
  password: z.string().min(1).max(1000),
  replaces: z.string().min(1).max(1000),
});
export const sessionEnd = z.strictObject({ id: hash, except: hash.optional() });
export const setupCode = z.strictObject({ code: hash });
/** One attempt of a limited kind; `back`: it turned out not to count. */
export const attempt = z.strictObject({
  limit: z.string().max(100),
  key: z.string().max(200),
  points: z.number().positive(),
  seconds: z.number().positive(),
  back: z.literal(true).optional(),
});
/** `checked`: the stored password that was found to fit. */
export const sessionOpen = z.strictObject({
  label: z.string().max(300),
  checked: z.string().optional(),
  proof: factorProof.optional(),
});

/** `checked`: the stored password that the one just entered was found to fit; or a passkey was used instead. */
export const passwordEntered = z.union([
  z.strictObject({ checked: z.string() }),
  z.strictObject({ proof: passkeyProof }),
]);

/** The terms under which a grant or package may still get tokens. */
export interface GrantInfo {
  id: string;
  client_id: string;
  client_name: string;
  subject_id: string;
  access_mode: "single_use" | "continuous";
  audience: Audience;
  /** Of a grant that gave its one token. */
  consumed: boolean;
  issued_at: number;
  /** The latest of its members; null: until revoked. */
  expires_at: number | null;
  package: boolean;
}
