// How many records there are per day, month or year, and of which kinds.
import { z } from "zod";
import { count } from "./list.ts";
import { timelineCountsQuery } from "./timeline.ts";

export const timelineCounts = z.strictObject({
  object: z.literal("timeline_counts"),
  granularity: timelineCountsQuery.shape.granularity,
  time_zone: z.string(),
  /** Newest first, without empty groups. */
  groups: z.array(z.strictObject({ key: z.string(), count, kinds: z.record(z.string(), count) })),
});

export type TimelineCounts = z.infer<typeof timelineCounts>;
