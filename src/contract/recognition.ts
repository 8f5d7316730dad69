// Text of attached files as read: how it is set up and how far it is.
import { z } from "zod";
import { count } from "./list.ts";

export const recognitionRead = z.strictObject({
  object: z.literal("recognition"),
  paused: z.boolean(),
  photos: z.boolean(),
  /** Records with files that were looked at, and how many of them have text. */
  looked_at: count,
  found: count,
  /** Records that came since and were not looked at yet; counted to a thousand for each stream. */
  waiting: count,
  /** Whether the server can do it, and how to add missing packages. Absent without a server. */
  installed: z.boolean().optional(),
  note: z.string().optional(),
});
export type RecognitionRead = z.infer<typeof recognitionRead>;
