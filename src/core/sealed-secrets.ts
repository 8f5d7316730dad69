// Connector secrets: sealed with their own key and bound to the connection they belong to.
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key is derived, so that the key for cursors cannot open secrets and vice versa. */
const keyOf = (key: KeyObject): Uint8Array => new Uint8Array(hkdfSync("sha256", key, "", "connector secrets", 32));

export function sealSecrets(key: KeyObject, connectionId: string, secrets: Readonly<Record<string, string>>): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(key), nonce);
  cipher.setAAD(Buffer.from(connectionId));
  const body = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** Returns undefined if the secrets were altered, or sealed for another connection or by another home. */
export function openSecrets(key: KeyObject, connectionId: string, sealed: string): Record<string, string> | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const at = 1 + NONCE_BYTES;
  if (bytes.length < at + TAG_BYTES || bytes[0] !== VERSION) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(key), bytes.subarray(1, at));
    decipher.setAAD(Buffer.from(connectionId));
    decipher.setAuthTag(bytes.subarray(at, at + TAG_BYTES));
    const body = Buffer.concat([decipher.update(bytes.subarray(at + TAG_BYTES)), decipher.final()]);
    return JSON.parse(body.toString("utf8")) as Record<string, string>;
  } catch {
    return undefined;
  }
}
