// Text of attached files: how it is set up and how far it is (I-10).
import { z } from "zod";
import { count } from "./list.ts";

/** The stream of a connection that holds the text of its pictures and PDFs; the product adds it when the first text is found. */
export const ATTACHED_TEXT_STREAM = "attached_text";

export const recognitionPut = z.strictObject({
  /** Pauses it; what was read stays. */
  paused: z.boolean().optional(),
  /** Whether photos are read as well as scans, screenshots and PDFs. */
  photos: z.boolean().optional(),
});

export const recognitionRead = z.strictObject({
  object: z.literal("recognition"),
  paused: z.boolean(),
  photos: z.boolean(),
  /** Records with files that were looked at, and how many of them have text. */
  looked_at: count,
  found: count,
  /** Records that came since and were not looked at yet; counted to a thousand for each stream. */
  waiting: count,
  /** Whether the server can do it, and how to add what is missing. Absent without a server. */
  installed: z.boolean().optional(),
  note: z.string().optional(),
});
export type RecognitionRead = z.infer<typeof recognitionRead>;

const place = { connection_id: z.string(), stream: z.string() };
/** What can be recognised at the moment; when it changes, everything is looked at again. */
export const attachedNext = z.strictObject({ recognition: z.string() });
/** A record was looked at, and all before it. `found`: whether it has text. */
export const attachedKept = z.strictObject({
  ...place,
  recognition: z.string(),
  version: count,
  looked_at: count,
  found: count,
});
export const attachedPlace = z.strictObject({ connection_id: z.string() });
