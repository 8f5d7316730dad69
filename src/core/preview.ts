// Previews in lists: a long text is truncated, with a handle to the window that continues it (K-11).
import { formatHandle } from "../contract/handle.ts";
import { PREVIEW } from "../contract/limits.ts";
import type { CutText, JsonObject } from "../contract/record.ts";
import { revisionOf } from "./cursor.ts";
import { cutWindow } from "./window.ts";

interface RecordLocation {
  connection_id: string;
  stream: string;
  id: string;
}

export interface Preview {
  /** JSON text. */
  data: string;
  cut: CutText[];
}

/** Truncates only strings; lists and objects keep their type. */
export function previewOf(place: RecordLocation, data: string): Preview {
  // Most records are short, and parsing is most of the cost of a list, so short records are not parsed.
  if (data.length <= PREVIEW.wholeChars) return { data, cut: [] };
  const fields = JSON.parse(data) as JsonObject;
  const cut: CutText[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value !== "string" || value.length <= PREVIEW.wholeChars) continue;
    const { text, end_chars: offset, total_chars } = cutWindow(value, { limit: PREVIEW.shownChars });
    Object.defineProperty(fields, field, { value: text, enumerable: true, configurable: true, writable: true });
    const next_handle = formatHandle({ kind: "field-window", ...place, field, offset, revision: revisionOf(value) });
    cut.push({ field, shown_chars: offset, total_chars, next_handle });
  }
  return cut.length === 0 ? { data, cut } : { data: JSON.stringify(fields), cut };
}
