// The tables' columns, listed once, and the types of most rows as read. SQLite's checksums and copies between stores
// are derived from the columns.
import type { Audience } from "../contract/auth.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { Grant, GrantWords } from "../contract/grant.ts";
import type { JsonValue } from "../contract/record.ts";
import { RECORD_COLUMNS } from "./record-row.ts";

/**
 * `float` is any number, `bytes` is hexadecimal in a copy, and `order` is a number or a string, depending on how the
 * stream is ordered.
 */
export type CellKind = "text" | "number" | "float" | "bytes" | "order";

/**
 * The columns of records.db, in the order in which they are checksummed and copied. PostgreSQL has the same columns,
 * with `subject_id` in every table. There, `meta` and `subject` are the table `home`.
 */
export const COLUMNS = {
  meta: { key: "text", value: "order" },
  subject: { subject_id: "text", created_at: "number" },
  source: {
    subject_id: "text",
    source_id: "text",
    connector_key: "text",
    declaration_no: "number",
    created_at: "number",
  },
  declaration: {
    declaration_no: "number",
    subject_id: "text",
    source_id: "text",
    body: "text",
    registered_at: "number",
  },
  connection: {
    connection_id: "text",
    subject_id: "text",
    source_id: "text",
    display_name: "text",
    created_at: "number",
  },
  stream: { stream_no: "number", connection_id: "text", name: "text", live: "number", changed_at: "number" },
  trail: { stream_no: "number", version: "number", id: "text" },
  blob: {
    blob_id: "text",
    generation: "text",
    mime_type: "text",
    size_bytes: "number",
    sha256: "text",
    created_at: "number",
  },
  blob_use: { blob_id: "text", stream_no: "number", record_id: "text", field: "text" },
  client: { client_id: "text", subject_id: "text", name: "text", created_at: "number" },
  access_grant: {
    grant_id: "text",
    subject_id: "text",
    client_id: "text",
    package_id: "text",
    body: "text",
    issued_at: "number",
    revoked_at: "number",
    ended_by: "text",
    consumed_at: "number",
    words: "text",
  },
  token: {
    hash: "text",
    kind: "text",
    subject_id: "text",
    grant_id: "text",
    package_id: "text",
    created_at: "number",
    expires_at: "number",
    audience: "text",
    label: "text",
  },
  owner: { subject_id: "text", name: "text", password: "text", changed_at: "number" },
  auth_item: {
    kind: "text",
    hash: "text",
    body: "text",
    grant_id: "text",
    uid: "text",
    user_code: "text",
    consumed_at: "number",
    expires_at: "number",
  },
  state: { subject_id: "text", connection_id: "text", stream: "text", cursor: "text", updated_at: "number" },
  job: {
    job_id: "text",
    subject_id: "text",
    kind: "text",
    status: "text",
    holder: "text",
    request: "text",
    started_at: "number",
    updated_at: "number",
    progress: "text",
    expires_at: "number",
  },
  item: {
    subject_id: "text",
    kind: "text",
    id: "text",
    holder: "text",
    created_at: "number",
    due_at: "number",
    body: "text",
  },
  record: RECORD_COLUMNS,
} as const satisfies Record<string, Record<string, CellKind>>;

export interface SourceRow {
  sourceId: string;
  connectorKey: string;
  /** When the source's first declaration was registered. */
  createdAt: number;
  declaration: SourceDeclaration;
}

export interface ConnectionRow {
  connectionId: string;
  sourceId: string;
  displayName: string;
  createdAt: number;
}

export interface StreamRow {
  streamNo: number;
  connectionId: string;
  name: string;
}

export interface TokenRow {
  /** A `session` token means that the owner signed in on a page. */
  kind: "owner" | "client" | "session";
  subjectId: string;
  grantId: string | null;
  packageId: string | null;
  expiresAt: number | null;
  audience: Audience;
  /** The browser or program that opened the session, so that the owner can recognise it. */
  label: string | null;
}

/** A token as shown to its owner, without the token itself. */
export interface HeldToken {
  hash: string;
  createdAt: number;
  expiresAt: number | null;
  label: string | null;
}

export interface OwnerRow {
  subjectId: string;
  name: string;
  /** The password hash, with its parameters. */
  password: string;
  changedAt: number;
}

/** Something that the authorization server stores between requests, found by the hash of its id. */
export interface AuthItem {
  kind: string;
  hash: string;
  /** JSON text. */
  body: string;
  grantId: string | null;
  uid: string | null;
  userCode: string | null;
  consumedAt: number | null;
  expiresAt: number | null;
}

/** Why a grant ended early. With `reuse`, a code or refresh token was used twice, so it may have been stolen. */
export type EndedBy = "owner" | "app" | "reuse";

export interface GrantRow {
  grant: Grant;
  packageId: string | null;
  revokedAt: number | null;
  endedBy: EndedBy | null;
  consumedAt: number | null;
  /** The words that the owner saw when approving the grant. Null if it was approved before they were stored. */
  words: GrantWords | null;
}

export interface JobRow {
  jobId: string;
  kind: string;
  status: "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";
  /** The grant or package under which the job was started, and to which it belongs. Null if it is the owner's. */
  holder: string | null;
  request: JsonValue;
  startedAt: number;
  updatedAt: number;
  progress: JsonValue;
  /** When the job is deleted, together with its results. */
  expiresAt: number | null;
}

/**
 * A small item that a part of the server stores between its runs, such as a schedule, a subscription or a pending
 * event.
 */
export interface ItemRow {
  kind: string;
  id: string;
  /** The item's parent: a grant, a connection or another item. Null if it has none. */
  holder: string | null;
  createdAt: number;
  /** When the item next needs attention. Null if never. */
  dueAt: number | null;
  body: JsonValue;
}

export interface ClientRow {
  subjectId: string;
  name: string;
}

/** A record's field that refers to a blob. */
export interface BlobUse {
  streamNo: number;
  recordId: string;
  field: string;
}

export interface BlobRow {
  blobId: string;
  /** Identifies the stored object that contains the bytes. Null if it is from before objects had generations (0023). */
  generation: string | null;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
}
