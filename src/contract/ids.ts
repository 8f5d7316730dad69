// Typed id prefixes: the prefix says what an id refers to, and apps treat the rest as opaque.
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
  /** A request that the server itself makes to fill the demo home. */
  demo: "demo_",
} as const;

/** Owner credentials have their own prefix, so that agent surfaces can recognise and refuse them (E-07). */
export const TOKEN_PREFIX = {
  owner: "pdpp_owner_",
  client: "pdpp_at_",
  refresh: "pdpp_rt_",
  /** Used only in a cookie; it is refused as a bearer token. */
  session: "pdpp_session_",
} as const;

export type IdKind = keyof typeof ID_PREFIX;

export function newId(kind: Exclude<IdKind, "connection">): string {
  return ID_PREFIX[kind] + randomBytes(15).toString("base64url");
}

/** Omits characters that look alike. */
const CONNECTION_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const CONNECTION_LENGTH = 6;

/** A connection id is short, because it is in every handle that a model reads; it is not a secret (C-05). */
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

/** 256 random bits, which are impossible to guess. */
export function newToken(kind: keyof typeof TOKEN_PREFIX): string {
  return TOKEN_PREFIX[kind] + randomBytes(32).toString("base64url");
}
