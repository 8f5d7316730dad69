// Time-based one-time passwords (RFC 6238) as in authenticator apps: SHA-1, six digits, a new password every 30
// seconds.
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** How many steps a clock can be off in either direction. */
const DRIFT = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4226, section 5.3. */
export function oneTimePassword(secret: Uint8Array, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * Returns the step of a code; undefined if the code is wrong or not newer than `after`, the step of the last code that
 * was used.
 */
export function stepOf(secret: Uint8Array, code: string, now: number, after: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = Math.floor(now / 1000 / STEP_SECONDS);
  const near = Array.from({ length: 2 * DRIFT + 1 }, (_, index) => current - DRIFT + index);
  const matching = near.filter((step) =>
    timingSafeEqual(Buffer.from(oneTimePassword(secret, step)), Buffer.from(code)),
  );
  return matching.find((step) => step > after);
}

/** RFC 4648, without padding, as authenticator apps expect it. */
export function base32(bytes: Uint8Array): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  bits += "0".repeat((5 - (bits.length % 5)) % 5);
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join("");
}

/** Returns undefined for anything that is not base32. */
export function fromBase32(text: string): Uint8Array | undefined {
  const letters = text.replaceAll(/[\s=-]/g, "").toUpperCase();
  if (!/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bits = [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** The content of the QR code (Key URI Format). */
export const authenticatorUri = (secret: string, account: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
