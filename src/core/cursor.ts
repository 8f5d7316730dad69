// Cursors are sealed positions. They are encrypted, because a position can reveal how many changes there were that the
// caller cannot see. They are authenticated and bound to the caller's scope and query, so that a borrowed or altered
// cursor is refused.
import { createCipheriv, createDecipheriv, hash, type KeyObject, randomFillSync } from "node:crypto";
import type { Bearer } from "../contract/answers.ts";
import { PdppError } from "../contract/errors.ts";
import type { JsonValue } from "../contract/record.ts";
import type { ScopeRow } from "./scope.ts";

export interface Binding {
  /** Token kinds are separate: a page cursor is not valid as a changes_since token. */
  space: "page" | "changes" | "since" | "window" | "search" | "export" | "link" | "people";
  /**
   * The scope of the position: one granted stream, or everything that a caller can see. Null is for a handle, which is
   * valid for every caller that may read the item.
   */
  within: ScopeRow | Bearer | null;
  query: unknown;
}

const VERSION = 1;
const NONCE_BYTES = 12;

/** Random bytes are fetched for many nonces at once, because each fetch is a system call. */
const drawn = Buffer.alloc(NONCE_BYTES * 256);
let used = drawn.length;

function freshNonce(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += NONCE_BYTES;
  return Buffer.from(drawn.subarray(used - NONCE_BYTES, used));
}

export function sealCursor(key: KeyObject, binding: Binding, position: JsonValue): string {
  const nonce = freshNonce();
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(bindingDigest(binding));
  const body = Buffer.concat([cipher.update(JSON.stringify(position), "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]).toString("base64url");
}

export function openCursor(key: KeyObject, binding: Binding, text: string): JsonValue {
  const bytes = Buffer.from(text, "base64url");
  // Encode the bytes again and compare, to refuse altered strings that decode to the same bytes.
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

function bindingDigest({ space, within, query }: Binding): Buffer {
  const place =
    within !== null && "stream" in within
      ? [within.grantId ?? "owner", within.stream.connectionId, within.stream.name]
      : within;
  return hash("sha256", canonicalJson([space, place, query]), "buffer");
}

function invalidCursor({ space }: Binding): PdppError {
  if (space === "link") {
    return new PdppError("authentication_error", "this link was altered, or is not for this address", {
      next_step: "Ask for a new link: POST /v1/links with the address of the download.",
    });
  }
  if (space === "export") {
    return new PdppError("invalid_request", "this export handle was altered, or another server made it", {
      param: "handle",
      next_step: "Create a new one from its query: GET /v1/export/info?stream=STREAM&connection_id=ID",
    });
  }
  const param = space === "since" ? "changes_since" : "cursor";
  return new PdppError("invalid_cursor", `this ${param} does not belong to this query and caller`, {
    param,
    ...(space === "since" ? { next_step: "Start over with changes_since=beginning." } : {}),
  });
}

/** JSON with sorted keys, so that equal values produce the same string. */
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
  return hash("sha256", text, "base64url");
}

/** Identifies the text that a window was read from. It is short, because it is in every handle. */
export const revisionOf = (text: string): string => digestOf(text).slice(0, 22);
