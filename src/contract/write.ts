// Zod schemas for the writes and reads that only the owner can request.
import { z } from "zod";
import { grantStatus } from "./grant-status.ts";
import { jsonValue } from "./json.ts";
import { EXPIRY_MAX_SECONDS, NAME_MAX, PAGE } from "./limits.ts";
import { blobQuery } from "./read.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);
const connection_id = name.optional();

/** Checked before a request body is read. */
export const admission = z.strictObject({ owner: z.boolean() });

export const nothing = z.strictObject({});
export const blobIds = z.strictObject({ blob_ids: z.array(z.string()) });
export const objectNames = z.strictObject({ names: z.array(z.string()) });
export const byId = z.strictObject({ id: name });
/** Limits the list to connections of one source, by its short name. */
export const connectionsQuery = z.strictObject({ connector_key: name.optional() });
export const connectionId = z.strictObject({ connection_id: name });

export const ingestTarget = z.strictObject({
  stream: name,
  connector_id: z.string().max(2000).optional(),
  connection_id,
});
/** `began` is when the request with these lines arrived, in ms; absent means now. */
export const ingestBatch = ingestTarget.extend({
  /** Bytes must be valid UTF-8; the caller checks this. */
  text: z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)]),
  began: z.int().nonnegative().optional(),
});
/** Deletes all records of a stream, in batches. */
export const emptyStream = z.strictObject({
  stream: name,
  connection_id: name,
  /** Where to continue, taken from the previous response. */
  after: z.int().min(0),
  up_to: z.int().min(0).optional(),
});
export const deleteRecord = z.strictObject({ stream: name, id: z.string().min(1).max(8192), connection_id });

export const putConnector = z.strictObject({ connector_key: name, declaration: z.unknown() });
export const createConnection = z.strictObject({
  connector_id: z.string().min(1).max(2000),
  display_name: name.optional(),
});
export const renameConnection = z.strictObject({ connection_id: name, display_name: name });

export const stateQuery = z.strictObject({ connector: z.string().min(1).max(2000), connection_id });
export const putState = stateQuery.extend({
  state: z.record(name, jsonValue),
});

export const putBlob = z.strictObject({
  blob_id: name,
  mime_type: z.string().min(1).max(NAME_MAX),
  size_bytes: z.int().min(0),
  sha256: z.string(),
  generation: z.string().optional(),
});

export const blobServed = blobQuery.extend({ bytes: z.int().min(0) });

export const ownerToken = z.strictObject({ expires_in_seconds: z.int().min(1).max(EXPIRY_MAX_SECONDS).optional() });

const client_id = z.string().min(1).max(2000).optional();

/** Filters for the log; all of them must match. */
const activityFilter = z.strictObject({
  /** A grant, or a package. For a package, only calls that used none of its grants match. */
  grant_id: name.optional(),
  client_id,
  /** The owner, or all apps. */
  actor: z.enum(["owner", "app"]).optional(),
  action: name.optional(),
  /** The connection or stream that a call read, or that a denied call requested. */
  connection_id,
  stream: name.optional(),
  outcome: z.enum(["ok", "denied"]).optional(),
  request_id: name.optional(),
  /** Inclusive. */
  since: timestamp.optional(),
  /** Exclusive. */
  until: timestamp.optional(),
});

export const activityQuery = activityFilter.extend({
  before: z.int().min(1).optional(),
  limit: z.int().min(1).max(PAGE.max).optional(),
});

export const activityDaysQuery = activityFilter.extend({ time_zone: z.string().max(100).optional() });

export const whyQuery = z.strictObject({ request_id: name });

export const grantsQuery = z.strictObject({
  client_id,
  status: grantStatus.optional(),
});

export const blobUpload = z.strictObject({
  stream: name,
  connector_id: z.string().max(2000).optional(),
  connection_id,
  record_key: z.string().max(8192).optional(),
});

/** Identifiers of the owner. Whether one is a name, an address or a number is detected from its form. */
const identifiers = z.array(z.string().trim().min(1).max(200)).max(50);
export const meChange = z.strictObject({ add: identifiers.optional(), remove: identifiers.optional() });
export type MeChange = z.infer<typeof meChange>;

/** The columns that the owner chose for a stream's table; empty means the default columns. */
export const columnChoice = z.strictObject({
  connection_id: z.string().min(1).max(NAME_MAX),
  stream: z.string().min(1).max(NAME_MAX),
  columns: z.array(z.string().min(1).max(NAME_MAX)).max(200),
});
export const columnChoiceQuery = columnChoice.omit({ columns: true });
export type ColumnChoice = z.infer<typeof columnChoice>;
