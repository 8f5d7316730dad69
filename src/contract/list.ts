// The list envelope: the one shape for everything that is paged.
import { z } from "zod";
import { freshness } from "./schedule.ts";

export const count = z.int().min(0);

export const warning = z.strictObject({ code: z.string(), message: z.string(), param: z.string().optional() });

const envelope = z.strictObject({
  object: z.literal("list"),
  url: z.string(),
  has_more: z.boolean(),
  next_cursor: z.string().optional(),
  next_changes_since: z.string().optional(),
  links: z.strictObject({ self: z.string(), next: z.string().optional() }),
  meta: z.strictObject({
    count: z.strictObject({ kind: z.enum(["exact", "estimated"]), value: count }).optional(),
    /** For lists of records: how current their source is. */
    freshness: freshness.optional(),
    warnings: z.array(warning).optional(),
  }),
});

export const listOf = <T extends z.ZodType>(item: T) => envelope.extend({ data: z.array(item) });

export type Warning = z.infer<typeof warning>;
export type List<T> = z.infer<typeof envelope> & { data: T[] };
