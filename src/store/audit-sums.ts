// Totals of the audit log by grant and stream. They are updated as the log grows, so that an app's usage is known
// without reading a million lines.
import { countOfLine } from "../core/audit-count.ts";
import type { AuditEntry, AuditTotal } from "./store.ts";

/** The key of lists and totals: the grant, or the package if no single grant was used. */
export const holderOf = ({ grant_id, grant_package_id }: AuditEntry): string | null =>
  grant_id ?? grant_package_id ?? null;

export type Totals = Map<string, AuditTotal & { holder: string }>;

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

export const noTotals = (): Totals => new Map();

export const sameTotal = (a: AuditTotal, b: AuditTotal): boolean =>
  a.calls === b.calls &&
  a.denied === b.denied &&
  a.records === b.records &&
  a.bytes === b.bytes &&
  a.usedAt === b.usedAt;
