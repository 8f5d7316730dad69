// The embedding model for search by meaning, as the owner sees it, and its progress.
import { z } from "zod";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** No model is configured if `url` is absent. */
export const searchModel = z.strictObject({
  object: z.literal("search_model"),
  mode: z.enum(["lexical", "hybrid"]),
  url: z.string().optional(),
  name: z.string().optional(),
  remote: z.boolean().optional(),
  set_at: timestamp.optional(),
  /** One sentence about what the setting means for private data. */
  notice: z.string(),
  progress: z
    .strictObject({
      /** `waiting` means that the endpoint did not respond; the next attempt is at `retry_at`. */
      status: z.enum(["working", "ready", "waiting"]),
      /** How many records have text, and how many of them the model has processed. */
      records: z.strictObject({ done: count, total: count }),
      passages: count,
      dimensions: count.optional(),
      error: z.string().optional(),
      retry_at: timestamp.optional(),
    })
    .optional(),
});

export type SearchModelRead = z.infer<typeof searchModel>;
