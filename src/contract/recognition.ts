// Text recognition in attached files: its settings and its progress.
import { z } from "zod";
import { count } from "./list.ts";

export const recognitionRead = z.strictObject({
  object: z.literal("recognition"),
  paused: z.boolean(),
  photos: z.boolean(),
  /** Records with files that were checked, and how many of them have text. */
  looked_at: count,
  found: count,
  /** Newer records that were not checked yet; counted up to a thousand per stream. */
  waiting: count,
  /** Whether the server supports it, and how to install missing packages. Absent without a server. */
  installed: z.boolean().optional(),
  note: z.string().optional(),
});
export type RecognitionRead = z.infer<typeof recognitionRead>;
