// The audit log in a file of its own. Entries wait in journals and are gathered here, where they are numbered and chained.
import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { auditChain, follow, GENESIS } from "../audit-chain.ts";
import { addTotal, holderOf, noTotals } from "../audit-sums.ts";
import { auditRow } from "../audit-terms.ts";
import type { AuditEntry, AuditLog } from "../store.ts";
import { auditIndex } from "./audit-index.ts";
import {
  dropJournal,
  isAbandoned,
  JOURNAL_START,
  type JournalPlace,
  JournalWriter,
  listJournals,
  readJournal,
} from "./audit-journal.ts";
import { auditTotals } from "./audit-totals.ts";
import { typedError, withTypedErrors } from "./database.ts";

export interface GatheringAuditLog extends AuditLog {
  gather(): void;
  /** Gathers and removes this log's own journal. */
  close(): void;
}

/** A journal beyond this is gathered and begun anew. */
const JOURNAL_MAX_BYTES = 4 * 1024 * 1024;

export function auditLog(database: DatabaseSync, folder: string, key: KeyObject, now = Date.now): GatheringAuditLog {
  const writer = new JournalWriter(folder, key);
  const statements = prepare(database);
  const totals = auditTotals(database);
  const index = auditIndex(database);
  const { head, pageOfGrant, walk, journals } = statements;

  const { link, seal } = auditChain(key);

  function transaction<T>(begin: "BEGIN" | "BEGIN IMMEDIATE", work: () => T): T {
    return withTypedErrors(() => {
      database.exec(begin);
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  function chain(bodies: readonly string[]): void {
    const end = head.get();
    let n = (end?.n as number | undefined) ?? 0;
    let hash: Uint8Array = (end?.hash as Uint8Array | undefined) ?? GENESIS;
    const order = { newest: (end?.newest as number | undefined) ?? 0, late: (end?.late as number | undefined) ?? 0 };
    const entries = bodies.map((body) => ({ body, entry: JSON.parse(body) as AuditEntry, n: 0 }));
    for (const line of entries.sort((a, b) => a.entry.at - b.entry.at)) {
      const { body, entry } = line;
      line.n = ++n;
      hash = link(hash, n, body);
      statements.insert.run(n, entry.at, holderOf(entry), body, hash);
      follow(order, entry.at);
    }
    totals.add(entries.map(({ entry }) => entry));
    index.add(entries);
    statements.moveHead.run(n, hash, seal(n, hash), order.newest, order.late);
  }

  function gather(closing?: string): void {
    if (listJournals(folder).length === 0) return;
    const finished = transaction("BEGIN IMMEDIATE", () => gatherLines(closing));
    if (finished.length === 0) return;
    // What is on no disk yet must not be taken from the journal.
    withTypedErrors(() => database.exec("PRAGMA wal_checkpoint(PASSIVE)"));
    for (const name of finished) dropJournal(folder, name);
  }

  /** Answers the journals that are wholly in the log and will not grow. */
  function gatherLines(closing: string | undefined): string[] {
    const names = listJournals(folder);
    const known = new Map(journals.all().map((row) => [row.name as string, row]));
    const bodies: string[] = [];
    const finished: string[] = [];
    for (const name of names) {
      const row = known.get(name);
      if (row?.state === "finished") finished.push(name);
      if (row !== undefined && row.state !== "open") continue;
      const place = row === undefined ? JOURNAL_START : ({ offset: row.offset, mark: row.mark } as JournalPlace);
      const found = readJournal(folder, name, key, place);
      if (found === "changed") {
        statements.putJournal.run(name, place.offset, place.mark, "changed");
        continue;
      }
      bodies.push(...found.bodies);
      const over = name === closing || isAbandoned(folder, name, now());
      if (over) finished.push(name);
      if (over || found.bodies.length > 0) {
        statements.putJournal.run(name, found.place.offset, found.place.mark, over ? "finished" : "open");
      }
    }
    if (bodies.length > 0) chain(bodies);
    for (const [name, row] of known) {
      if (row.state !== "changed" && !names.includes(name)) statements.dropJournal.run(name);
    }
    return finished;
  }

  function finishOwn(): void {
    const own = writer.current?.name;
    if (own === undefined) return;
    writer.close();
    gather(own);
  }

  /** The lines are written and somebody will gather them: that the log is busy just now must not fail a read. */
  function finishOwnIfFree(): void {
    try {
      finishOwn();
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== "store_unavailable") throw error;
    }
  }

  return {
    gather: () => gather(),
    append(entries) {
      if (entries.length === 0) return true;
      try {
        writer.append(
          entries.map((entry) => JSON.stringify(entry)),
          now(),
        );
      } catch (error) {
        throw typedError(error);
      }
      if (writer.current!.size > JOURNAL_MAX_BYTES) finishOwnIfFree();
      return true;
    },
    list(query) {
      gather();
      return withTypedErrors(() => index.list(query));
    },
    uses(ids, recent) {
      gather();
      return new Map(
        ids.map((id) => [
          id,
          {
            totals: totals.of(id),
            recent: pageOfGrant.all(id, recent).map((row) => auditRow(row.n as number, row.body as string)),
          },
        ]),
      );
    },
    verify() {
      gather();
      // In one snapshot: others append while this one walks.
      return transaction("BEGIN", () => {
        let n = 0;
        let hash: Uint8Array = GENESIS;
        const sums = noTotals();
        const filed = index.check();
        const order = { newest: 0, late: 0 };
        for (const row of walk.iterate()) {
          n++;
          if (row.n !== n) return { entries: n - 1, brokenAt: n, reason: `entry ${n} is missing` };
          const body = row.body as string;
          hash = link(hash, n, body);
          // Only a body that was not changed is surely JSON.
          const entry = Buffer.from(row.hash as Uint8Array).equals(hash) ? (JSON.parse(body) as AuditEntry) : undefined;
          if (entry === undefined || !isFiled(row, entry)) {
            return { entries: n - 1, brokenAt: n, reason: `entry ${n} was changed` };
          }
          addTotal(sums, entry);
          filed.add(n, entry);
          follow(order, entry.at);
        }
        const end = head.get();
        const whole = end ? end.n === n && Buffer.from(end.seal as Uint8Array).equals(seal(n, hash)) : n === 0;
        if (!whole) return { entries: n, brokenAt: n + 1, reason: "entries are missing at the end" };
        if (!totals.agree(sums)) return { entries: n, brokenAt: n + 1, reason: "the sums by grant were changed" };
        const found = filed.agrees() && (n === 0 || (end!.newest === order.newest && end!.late === order.late));
        if (!found) return { entries: n, brokenAt: n + 1, reason: "what entries are found by was changed" };
        const changed = journals.all().some((row) => row.state === "changed");
        return changed ? { entries: n, brokenAt: n + 1, reason: "entries were changed in a journal" } : { entries: n };
      });
    },
    close() {
      finishOwn();
    },
  };
}

/** Whether the columns that lists go by say what the entry itself says. */
function isFiled(row: Record<string, unknown>, entry: AuditEntry): boolean {
  return row.at === entry.at && row.grant_id === holderOf(entry);
}

function prepare(database: DatabaseSync) {
  return {
    head: database.prepare("SELECT n, hash, seal, newest, late FROM head"),
    moveHead: database.prepare("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?, ?)"),
    insert: database.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)"),
    pageOfGrant: database.prepare("SELECT n, body FROM entry WHERE grant_id = ? ORDER BY n DESC LIMIT ?"),
    walk: database.prepare("SELECT n, grant_id, at, body, hash FROM entry ORDER BY n"),
    journals: database.prepare("SELECT name, offset, mark, state FROM journal"),
    putJournal: database.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)"),
    dropJournal: database.prepare("DELETE FROM journal WHERE name = ?"),
  };
}
