// Grants: what the owner approved for one app on one source, fully resolved. Only the owner can change a grant. Also
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
  /** The connections that can be read. Never empty, because an omitted list must not mean "all". */
  instance_ids: z.array(z.string()).min(1),
  fields: z.array(z.string()).min(1),
  /** `since` is inclusive, `until` is exclusive. */
  time_constraint: z
    .strictObject({ field: z.string(), since: timestamp.optional(), until: timestamp.optional() })
    .optional(),
  /** Only records whose field has one of these values. The field does not have to be one of the granted fields. */
  record_filter: recordFilter.optional(),
  /** Record ids; absent means every record. */
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
  /** Present for a grant on the files lens: what the app may do in the roots. Its token cannot read records. */
  files: z.strictObject({ may: filePowers }).optional(),
  selection_preset: z.string().optional(),
  retention: z.unknown().optional(),
  expires_at: timestamp.optional(),
  /** When the owner last changed the grant. */
  changed_at: timestamp.optional(),
  /** Present while the grant is paused by the owner. */
  paused_at: timestamp.optional(),
});

/** A token for one grant has grant_id; a token for several grants has grant_package_id. */
export const issuedGrant = z.strictObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  grants: z.array(grant).min(1),
  expires_at: timestamp.optional(),
});

/** A grant described in words. */
export const grantWords = z.strictObject({
  /** The name that the app gives itself. */
  app: z.string(),
  /** The host that was verified when the owner approved the grant. If absent, the identity of the app is not proven. */
  verified_host: z.string().optional(),
  reads: z.array(
    z.strictObject({
      connection_id: z.string(),
      connection: z.string(),
      stream: z.string(),
      /** `all 13 fields`, or the names of the fields. */
      fields: z.string(),
      /** Absent means any time. */
      time: z.string().optional(),
      /** The field and values that the records are limited to; absent means no limit. */
      filter: z.string().optional(),
      /** Absent means every record. */
      records: z.string().optional(),
      /** For a grant on the files lens: what the app may do in this root. */
      may: z.array(filePower).optional(),
      /**
       * The name of the records, such as `Emails`. This field and those below are absent in summaries that were stored
       * before grants were described in a sentence.
       */
      what: z.string().optional(),
      /** Which parts of the records the app sees, if not all: `without their text`. */
      parts: z.string().optional(),
      since: timestamp.optional(),
      until: timestamp.optional(),
      /**
       * Set if the grant is limited to records in certain chats, folders, categories and so on; lists the first few by
       * name.
       */
      filed: z
        .strictObject({ role: z.enum(FILTER_ROLES), values: z.array(z.string()).min(1), more: count.optional() })
        .optional(),
      /** The number of records, if single records were chosen. */
      chosen: count.optional(),
      /** True if the grant includes everything in the connection. */
      whole: z.literal(true).optional(),
    }),
  ),
  until: z.string(),
  purpose: z.string(),
});

/** The use of a grant, computed from the audit log. */
export const grantUse = z.strictObject({
  /** Successful calls, denied calls, and the data that was returned. */
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
  /** `reuse` means that a code or a refresh token was used twice, so it may have been stolen. */
  ended_by: z.enum(["owner", "app", "reuse"]).optional(),
  /** The time of the last successful call. */
  last_used_at: timestamp.optional(),
  /** True if the grant is valid but has not been used for a long time. */
  sleeping: z.boolean(),
  words: grantWords,
  /**
   * The words that the owner saw when approving the grant; names may have changed since. Present only if a single grant
   * is read.
   */
  agreed: grantWords.optional(),
  use: grantUse,
});

/** Several grants that were approved together and share one token. */
export const grantPackage = z.strictObject({
  object: z.literal("grant_package"),
  grant_package_id: z.string(),
  grants: z.array(grantSummary).min(1),
  /** Calls under the package that are not attributed to a single grant: schemas, lists, and denied calls. */
  use: grantUse,
});

export const revocation = z.strictObject({
  object: z.literal("revocation"),
  /** The id of the grant, the package or the owner token. */
  id: z.string(),
  revoked: z.array(z.string()),
  revoked_at: timestamp,
  /** Other valid grants of an app with the same id or name, which the app can still use. */
  still_active: z.array(z.string()).optional(),
  /** The owner can undo the revocation until this time. */
  undo_until: timestamp.optional(),
});

/** A grant or a package after the owner changed, paused, resumed or restored it. */
export const grantChange = z.strictObject({
  object: z.literal("grant_change"),
  id: z.string(),
  /** The grant, or the grants of the package that still exist, in their current state. */
  grants: z.array(grant).min(1),
  /** Grants in a package that ended because the change removed their connection. */
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
