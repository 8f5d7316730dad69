// Queries of the schedule calls.
import { z } from "zod";
import { NAME_MAX, SCHEDULE } from "./limits.ts";

const every_seconds = z.int().min(SCHEDULE.shortestSeconds).max(SCHEDULE.longestSeconds);
const cron = z.string().min(1).max(200);
const time_zone = z.string().min(1).max(100);
const path = z.string().min(1).max(4096);

const timing = {
  every_seconds: every_seconds.optional(),
  /** Five or six fields, or @daily and the like. */
  cron: cron.optional(),
  /** The time zone of the cron expression; absent means the server's. */
  time_zone: time_zone.optional(),
};

export const scheduleId = z.strictObject({ id: z.string().min(1).max(NAME_MAX) });

/** For a connection: runs its connector, or rescans its disk. */
export const schedulePut = z.strictObject({ connection_id: z.string().min(1).max(NAME_MAX), ...timing });

/** For a folder: imports new files in it. */
export const folderWatch = z.strictObject({
  folder: path,
  as: z.string().min(1).max(NAME_MAX).optional(),
  answers: z.record(z.string(), z.string()).optional(),
  ...timing,
});

export const scheduleSettled = z.strictObject({
  id: z.string(),
  started_at: z.int(),
  status: z.enum(["succeeded", "failed", "cancelled"]),
  message: z.string().optional(),
});

/** `release` means that the process that ran the schedules is stopping and leaves them to the next leader. */
export const schedulesKept = z.strictObject({ ids: z.array(z.string()), release: z.literal(true).optional() });
