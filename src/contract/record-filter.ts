// The record filter of a grant: one field and the values that it may have. One chat, one folder, one category.
import { z } from "zod";
import { NAME_MAX, RECORD_FILTER } from "./limits.ts";

export const recordFilter = z.strictObject({
  field: z.string().min(1).max(NAME_MAX),
  /** A record without a value in the field is outside every filter. */
  values: z.array(z.string().min(1).max(RECORD_FILTER.valueChars)).min(1).max(RECORD_FILTER.values),
});

export type RecordFilter = z.infer<typeof recordFilter>;
