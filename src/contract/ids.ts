// Typed id prefixes: an id says what it names, and clients treat the rest as opaque.
import { randomBytes } from "node:crypto";

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
} as const;

/** Owner credentials carry their own prefix, so that agent surfaces can refuse them by sight (E-07). */
export const TOKEN_PREFIX = {
  owner: "pdpp_owner_",
  client: "pdpp_at_",
  refresh: "pdpp_rt_",
  /** Lives in a cookie; as a bearer it opens nothing. */
  session: "pdpp_session_",
} as const;

export type IdKind = keyof typeof ID_PREFIX;

export function newId(kind: IdKind): string {
  return ID_PREFIX[kind] + randomBytes(15).toString("base64url");
}

/** 256 random bits: nothing to guess. */
export function newToken(kind: keyof typeof TOKEN_PREFIX): string {
  return TOKEN_PREFIX[kind] + randomBytes(32).toString("base64url");
}
