// Requests about the text in attached files (I-10), and the name of its stream.
import { z } from "zod";

const count = z.int().min(0);

/** A connection's stream with the text in its pictures and PDFs; it is added when the first text is found. */
export const ATTACHED_TEXT_STREAM = "attached_text";

export const recognitionPut = z.strictObject({
  /** If true, recognition pauses; recognised text is kept. */
  paused: z.boolean().optional(),
  /** If true, photos are read in addition to scans, screenshots and PDFs. */
  photos: z.boolean().optional(),
});

const place = { connection_id: z.string(), stream: z.string() };
/** The kinds of recognition that are available now. If they change, everything is checked again. */
export const attachedNext = z.strictObject({ recognition: z.string() });
/** Reports that this record and all before it were checked. `found` counts those that have text. */
export const attachedKept = z.strictObject({
  ...place,
  recognition: z.string(),
  version: count,
  looked_at: count,
  found: count,
});
export const attachedPlace = z.strictObject({ connection_id: z.string() });
