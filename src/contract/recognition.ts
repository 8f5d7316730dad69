// Text recognition in attached files: settings and progress.
import { z } from "zod";
import { count } from "./list.ts";

export const recognitionRead = z.strictObject({
  object: z.literal("recognition"),
  paused: z.boolean(),
  photos: z.boolean(),
  /** Records with files that were checked, and how many of these records have text. */
  looked_at: count,
  found: count,
  /** Newer records that have not been checked yet, counted up to a thousand per stream. */
  waiting: count,
  /** Whether the server supports recognition, and how to install missing packages. Absent if no server is running. */
  installed: z.boolean().optional(),
  note: z.string().optional(),
});
export type RecognitionRead = z.infer<typeof recognitionRead>;
