// A window of one field's text.
import { z } from "zod";
import { windowHandle } from "./handle-text.ts";
import { count } from "./list.ts";
import { sourceIdentity } from "./source.ts";

export const fieldWindow = z.strictObject({
  object: z.literal("field_window"),
  record_id: z.string(),
  stream: z.string(),
  field: z.strictObject({
    path: z.string(),
    pointer: z.string().optional(),
    type: z.enum(["string", "json"]),
    /** For a list that is not shown in full, its number of items. For an object, the names of its first fields. */
    items: count.optional(),
    members: z.array(z.string()).optional(),
  }),
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
    /** With `q`, the number of matches in the whole text. */
    match_count: count.optional(),
    next_match_chars: count.optional(),
    next_offset_chars: count.optional(),
    previous_offset_chars: count.optional(),
  }),
  next_cursor: z.string().optional(),
  /** A digest of the whole text. If it differs, the record has changed. */
  revision: z.string(),
  handle: windowHandle,
  next_handle: windowHandle.optional(),
  /** The handle for the window around the next match of `q`. */
  next_match_handle: windowHandle.optional(),
  /** Replace the braces with an index or a name (RFC 6901) to get the handle of that part of a list or an object. */
  part_handle: windowHandle.optional(),
  ...sourceIdentity.shape,
});

export type FieldWindow = z.infer<typeof fieldWindow>;
