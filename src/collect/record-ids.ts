// Ids that importers generate. They are hashed with the connection's key, so that an id cannot be used to guess what it
// was derived from (G-01).
import { hash } from "node:crypto";

/**
 * Derives an id from the identifying text of a record. The same text results in the same id in every import of one
 * connection.
 */
export type MakeId = (identity: string) => string;

/** 96 bits, so that a billion ids in one connection do not collide in practice. */
const ID_CHARACTERS = 16;

/** Returns true if the connection has a key. Connections that were created before keys existed have no key. */
export const isKeyed = (makeId: MakeId): boolean => makeId("-") !== "-";

/**
 * Without a key, the id is the text itself, so that connections that were created before keys existed keep their record
 * ids.
 */
export function idMaker(idKey: string | undefined): MakeId {
  if (idKey === undefined) return (identity) => identity;
  const mac = hmacSha256(Buffer.from(idKey, "base64url"));
  return (identity) => mac(identity).slice(0, ID_CHARACTERS);
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Longer identities use a separate buffer. */
const SHORT_CHARACTERS = 1024;

/** RFC 2104 with two one-shot hashes, because an Hmac object costs more than both, and every record needs an id. */
function hmacSha256(given: Buffer): (text: string) => string {
  const key = given.length > BLOCK_BYTES ? hash("sha256", given, "buffer") : given;
  const pad = (byte: number): Buffer =>
    Buffer.from(Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (key[index] ?? 0) ^ byte));
  // A UTF-16 unit takes at most three bytes.
  const inner = Buffer.concat([pad(0x36), Buffer.alloc(SHORT_CHARACTERS * 3)]);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(DIGEST_BYTES)]);
  return (text) => {
    const whole =
      text.length <= SHORT_CHARACTERS
        ? inner.subarray(0, BLOCK_BYTES + inner.write(text, BLOCK_BYTES))
        : Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(text)]);
    // A binary string, because a buffer per digest costs three times as much.
    outer.write(hash("sha256", whole, "binary"), BLOCK_BYTES, "binary");
    return hash("sha256", outer, "base64url");
  };
}
