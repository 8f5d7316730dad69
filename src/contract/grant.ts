// Grants: what the owner approved for one client on one source, fully resolved; only the owner changes one. And
// packages of grants.
import { z } from "zod";
import { activity } from "./activity.ts";
import { filePower, filePowers } from "./file-access.ts";
import { grantStatus } from "./grant-status.ts";
import { FILTER_ROLES } from "./kinds.ts";
import { GRANT_VERSION, NAME_MAX } from "./limits.ts";
import { count } from "./list.ts";
import { recordFilter } from "./record-filter.ts";
import { source } from "./source.ts";
import { timestamp } from "./timestamp.ts";

const grantedStream = z.strictObject({
  name: z.string().min(1).max(NAME_MAX),
  /** The connections it reads. Never empty: an omitted list never means "all". */
  instance_ids: z.array(z.string()).min(1),
  fields: z.array(z.string()).min(1),
  /** since is inclusive, until exclusive. */
  time_constraint: z
    .strictObject({ field: z.string(), since: timestamp.optional(), until: timestamp.optional() })
    .optional(),
  /** Only records whose field has one of these values. The field need not be among the granted ones. */
  record_filter: recordFilter.optional(),
  /** Record ids; absent: every record. */
  resources: z.array(z.string()).optional(),
});

export const grant = z.strictObject({
  version: z.literal(GRANT_VERSION),
  grant_id: z.string(),
  issued_at: timestamp,
  subject: z.strictObject({ id: z.string() }),
  client: z.strictObject({ client_id: z.string(), client_display: z.strictObject({ name: z.string() }).optional() }),
  source,
  source_declaration: z.strictObject({ version: z.string() }),
  purpose_code: z.string(),
  purpose_description: z.string().optional(),
  access_mode: z.enum(["single_use", "continuous"]),
  streams: z.array(grantedStream).min(1),
  /** Present on a grant of the files lens: what it may do in its roots. Its token reads no records. */
  files: z.strictObject({ may: filePowers }).optional(),
  selection_preset: z.string().optional(),
  retention: z.unknown().optional(),
  expires_at: timestamp.optional(),
  /** When the owner last changed the grant. */
  changed_at: timestamp.optional(),
  /** Present while the owner has paused it. */
  paused_at: timestamp.optional(),
});

/** A token for one grant has grant_id, a token for several has grant_package_id. */
export const issuedGrant = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  grants: z.array(grant).min(1),
  expires_at: timestamp.optional(),
});

/** A grant in words. */
export const grantWords = z.strictObject({
  /** The app's own name for itself. */
  app: z.string(),
  /** The host that was verified when the owner approved it. Absent: the identity of the app is not proven. */
  verified_host: z.string().optional(),
  reads: z.array(
    z.strictObject({
      connection_id: z.string(),
      connection: z.string(),
      stream: z.string(),
      /** `all 13 fields`, or their names. */
      fields: z.string(),
      /** Absent: any time. */
      time: z.string().optional(),
      /** The field and its values that the records are limited to; absent: any. */
      filter: z.string().optional(),
      /** Absent: every record. */
      records: z.string().optional(),
      /** For a grant of the files lens: what it may do in this root. */
      may: z.array(filePower).optional(),
      /**
       * The name of the records: `Mails`. Absent in texts that were stored before grants had a sentence, like the
       * members below.
       */
      what: z.string().optional(),
      /** Which parts of the records it shows, if not all: `without their text`. */
      parts: z.string().optional(),
      since: timestamp.optional(),
      until: timestamp.optional(),
      /** Limited to records that are filed there: in these chats, folders, categories … The first few by name. */
      filed: z
        .strictObject({ role: z.enum(FILTER_ROLES), values: z.array(z.string()).min(1), more: count.optional() })
        .optional(),
      /** The number of single records. */
      chosen: count.optional(),
      /** The grant includes everything in the connection. */
      whole: z.literal(true).optional(),
    }),
  ),
  until: z.string(),
  purpose: z.string(),
});

/** Use of a grant, from the audit log. */
export const grantUse = z.strictObject({
  /** Answered calls, the data that they returned, and denied calls. */
  calls: count,
  denied: count,
  records: count,
  bytes: count,
  streams: z.array(
    z.strictObject({
      connection_id: z.string(),
      stream: z.string(),
      reads: count,
      records: count,
      bytes: count,
      last_read_at: timestamp.optional(),
    }),
  ),
  /** The latest calls, newest first, including denied ones. */
  recent: z.array(activity),
});

export const grantSummary = z.strictObject({
  object: z.literal("grant"),
  grant,
  status: grantStatus,
  grant_package_id: z.string().optional(),
  revoked_at: timestamp.optional(),
  /** reuse: a code or a refresh token was used twice, so it may have been stolen. */
  ended_by: z.enum(["owner", "app", "reuse"]).optional(),
  /** When the last answered call was. */
  last_used_at: timestamp.optional(),
  /** Valid, but not used for a long time. */
  sleeping: z.boolean(),
  words: grantWords,
  /** The words that the owner saw when approving it, if a single grant is read; names may have changed since. */
  agreed: grantWords.optional(),
  use: grantUse,
});

/** Several grants approved together, one token. */
export const grantPackage = z.strictObject({
  object: z.literal("grant_package"),
  grant_package_id: z.string(),
  grants: z.array(grantSummary).min(1),
  /** Calls under the package that used no single grant: schemas, lists, and denied calls. */
  use: grantUse,
});

export const revocation = z.strictObject({
  object: z.literal("revocation"),
  /** The id of the grant, the package or the owner token. */
  id: z.string(),
  revoked: z.array(z.string()),
  revoked_at: timestamp,
  /** Other valid grants of an app with the same id or name, which it can still use. */
  still_active: z.array(z.string()).optional(),
  /** Until then the owner can undo it. */
  undo_until: timestamp.optional(),
});

/** A grant or a package after the owner changed, paused, resumed or restored it. */
export const grantChange = z.strictObject({
  object: z.literal("grant_change"),
  id: z.string(),
  /** All its grants that still exist, in their current state. */
  grants: z.array(grant).min(1),
  /** Grants of a package that ended because the change removed their connection. */
  revoked: z.array(z.string()),
});

export type Grant = z.infer<typeof grant>;
export type GrantedStream = z.infer<typeof grantedStream>;
export type IssuedGrant = z.infer<typeof issuedGrant>;
export type GrantSummary = z.infer<typeof grantSummary>;
export type GrantUse = z.infer<typeof grantUse>;
export type GrantWords = z.infer<typeof grantWords>;
export type GrantPackage = z.infer<typeof grantPackage>;
export type GrantChange = z.infer<typeof grantChange>;
export type Revocation = z.infer<typeof revocation>;
