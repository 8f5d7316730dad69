// A window of one field's text.
import { z } from "zod";
import { windowHandle } from "./handle-text.ts";
import { count } from "./list.ts";
import { sourceIdentity } from "./source.ts";

export const fieldWindow = z.strictObject({
  object: z.literal("field_window"),
  record_id: z.string(),
  stream: z.string(),
  field: z.strictObject({ path: z.string(), pointer: z.string().optional(), type: z.enum(["string", "json"]) }),
  window: z.strictObject({
    text: z.string(),
    start_chars: count,
    end_chars: count,
    limit_chars: count,
    total_chars: count,
    complete: z.boolean(),
    has_more: z.boolean(),
    match_start_chars: count.optional(),
    match_end_chars: count.optional(),
    next_offset_chars: count.optional(),
    previous_offset_chars: count.optional(),
  }),
  next_cursor: z.string().optional(),
  /** A digest of the whole text: another one means that the record moved. */
  revision: z.string(),
  handle: windowHandle,
  next_handle: windowHandle.optional(),
  ...sourceIdentity.shape,
});

export type FieldWindow = z.infer<typeof fieldWindow>;
