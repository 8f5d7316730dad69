// Pages of a schema. The cursor says where to continue, and is valid only for the same query on the same schema.
import { canonicalJson, digestOf } from "../../core/cursor.ts";
import { lazy } from "../../core/lazy.ts";
import { ToolError } from "./next-step.ts";
import { callText, type ToolResult } from "./tool.ts";

export interface SchemaPage<T> {
  items: T[];
  next?: string;
}

interface SchemaPageRequest {
  tool: string;
  stream?: string;
  connection_id?: string;
  cursor?: string;
}

/** The cursor contains nothing secret: an offset, and a digest of the query and the schema. */
export function pageOf<T>(
  items: readonly T[],
  { cursor, ...asked }: SchemaPageRequest,
  render: (items: T[], page: SchemaPage<T>) => ToolResult,
  fits: (result: ToolResult) => boolean,
): ToolResult {
  const digest = lazy(() => digestOf(canonicalJson([asked, withoutExtents(items)])).slice(0, 12));
  const start = cursor === undefined ? 0 : offsetIn(cursor, digest(), items.length, asked);
  const rendered = (end: number): ToolResult => {
    const page = { items: items.slice(start, end), ...(end < items.length ? { next: `s1.${end}.${digest()}` } : {}) };
    return render(page.items, page);
  };
  // Binary search for the largest page that fits. One item is always shown, whatever its size.
  let low = start + 1;
  let high = items.length;
  if (high <= low || fits(rendered(high))) return rendered(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(rendered(middle))) low = middle;
    else high = middle;
  }
  return rendered(low);
}

/** The number of records changes with every import, but does not affect paging. */
const withoutExtents = (items: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(items, (key, value) => (key === "about" ? undefined : value)));

function offsetIn(
  cursor: string,
  digest: string,
  length: number,
  { tool: _tool, ...asked }: Omit<SchemaPageRequest, "cursor">,
): number {
  const [, offset, given] = /^s1\.(\d{1,9})\.([\w-]{12})$/.exec(cursor) ?? [];
  if (given !== digest || Number(offset) >= length) {
    throw new ToolError(
      "invalid_cursor",
      "this cursor does not belong to this schema call, or the schema has changed",
      {
        param: "cursor",
        next_step: `${callText("schema", asked)} starts again.`,
      },
    );
  }
  return Number(offset);
}
