// The query for a window handle. It always selects the same piece of text, no matter which surface the handle is used
// on.
import type { WindowHandle } from "./handle.ts";
import { WINDOW } from "./limits.ts";
import type { WindowQuery } from "./read.ts";

export function windowAsked(handle: WindowHandle): WindowQuery {
  const { stream, id, connection_id, field, pointer, offset, limit, revision, q } = handle;
  const place = { stream, id, connection_id, field, pointer, offset_chars: offset, limit_chars: limit, revision };
  if (q === undefined) return place;
  return { ...place, q, before_chars: WINDOW.beforeMatch, after_chars: WINDOW.afterMatch };
}
