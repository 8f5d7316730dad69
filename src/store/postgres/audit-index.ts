// Searches the audit log in SQL. See ../audit-terms.ts for how.
import { auditRow, BLOCK, BLOCKS_MAX, blockOf, fits, partOf, termsWanted } from "../audit-terms.ts";
import type { AuditPage, AuditQuery, AuditRow } from "../store.ts";
import type { Connection } from "./connection.ts";

export async function auditPage(connection: Connection, subject: string, query: AuditQuery): Promise<AuditPage> {
  const { from, to } = await range(connection, subject, query);
  const terms = termsWanted(query);
  const rows: AuditRow[] = [];
  let read = 0;
  if (from >= to) return { rows };
  for await (const block of blocks(connection, subject, terms, from, to)) {
    if (read++ === BLOCKS_MAX) return { rows, next: (block + 1) * BLOCK };
    const [low, high] = [Math.max(from, block * BLOCK), Math.min(to, (block + 1) * BLOCK)];
    const lines = await connection.rows(
      "SELECT n, body FROM audit_entry WHERE subject_id = $1 AND n >= $2 AND n < $3 ORDER BY n DESC",
      subject,
      low,
      high,
    );
    for (const [n, body] of lines) {
      const row = auditRow(n as number, body as string);
      if (!fits(row, terms, query)) continue;
      if (rows.length === query.limit) return { rows, next: rows.at(-1)!.n };
      rows.push(row);
    }
  }
  return { rows };
}

/**
 * Returns a range of lines that contains all lines in the requested time range. Lines are almost in time order: `late`
 * is the longest time by which a line is older than a line before it. So the range begins at `since` minus `late` and
 * ends at `until` plus `late`. It may contain extra lines, but misses none.
 */
async function range(
  connection: Connection,
  subject: string,
  { since, until, before = Number.MAX_SAFE_INTEGER }: AuditQuery,
): Promise<{ from: number; to: number }> {
  const row = await connection.row("SELECT n, late FROM audit_head WHERE subject_id = $1", subject);
  const [n, late] = (row ?? [0, 0]) as [number, number];
  const end = n + 1;
  return {
    from: since === undefined ? 1 : await boundary(connection, subject, since - late, end),
    to: Math.min(before, until === undefined ? end : await boundary(connection, subject, until + late, end)),
  };
}

/** Finds the first line at or after this time whose predecessor is earlier, or the end if no line qualifies. */
async function boundary(connection: Connection, subject: string, time: number, end: number): Promise<number> {
  let [earlier, found] = [0, end];
  while (found - earlier > 1) {
    const middle = Math.floor((earlier + found) / 2);
    const row = await connection.row(
      "SELECT at FROM audit_entry WHERE subject_id = $1 AND n >= $2 ORDER BY n LIMIT 1",
      subject,
      middle,
    );
    if (((row?.[0] as number | undefined) ?? Number.POSITIVE_INFINITY) >= time) found = middle;
    else earlier = middle;
  }
  return found;
}

async function* blocks(
  connection: Connection,
  subject: string,
  terms: readonly string[],
  from: number,
  to: number,
): AsyncGenerator<number> {
  const [first, last] = [blockOf(from), blockOf(to - 1)];
  if (terms.length === 0) {
    for (let block = last; block >= first; block--) yield block;
    return;
  }
  for (let part = partOf(to - 1); part >= partOf(from); part--) {
    const rows = await connection.rows(
      `SELECT block FROM audit_mark WHERE subject_id = $1 AND part = $2 AND term = ANY ($3::text[]) AND block BETWEEN $4 AND $5
       GROUP BY block HAVING count(*) = $6 ORDER BY block DESC`,
      subject,
      part,
      terms,
      first,
      last,
      terms.length,
    );
    for (const [block] of rows) yield block as number;
  }
}
