// Totals of the audit log by grant and stream, in SQL. See ../audit-sums.ts.
import { addTotal, noTotals, sameTotal, type Totals } from "../audit-sums.ts";
import type { AuditEntry, AuditTotal } from "../store.ts";
import type { Connection } from "./connection.ts";

const COLUMNS = "connection_id, stream, calls, denied, records, bytes, used_at";

export async function addTotals(connection: Connection, subject: string, entries: Iterable<AuditEntry>): Promise<void> {
  const totals = noTotals();
  for (const entry of entries) addTotal(totals, entry);
  const rows = [...totals.values()];
  if (rows.length === 0) return;
  await connection.run(
    `INSERT INTO audit_total AS kept (subject_id, grant_id, ${COLUMNS})
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
     ON CONFLICT (subject_id, grant_id, connection_id, stream) DO UPDATE SET
       calls = kept.calls + excluded.calls, denied = kept.denied + excluded.denied,
       records = kept.records + excluded.records, bytes = kept.bytes + excluded.bytes,
       used_at = greatest(kept.used_at, excluded.used_at)`,
    subject,
    rows.map(({ holder }) => holder),
    rows.map(({ connectionId }) => connectionId),
    rows.map(({ stream }) => stream),
    rows.map(({ calls }) => calls),
    rows.map(({ denied }) => denied),
    rows.map(({ records }) => records),
    rows.map(({ bytes }) => bytes),
    rows.map(({ usedAt }) => usedAt),
  );
}

export async function totalsOf(connection: Connection, subject: string, holder: string): Promise<AuditTotal[]> {
  const rows = await connection.rows(
    `SELECT ${COLUMNS} FROM audit_total WHERE subject_id = $1 AND grant_id = $2 ORDER BY connection_id, stream`,
    subject,
    holder,
  );
  return rows.map(totalFrom);
}

/** True if the stored totals match the log. */
export async function totalsAgree(connection: Connection, subject: string, totals: Totals): Promise<boolean> {
  const rows = await connection.rows(`SELECT ${COLUMNS}, grant_id FROM audit_total WHERE subject_id = $1`, subject);
  return (
    rows.length === totals.size &&
    rows.every((row) => {
      const total = totals.get(JSON.stringify([row[7], row[0], row[1]]));
      return total !== undefined && sameTotal(total, totalFrom(row));
    })
  );
}

const totalFrom = (row: unknown[]): AuditTotal => ({
  connectionId: row[0] as string,
  stream: row[1] as string,
  calls: row[2] as number,
  denied: row[3] as number,
  records: row[4] as number,
  bytes: row[5] as number,
  usedAt: row[6] as number | null,
});
