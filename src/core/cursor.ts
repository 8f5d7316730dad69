// Cursors: sealed positions. Encrypted, because a position may count changes the caller cannot see; authenticated and
// bound to the caller's scope and to the query, so that a borrowed or altered one is refused.
import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from "node:crypto";
import { PdppError } from "../contract/errors.ts";
import type { JsonValue } from "../contract/record.ts";
import type { ScopeRow } from "./scope.ts";

export interface Binding {
  /** Token space: a page cursor is no changes_since token. */
  space: "page" | "changes" | "since" | "window" | "search";
  row: ScopeRow;
  query: unknown;
}

const VERSION = 1;

export function sealCursor(key: Buffer, binding: Binding, position: JsonValue): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(bindingDigest(binding));
  const body = Buffer.concat([cipher.update(JSON.stringify(position), "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]).toString("base64url");
}

export function openCursor(key: Buffer, binding: Binding, text: string): JsonValue {
  const bytes = Buffer.from(text, "base64url");
  // The re-encoding check refuses texts that decode to the same bytes but were altered.
  if (bytes.length < 30 || bytes[0] !== VERSION || bytes.toString("base64url") !== text) throw invalidCursor(binding);
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, 13));
    decipher.setAAD(bindingDigest(binding));
    decipher.setAuthTag(bytes.subarray(13, 29));
    const body = Buffer.concat([decipher.update(bytes.subarray(29)), decipher.final()]);
    return JSON.parse(body.toString("utf8")) as JsonValue;
  } catch {
    throw invalidCursor(binding);
  }
}

function bindingDigest({ space, row, query }: Binding): Buffer {
  const { connectionId, name } = row.stream;
  return hash("sha256", canonicalJson([space, row.grantId ?? "owner", connectionId, name, query]), "buffer");
}

function invalidCursor({ space }: Binding): PdppError {
  const param = space === "since" ? "changes_since" : "cursor";
  return new PdppError("invalid_cursor", `this ${param} was not given for this query and caller`, {
    param,
    ...(space === "since" ? { next_step: "Start over with changes_since=beginning." } : {}),
  });
}

/** JSON with sorted keys: equal meaning, equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

export function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}
