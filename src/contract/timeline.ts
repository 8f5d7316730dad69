// Timeline queries: records of all streams by when they happened, and counts by day, month or year.
import { z } from "zod";
import { KINDS, type Kind } from "./kinds.ts";
import { NAME_MAX } from "./limits.ts";
import { recordsQuery } from "./read.ts";

const kinds = z.array(z.enum(Object.keys(KINDS) as [Kind, ...Kind[]])).min(1);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, "a day such as 2026-06-20");

const selection = {
  connection_id: recordsQuery.shape.connection_id,
  /** Only records of these kinds. By default, all except files, contact cards, accounts and lists of conversations. */
  kinds: kinds.optional(),
  /** Days in `time_zone`, both inclusive. */
  since: day.optional(),
  until: day.optional(),
  time_zone: z.string().max(100).optional(),
  /** Records that refer to this person, given as a name, an address, a number, a handle, or a person's id. */
  with: z.string().trim().min(1).max(NAME_MAX).optional(),
};

export const timelineQuery = z.strictObject({
  ...selection,
  order: z.enum(["asc", "desc"]).optional(),
  limit: recordsQuery.shape.limit,
  cursor: recordsQuery.shape.cursor,
  texts: recordsQuery.shape.texts,
});

export const timelineCountsQuery = z.strictObject({ ...selection, granularity: z.enum(["day", "month", "year"]) });

export type TimelineQuery = z.infer<typeof timelineQuery>;
export type TimelineCountsQuery = z.infer<typeof timelineCountsQuery>;
