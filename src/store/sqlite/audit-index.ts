// Searches the audit log in SQL. See ../audit-terms.ts for how.
import type { DatabaseSync } from "node:sqlite";
import { auditRow, BLOCK, BLOCKS_MAX, blockOf, fits, marksOf, partOf, termsWanted } from "../audit-terms.ts";
import type { AuditEntry, AuditPage, AuditQuery, AuditRow } from "../store.ts";

export function auditIndex(database: DatabaseSync) {
  const put = database.prepare("INSERT OR IGNORE INTO mark VALUES (?, ?, ?)");
  const blocksWith = database.prepare(
    `SELECT block FROM mark WHERE part = ? AND term IN (SELECT value FROM json_each(?)) AND block BETWEEN ? AND ?
     GROUP BY block HAVING count(*) = ? ORDER BY block DESC`,
  );
  const lines = database.prepare("SELECT n, body FROM entry WHERE n >= ? AND n < ? ORDER BY n DESC");
  const timeFrom = database.prepare("SELECT at FROM entry WHERE n >= ? ORDER BY n LIMIT 1");
  const head = database.prepare("SELECT n, late FROM head");

  /** Finds the first line at or after this time whose predecessor is earlier, or the end if no line qualifies. */
  function boundary(time: number, end: number): number {
    let [earlier, found] = [0, end];
    while (found - earlier > 1) {
      const middle = Math.floor((earlier + found) / 2);
      const at = (timeFrom.get(middle)?.at as number | undefined) ?? Number.POSITIVE_INFINITY;
      if (at >= time) found = middle;
      else earlier = middle;
    }
    return found;
  }

  /**
   * Returns a range of lines that contains all lines in the requested time range. Lines are almost in time order:
   * `late` is the longest time by which a line is older than a line before it. So the range begins at `since` minus
   * `late` and ends at `until` plus `late`. It may contain extra lines, but misses none.
   */
  function range({ since, until, before = Number.MAX_SAFE_INTEGER }: AuditQuery): { from: number; to: number } {
    const row = head.get();
    const end = ((row?.n as number | undefined) ?? 0) + 1;
    const late = (row?.late as number | undefined) ?? 0;
    return {
      from: since === undefined ? 1 : boundary(since - late, end),
      to: Math.min(before, until === undefined ? end : boundary(until + late, end)),
    };
  }

  function* blocks(terms: readonly string[], from: number, to: number): Generator<number> {
    const [first, last] = [blockOf(from), blockOf(to - 1)];
    if (terms.length === 0) {
      for (let block = last; block >= first; block--) yield block;
      return;
    }
    const wanted = JSON.stringify(terms);
    for (let part = partOf(to - 1); part >= partOf(from); part--) {
      for (const row of blocksWith.all(part, wanted, first, last, terms.length)) yield row.block as number;
    }
  }

  return {
    add(numbered: readonly { n: number; entry: AuditEntry }[]): void {
      for (const { part, term, block } of marksOf(numbered)) put.run(part, term, block);
    },

    list(query: AuditQuery): AuditPage {
      const { from, to } = range(query);
      const terms = termsWanted(query);
      const rows: AuditRow[] = [];
      let read = 0;
      if (from >= to) return { rows };
      for (const block of blocks(terms, from, to)) {
        if (read++ === BLOCKS_MAX) return { rows, next: (block + 1) * BLOCK };
        const [low, high] = [Math.max(from, block * BLOCK), Math.min(to, (block + 1) * BLOCK)];
        for (const line of lines.all(low, high)) {
          const row = auditRow(line.n as number, line.body as string);
          if (!fits(row, terms, query)) continue;
          if (rows.length === query.limit) return { rows, next: rows.at(-1)!.n };
          rows.push(row);
        }
      }
      return { rows };
    },
  };
}
