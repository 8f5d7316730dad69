// Totals of the audit log by grant and stream, in SQL. See ../audit-sums.ts.
import type { DatabaseSync } from "node:sqlite";
import { addTotal, sameTotal, type Totals } from "../audit-sums.ts";
import type { AuditEntry, AuditTotal } from "../store.ts";

export function auditTotals(database: DatabaseSync) {
  const columns = "grant_id, connection_id, stream, calls, denied, records, bytes, used_at";
  const put = database.prepare(`INSERT INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls, denied = denied + excluded.denied, records = records + excluded.records,
    bytes = bytes + excluded.bytes, used_at = nullif(max(coalesce(used_at, 0), coalesce(excluded.used_at, 0)), 0)`);
  const of = database.prepare(`SELECT ${columns} FROM total WHERE grant_id = ? ORDER BY connection_id, stream`);
  const all = database.prepare(`SELECT ${columns} FROM total`);
  return {
    add(entries: Iterable<AuditEntry>): void {
      const totals: Totals = new Map();
      for (const entry of entries) addTotal(totals, entry);
      for (const { holder, connectionId, stream, calls, denied, records, bytes, usedAt } of totals.values())
        put.run(holder, connectionId, stream, calls, denied, records, bytes, usedAt);
    },
    of: (holder: string): AuditTotal[] => of.all(holder).map(totalFrom),
    /** True if the stored totals match the log. */
    agree(totals: Totals): boolean {
      const rows = all.all();
      return (
        rows.length === totals.size &&
        rows.every((row) => {
          const total = totals.get(JSON.stringify([row.grant_id, row.connection_id, row.stream]));
          return total !== undefined && sameTotal(total, totalFrom(row));
        })
      );
    },
  };
}

const totalFrom = (row: Record<string, unknown>): AuditTotal => ({
  connectionId: row.connection_id as string,
  stream: row.stream as string,
  calls: row.calls as number,
  denied: row.denied as number,
  records: row.records as number,
  bytes: row.bytes as number,
  usedAt: row.used_at as number | null,
});
