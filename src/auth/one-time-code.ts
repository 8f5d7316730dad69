// The code in the setup link that the first start prints: random, used once, stored only as a hash (SECURITY row 8).
import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** 192 random bits, safe in a URL: too many to guess, so a plain hash of it is enough. */
export function newOneTimeCode(): string {
  return randomBytes(24).toString("base64url");
}

/** The hash that is stored instead of the code. */
export function oneTimeCodeHash(code: string): string {
  return hash("sha256", code, "base64url");
}

export function isOneTimeCode(presented: string, storedHash: string): boolean {
  const [actual, expected] = [Buffer.from(oneTimeCodeHash(presented)), Buffer.from(storedHash)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
