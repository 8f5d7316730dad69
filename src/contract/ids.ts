// Typed id prefixes: an id says what it names, and clients treat the rest as opaque.
import { randomBytes, randomInt } from "node:crypto";

export const ID_PREFIX = {
  subject: "sub_own_",
  connection: "cin_",
  grant: "grt_",
  package: "gpkg_",
  client: "cli_",
  blob: "blob_",
  job: "job_",
  schedule: "sch_",
  subscription: "sub_",
  event: "evt_",
  request: "req_",
  /** A request that the server makes itself to fill the demo home. */
  demo: "demo_",
} as const;

/** Owner credentials have their own prefix, so that agent surfaces can recognize and refuse them (E-07). */
export const TOKEN_PREFIX = {
  owner: "pdpp_owner_",
  client: "pdpp_at_",
  refresh: "pdpp_rt_",
  /** Used in a cookie; as a bearer token it is refused. */
  session: "pdpp_session_",
} as const;

export type IdKind = keyof typeof ID_PREFIX;

export function newId(kind: Exclude<IdKind, "connection">): string {
  return ID_PREFIX[kind] + randomBytes(15).toString("base64url");
}

/** Without characters that look alike. */
const CONNECTION_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CONNECTION_LENGTH = 6;

/** A connection id is not secret and is in every handle that a model reads, so it is short (C-05). */
export function newConnectionId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const characters = Array.from(
      { length: CONNECTION_LENGTH },
      () => CONNECTION_ALPHABET[randomInt(CONNECTION_ALPHABET.length)],
    );
    const id = ID_PREFIX.connection + characters.join("");
    if (!isTaken(id)) return id;
  }
}

/** 256 random bits: impossible to guess. */
export function newToken(kind: keyof typeof TOKEN_PREFIX): string {
  return TOKEN_PREFIX[kind] + randomBytes(32).toString("base64url");
}
