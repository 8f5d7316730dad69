// The audit log in the form that the owner reads.
import { z } from "zod";
import { grantStatus } from "./grant-status.ts";
import { count, listOf } from "./list.ts";
import { timestamp } from "./timestamp.ts";
import { asked, why } from "./why.ts";

/** The call arguments that the log records. */
export const keptQuery = z.strictObject({
  q: z.string().optional(),
  /** Conditions by field, as the app sent them. */
  filter: z.record(z.string(), z.unknown()).optional(),
  sort: z.string().optional(),
  order: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  group_by: z.string().optional(),
  metric: z.string().optional(),
  /** True if the call requested only the changes since an earlier call. */
  changes: z.literal(true).optional(),
});
export type KeptQuery = z.infer<typeof keptQuery>;

export const activity = z.strictObject({
  object: z.literal("activity"),
  n: count,
  at: timestamp,
  subject_id: z.string(),
  /** `server` means that the entry is about the log itself. */
  actor: z.enum(["owner", "client", "mcp_package", "anonymous", "server"]),
  client_id: z.string().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  action: z.string(),
  connection_id: z.string().optional(),
  stream: z.string().optional(),
  records: count,
  bytes: count,
  /** `ok`, or an error code. */
  outcome: z.string(),
  /** The names that a denied call under a grant requested. */
  asked: asked.optional(),
  /** The arguments of an app's successful call that a person can understand, truncated. Absent in older lines. */
  query: keptQuery.optional(),
  /** Ids of the first records in the response; `records` counts all of them. Absent in older lines. */
  ids: z.array(z.string()).optional(),
  /**
   * Lines from this period may be missing, because a server ended without a clean shutdown and the machine may have
   * lost power.
   */
  may_be_missing: z.strictObject({ since: timestamp, until: timestamp }).optional(),
  request_id: z.string(),
});

/** A denied call, and the part of the grant that caused the denial. */
export const denial = z.strictObject({
  object: z.literal("denial"),
  call: activity,
  app: z.string().optional(),
  /** Absent if the denial was not caused by a grant. */
  why: why.optional(),
  /** The grants that the call used, with their current status. */
  grants: z.array(z.strictObject({ grant_id: z.string(), status: grantStatus })),
  /** Advice for the owner. */
  next_step: z.string(),
});

/**
 * Newest first. `before` accepts the number of the last line seen. With conditions, a page can end before it is full.
 */
export const activityList = listOf(activity).extend({ meta: z.strictObject({ next_before: count.optional() }) });

const dayCounts = { calls: count, denied: count, records: count, bytes: count };

/** Totals for each day in a time zone, newest first. Days without activity are omitted. */
export const activityDays = z.strictObject({
  object: z.literal("activity_days"),
  time_zone: z.string(),
  since: timestamp,
  /** Lines before this time were not counted, because there were too many. */
  counted_from: timestamp.optional(),
  data: z.array(
    z.strictObject({
      day: z.iso.date(),
      ...dayCounts,
      /** Streams that were read, sorted by number of records, most first. */
      streams: z.array(z.strictObject({ connection_id: z.string(), stream: z.string(), ...dayCounts })),
    }),
  ),
});

export const activityVerification = z.strictObject({
  object: z.literal("activity_verification"),
  entries: count,
  intact: z.boolean(),
  /** How many lines have `may_be_missing`; absent means zero. */
  gaps: count.optional(),
  /** The number of the first line that fails verification. */
  broken_at: count.optional(),
  reason: z.string().optional(),
});

export const activityVerificationProgress = z.strictObject({
  object: z.literal("activity_verification_progress"),
  /** False if this server is not verifying the log at the moment. */
  running: z.boolean(),
  /** Lines verified so far. */
  entries: count,
  /** Lines in the log. */
  of: count,
});

export type Denial = z.infer<typeof denial>;
export type Activity = z.infer<typeof activity>;
export type ActivityDays = z.infer<typeof activityDays>;
export type ActivityVerification = z.infer<typeof activityVerification>;
export type ActivityVerificationProgress = z.infer<typeof activityVerificationProgress>;
