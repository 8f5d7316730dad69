// The owner's password: hashed with scrypt, stored with the hashing parameters, and compared in constant time (SECURITY
// row 8).
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { PdppError } from "../contract/errors.ts";
import { fairQueues } from "./fair-queues.ts";
import { COST } from "./password-cost.ts";

/**
 * The minimum is in characters. The maximum is in bytes, which bounds the hashing time. Length helps; composition rules
 * do not.
 */
const LENGTH = { minCharacters: 10, maxBytes: 1024 } as const;
export const PASSWORD_MIN = LENGTH.minCharacters;

const SALT_BYTES = 16;
const KEY_BYTES = 32;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

interface Cost {
  ln: number;
  r: number;
  p: number;
}

/** Returns `$scrypt$ln=15,r=8,p=3$salt$hash`, to be stored unchanged. The call waits in the queue of `owner`. */
export async function hashPassword(password: string, owner: string): Promise<string> {
  const normal = normalize(password);
  if (normal === undefined) throw unfit(`the password is longer than ${LENGTH.maxBytes} bytes`);
  if ([...normal].length < LENGTH.minCharacters) {
    throw unfit(`the password has fewer than ${LENGTH.minCharacters} characters`);
  }
  const salt = randomBytes(SALT_BYTES);
  const key = await stretch(owner, normal, salt, COST, KEY_BYTES);
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${text(salt)}$${text(key)}`;
}

/**
 * `stored` is undefined if there is no such owner. The check then takes as long as for a wrong password, so that timing
 * does not reveal which names exist. `rehash` is set if the password is correct but was hashed with outdated
 * parameters, so it should be hashed and stored again.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  owner: string,
): Promise<{ ok: boolean; rehash: boolean }> {
  const normal = normalize(password);
  if (normal === undefined) return { ok: false, rehash: false };
  if (stored === undefined) {
    await stretch(owner, normal, randomBytes(SALT_BYTES), COST, KEY_BYTES);
    return { ok: false, rehash: false };
  }
  const [, ln, r, p, salt, key] = STORED.exec(stored) ?? [];
  // A damaged row must not look like a wrong password, because the owner would keep retyping a correct one.
  if (key === undefined) throw new PdppError("api_error", "the stored password hash cannot be read");
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, "base64");
  const actual = await stretch(owner, normal, Buffer.from(salt!, "base64"), cost, expected.length);
  const ok = timingSafeEqual(actual, expected);
  return { ok, rehash: ok && (cost.ln !== COST.ln || cost.r !== COST.r || cost.p !== COST.p) };
}

/**
 * Normalises Unicode, because keyboards compose characters differently. Returns undefined if the password is too long.
 */
function normalize(password: string): string | undefined {
  // Checked before and after, because normalising can lengthen the text and must not be given megabytes.
  if (Buffer.byteLength(password) > LENGTH.maxBytes) return undefined;
  const normal = password.normalize("NFKC");
  return Buffer.byteLength(normal) > LENGTH.maxBytes ? undefined : normal;
}

/**
 * Hashes one password at a time. Ten simultaneous logins would otherwise take ten times the memory and every thread of
 * the pool.
 */
const oneAtATime = fairQueues({ maxWaiting: 20 });

function stretch(owner: string, password: string, salt: Buffer, { ln, r, p }: Cost, bytes: number): Promise<Buffer> {
  const N = 2 ** ln;
  return oneAtATime(owner, () => derive(password, salt, bytes, { N, r, p, maxmem: 256 * N * r }));
}

function text(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

function unfit(message: string): PdppError {
  return new PdppError("invalid_request", message, {
    param: "password",
    next_step: `Choose a password of at least ${LENGTH.minCharacters} characters, for example a sentence.`,
  });
}
