// Verifies an owner's audit log in the database, one slice at a time, without keeping a connection between slices.
import type { KeyObject } from "node:crypto";
import {
  type AuditHead,
  auditWalk,
  type ExpectedMarks,
  REASONS,
  SLICE_ENTRIES,
  type WalkedEntry,
} from "../audit-walk.ts";
import type { AuditVerdict, AuditWalkOptions } from "../store.ts";
import { totalsAgree } from "./audit-totals.ts";
import { type Connection, type Database, transaction } from "./connection.ts";

/** A position before every entry, even one that someone inserted before the first. */
const START = Number.MIN_SAFE_INTEGER;

type StoredHead = Omit<AuditHead, "seal"> & { seal: Uint8Array | undefined };

export function auditVerifier(
  database: Database,
  subject: string,
  key: KeyObject,
  head: (connection: Connection) => Promise<StoredHead>,
) {
  async function entriesAfter(connection: Connection, n: number): Promise<WalkedEntry[]> {
    const rows = await connection.rows(
      `SELECT n, at, grant_id, body, encode(hash, 'hex') FROM audit_entry WHERE subject_id = $1 AND n > $2
       ORDER BY n LIMIT ${SLICE_ENTRIES}`,
      subject,
      n === 0 ? START : n,
    );
    return (rows as [number, number, string | null, string, string][]).map(([number, at, grantId, body, hash]) => ({
      n: number,
      at,
      grantId,
      body,
      hash: Buffer.from(hash, "hex"),
    }));
  }

  async function agree(connection: Connection, { part, marks }: ExpectedMarks): Promise<boolean> {
    const kept = await connection.rows(
      "SELECT term, block FROM audit_mark WHERE subject_id = $1 AND part = $2",
      subject,
      part,
    );
    return kept.length === marks.size && kept.every(([term, block]) => marks.has(`${block} ${term}`));
  }

  return async ({ onProgress, signal }: AuditWalkOptions = {}): Promise<AuditVerdict> => {
    const walk = auditWalk(key);
    let filed = true;
    /** Returns the number of entries, or the verdict if one is wrong. */
    const step = async (connection: Connection): Promise<number | AuditVerdict> => {
      const entries = await entriesAfter(connection, walk.entries);
      const broken = walk.take(entries);
      for (const part of walk.completeParts()) filed &&= await agree(connection, part);
      return broken ?? entries.length;
    };
    for (;;) {
      signal?.throwIfAborted();
      const { taken, of } = await database.session(async (connection) => ({
        taken: await step(connection),
        of: (await head(connection)).n,
      }));
      if (typeof taken === "object") return taken;
      await onProgress?.({ entries: walk.entries, of: Math.max(walk.entries, of) });
      if (taken < SLICE_ENTRIES) break;
    }
    // Check the few entries that arrived in the meantime, and the stored totals, in one snapshot.
    const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    return database.session((connection) => transaction(connection, begin, () => finish(connection)));

    async function finish(connection: Connection): Promise<AuditVerdict> {
      for (let taken = SLICE_ENTRIES; taken === SLICE_ENTRIES; ) {
        const found = await step(connection);
        if (typeof found === "object") return found;
        taken = found;
      }
      const { seal, ...stored } = await head(connection);
      const end = seal === undefined ? undefined : { ...stored, seal };
      if (!walk.endsRight(end)) return walk.broken(REASONS.end);
      if (!(await totalsAgree(connection, subject, walk.sums))) return walk.broken(REASONS.sums);
      const last = walk.lastPart();
      const beyond = await connection.row(
        "SELECT 1 FROM audit_mark WHERE subject_id = $1 AND (part < 0 OR part > $2) LIMIT 1",
        subject,
        last.part,
      );
      const isFiled = filed && (await agree(connection, last)) && beyond === undefined && walk.isInOrder(end);
      if (!isFiled) return walk.broken(REASONS.marks);
      const changed = await connection.row(
        "SELECT 1 FROM audit_journal WHERE subject_id = $1 AND changed LIMIT 1",
        subject,
      );
      return changed === undefined ? walk.whole() : walk.broken(REASONS.journal);
    }
  };
}
