// The audit log as the owner reads it.
import { z } from "zod";
import { count, listOf } from "./list.ts";
import { timestamp } from "./timestamp.ts";

export const activity = z.strictObject({
  object: z.literal("activity"),
  n: count,
  at: timestamp,
  subject_id: z.string(),
  actor: z.enum(["owner", "client", "mcp_package", "anonymous"]),
  client_id: z.string().optional(),
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  action: z.string(),
  connection_id: z.string().optional(),
  stream: z.string().optional(),
  records: count,
  bytes: count,
  /** `ok`, or the code of the error. */
  outcome: z.string(),
  request_id: z.string(),
});

/** It goes back in time: `before` takes the number of the last line seen. */
export const activityList = listOf(activity).extend({ meta: z.strictObject({ next_before: count.optional() }) });

export const activityVerification = z.strictObject({
  object: z.literal("activity_verification"),
  entries: count,
  intact: z.boolean(),
  /** Of the first line that does not fit. */
  broken_at: count.optional(),
  reason: z.string().optional(),
});

export type Activity = z.infer<typeof activity>;
export type ActivityList = z.infer<typeof activityList>;
export type ActivityVerification = z.infer<typeof activityVerification>;
