// Cursors for listings. A cursor is a sealed position that is valid only for one index and one query.
import { createHmac, timingSafeEqual } from "node:crypto";
import { PdppError } from "../contract/errors.ts";
import type { JsonValue } from "../contract/record.ts";
import { canonicalJson } from "../core/cursor.ts";

const SEAL_BYTES = 12;

const sealOf = (key: Uint8Array, binding: unknown, body: Uint8Array): Buffer =>
  createHmac("sha256", key).update(canonicalJson(binding)).update("\0").update(body).digest().subarray(0, SEAL_BYTES);

/** `binding` says which index and query the position is valid for. */
export function sealPosition(key: Uint8Array, binding: unknown, position: JsonValue): string {
  const body = Buffer.from(JSON.stringify(position));
  return Buffer.concat([sealOf(key, binding, body), body]).toString("base64url");
}

export function openPosition(key: Uint8Array, binding: unknown, cursor: string): JsonValue {
  const bytes = Buffer.from(cursor, "base64url");
  const body = bytes.subarray(SEAL_BYTES);
  const given = bytes.subarray(0, SEAL_BYTES);
  const isOurs =
    bytes.length > SEAL_BYTES &&
    bytes.toString("base64url") === cursor &&
    timingSafeEqual(given, sealOf(key, binding, body));
  if (isOurs) return JSON.parse(body.toString("utf8")) as JsonValue;
  throw new PdppError("invalid_cursor", "this cursor does not belong to this index and query", {
    param: "cursor",
    next_step: "Call again without a cursor; a cursor works only with the listing that returned it.",
  });
}
