// Reads an export's rows in pieces. Each piece is limited by count and by bytes, because a single record can be
// megabytes long.
import type { ColumnValue } from "../../core/fields.ts";
import { type Revealed, reveal, type StoredRow } from "../../core/plan.ts";
import type { ReadContext } from "../read/context.ts";
import { byIndex, type Position, readPage, selectionFor } from "../read/records.ts";
import type { ExportRequest } from "./request.ts";

export interface PieceLimits {
  rows: number;
  /** The piece ends with the record that exceeds this size. */
  bytes: number;
}

export interface RowBatch {
  rows: Revealed[];
  /** Where the next piece starts. Absent for the last piece. */
  next?: Position;
}

/**
 * How many rows are fetched at once: few at first, and few while the rows are large. Rows that do not fit into a piece
 * are read again.
 */
const CHUNK = { rows: 16, characters: 256 * 1024 };

export async function exportRows(
  context: ReadContext,
  request: ExportRequest,
  after: Position | undefined,
  limits: PieceLimits,
): Promise<RowBatch> {
  const rows: Revealed[] = [];
  let bytes = 0;
  let seen = 0;
  let last = after;
  for await (const chunk of chunks(context, request, after, limits.rows)) {
    for (const { stored, value } of chunk) {
      seen++;
      last = { value, id: stored.id };
      const revealed = reveal(request.plan, stored);
      if (revealed === undefined) continue;
      rows.push(revealed);
      bytes += revealed.data.length;
      if (bytes >= limits.bytes) return { rows, next: last };
    }
  }
  return seen < limits.rows ? { rows } : { rows, next: last };
}

async function* chunks(
  context: ReadContext,
  { plan, where, order }: ExportRequest,
  after: Position | undefined,
  rows: number,
): AsyncGenerator<{ stored: StoredRow; value: ColumnValue }[]> {
  let size = 1;
  const nextSize = (chunk: readonly { stored: StoredRow }[]): number => {
    const largest = Math.max(1, ...chunk.map(({ stored }) => stored.data?.length ?? 0));
    return Math.max(1, Math.min(CHUNK.rows, Math.floor(CHUNK.characters / largest)));
  };
  if (byIndex(plan, where, order)) {
    let position = after;
    for (let left = rows; left > 0; ) {
      const chunk = await readPage(context, plan, where, order, position, Math.min(left, size));
      if (chunk.length === 0) return;
      yield chunk;
      const end = chunk.at(-1)!;
      position = { value: end.value, id: end.stored.id };
      left -= chunk.length;
      size = nextSize(chunk);
    }
    return;
  }
  const columns = await context.columns(plan);
  const hits = await columns.page(selectionFor(plan, where), { sort: order, after, limit: rows });
  for (let start = 0; start < hits.length; ) {
    const part = hits.slice(start, start + size);
    const found = await context.view.rows(
      plan,
      part.map((hit) => hit.version),
    );
    const chunk = found.map((stored, index) => ({ stored, value: part[index]!.value }));
    yield chunk;
    start += part.length;
    size = nextSize(chunk);
  }
}
