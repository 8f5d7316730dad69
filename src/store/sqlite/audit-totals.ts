// Sums of the audit log by grant and stream, kept as the log grows, so that what an app read is known without walking a million lines.
import type { DatabaseSync } from "node:sqlite";
import { countOfLine } from "../../core/audit-count.ts";
import type { AuditEntry, AuditTotal } from "../store.ts";

/** What lists and totals go by: the grant, or the package where no one grant was used. */
export const holderOf = ({ grant_id, grant_package_id }: AuditEntry): string | null =>
  grant_id ?? grant_package_id ?? null;

type Totals = Map<string, AuditTotal & { holder: string }>;

export function addTotal(totals: Totals, entry: AuditEntry): void {
  const holder = holderOf(entry);
  if (holder === null) return;
  const { connection_id: connectionId = "", stream = "" } = entry;
  const key = JSON.stringify([holder, connectionId, stream]);
  let total = totals.get(key);
  if (total === undefined) {
    total = { holder, connectionId, stream, calls: 0, denied: 0, records: 0, bytes: 0, usedAt: null };
    totals.set(key, total);
  }
  const { calls, denied, records, bytes } = countOfLine(entry);
  total.calls += calls;
  total.denied += denied;
  total.records += records;
  total.bytes += bytes;
  if (entry.outcome === "ok") total.usedAt = Math.max(total.usedAt ?? 0, entry.at);
}

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
    /** Whether the sums kept are those of the log. */
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

export const noTotals = (): Totals => new Map();

const totalFrom = (row: Record<string, unknown>): AuditTotal => ({
  connectionId: row.connection_id as string,
  stream: row.stream as string,
  calls: row.calls as number,
  denied: row.denied as number,
  records: row.records as number,
  bytes: row.bytes as number,
  usedAt: row.used_at as number | null,
});

const sameTotal = (a: AuditTotal, b: AuditTotal): boolean =>
  a.calls === b.calls &&
  a.denied === b.denied &&
  a.records === b.records &&
  a.bytes === b.bytes &&
  a.usedAt === b.usedAt;
