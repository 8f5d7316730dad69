// Verifies the audit log of a home, one slice at a time, so that no other thread waits and this one can handle calls in
// between.
import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import {
  type AuditHead,
  auditWalk,
  type ExpectedMarks,
  REASONS,
  SLICE_ENTRIES,
  type WalkedEntry,
} from "../audit-walk.ts";
import type { AuditVerdict, AuditWalkOptions } from "../store.ts";
import { auditTotals } from "./audit-totals.ts";
import { withTypedErrors } from "./database.ts";

export function auditVerifier(database: DatabaseSync, key: KeyObject) {
  const slice = database.prepare(
    `SELECT n, at, grant_id AS grantId, body, hash FROM entry WHERE n > ? ORDER BY n LIMIT ${SLICE_ENTRIES}`,
  );
  const head = database.prepare("SELECT n, seal, newest, late FROM head");
  const marksIn = database.prepare("SELECT term, block FROM mark WHERE part = ?");
  const marksBeyond = database.prepare("SELECT 1 FROM mark WHERE part < 0 OR part > ? LIMIT 1");
  const changedJournal = database.prepare("SELECT 1 FROM journal WHERE state = 'changed' LIMIT 1");
  const totals = auditTotals(database);

  const entriesAfter = (n: number): WalkedEntry[] =>
    slice.all(n === 0 ? Number.MIN_SAFE_INTEGER : n) as unknown as WalkedEntry[];

  function agree({ part, marks }: ExpectedMarks): boolean {
    const kept = marksIn.all(part);
    return kept.length === marks.size && kept.every(({ term, block }) => marks.has(`${block} ${term}`));
  }

  return async ({ onProgress, signal }: AuditWalkOptions = {}): Promise<AuditVerdict> => {
    const walk = auditWalk(key);
    let filed = true;
    /** Returns the number of entries, or the verdict if one is wrong. */
    const step = (): number | AuditVerdict => {
      const entries = entriesAfter(walk.entries);
      const broken = walk.take(entries);
      for (const part of walk.completeParts()) filed &&= agree(part);
      return broken ?? entries.length;
    };
    for (;;) {
      signal?.throwIfAborted();
      const taken = withTypedErrors(step);
      if (typeof taken === "object") return taken;
      await onProgress?.({
        entries: walk.entries,
        of: Math.max(walk.entries, (head.get()?.n as number | undefined) ?? 0),
      });
      if (taken < SLICE_ENTRIES) break;
      await setImmediate();
    }
    // Check the few entries that arrived in the meantime, and the stored totals, in one snapshot.
    return withTypedErrors(() => {
      database.exec("BEGIN");
      try {
        for (let taken = SLICE_ENTRIES; taken === SLICE_ENTRIES; ) {
          const found = step();
          if (typeof found === "object") return found;
          taken = found;
        }
        const end = head.get() as unknown as AuditHead | undefined;
        if (!walk.endsRight(end)) return walk.broken(REASONS.end);
        if (!totals.agree(walk.sums)) return walk.broken(REASONS.sums);
        const last = walk.lastPart();
        const isFiled = filed && agree(last) && marksBeyond.get(last.part) === undefined && walk.isInOrder(end);
        if (!isFiled) return walk.broken(REASONS.marks);
        return changedJournal.get() === undefined ? walk.whole() : walk.broken(REASONS.journal);
      } finally {
        database.exec("COMMIT");
      }
    });
  };
}
