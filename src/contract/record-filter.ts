// A grant's record filter: one field and the values it can have, such as one chat, one folder or one category.
import { z } from "zod";
import { NAME_MAX, RECORD_FILTER } from "./limits.ts";

export const recordFilter = z.strictObject({
  field: z.string().min(1).max(NAME_MAX),
  /** A record without a value in the field matches no filter. */
  values: z.array(z.string().min(1).max(RECORD_FILTER.valueChars)).min(1).max(RECORD_FILTER.values),
});

export type RecordFilter = z.infer<typeof recordFilter>;
