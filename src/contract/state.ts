// A connector's own cursors.
import { z } from "zod";
import { jsonObject } from "./json.ts";
import { timestamp } from "./timestamp.ts";

export const streamState = z.strictObject({
  object: z.literal("stream_state"),
  connection_id: z.string(),
  /** Cursors by stream. */
  state: jsonObject,
  updated_at: timestamp.nullable(),
});

export type StreamState = z.infer<typeof streamState>;
