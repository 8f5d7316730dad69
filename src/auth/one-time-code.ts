// The code in the setup link that is printed at the first start: random, single-use and stored only as a hash (SECURITY
// row 8).
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** 192 random bits, safe in a URL. They cannot be guessed, so a plain hash is enough. */
export function newOneTimeCode(): string {
  return randomBytes(24).toString("base64url");
}

export function oneTimeCodeHash(code: string): string {
  return hash("sha256", code, "base64url");
}

export function isOneTimeCode(presented: string, storedHash: string): boolean {
  const [actual, expected] = [Buffer.from(oneTimeCodeHash(presented)), Buffer.from(storedHash)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
