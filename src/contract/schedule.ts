// Schedules as returned to readers: what is updated and when. Also how freshness and health are reported.
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

const timing = {
  every_seconds: z.int().min(1).optional(),
  cron: z.string().optional(),
  time_zone: z.string().optional(),
};

const target = z.union([
  z.strictObject({ kind: z.literal("connection"), connection_id: z.string() }),
  z.strictObject({
    kind: z.literal("folder"),
    path: z.string(),
    as: z.string().optional(),
    answers: z.record(z.string(), z.string()).optional(),
  }),
]);

export const scheduleRead = z.strictObject({
  object: z.literal("schedule"),
  schedule_id: z.string(),
  target,
  ...timing,
  status: z.enum(["waiting", "running", "paused"]),
  next_run_at: timestamp.nullable(),
  last_run: z
    .strictObject({
      started_at: timestamp,
      ended_at: timestamp,
      /** `cancelled` means that the owner stopped the run; the next one starts as scheduled. */
      status: z.enum(["succeeded", "failed", "cancelled"]),
      message: z.string().optional(),
    })
    .nullable(),
  /** Consecutive failures. Each one increases the delay before the next attempt. */
  failures: z.int().min(0),
  created_at: timestamp,
});

export const scheduleDeleted = z.strictObject({
  object: z.literal("schedule"),
  schedule_id: z.string(),
  deleted: z.literal(true),
});

export const freshness = z.strictObject({
  /**
   * `current` means that the connection was compared with its source as often as scheduled; `unknown` means that it is
   * not scheduled.
   */
  status: z.enum(["current", "stale", "unknown"]),
  /** When the whole connection was last compared with its source. */
  checked_at: timestamp.nullable(),
  next_check_at: timestamp.nullable(),
});

export const health = z.strictObject({
  /** `connector` means a connector process, `disk` a scan, and `hand` imports or ingests. */
  read_by: z.enum(["connector", "disk", "hand"]),
  verdict: z.enum(["ok", "waiting_for_you", "failing", "stale", "paused", "by_hand", "never_read"]),
  /** A summary in one sentence. */
  words: z.string(),
  /** The action to take; absent if no action is needed. */
  next_step: z.string().optional(),
});

export type ScheduleTarget = z.infer<typeof target>;
export type Timing = Pick<Schedule, "every_seconds" | "cron" | "time_zone">;
export type Schedule = z.infer<typeof scheduleRead>;
export type ScheduleDeleted = z.infer<typeof scheduleDeleted>;
export type Freshness = z.infer<typeof freshness>;
export type Health = z.infer<typeof health>;
