// Gathering moves the lines that wait in journals into the log, where they are numbered and chained, and ends the
// journals of writers that have exited.
import type { KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { auditChain, follow, GENESIS } from "../audit-chain.ts";
import { holderOf } from "../audit-sums.ts";
import { uncleanStop } from "../audit-unclean-stop.ts";
import type { AuditEntry } from "../store.ts";
import { syncDirectoryNow } from "../sync-directory.ts";
import { auditIndex } from "./audit-index.ts";
import { auditTotals } from "./audit-totals.ts";
import { withTypedErrors } from "./database.ts";
import {
  beganAt,
  isWriterGone,
  JOURNAL_START,
  type JournalPlace,
  type JournalRead,
  listJournals,
  readJournal,
  removeJournal,
  syncJournal,
} from "./journal-files.ts";

type JournalState = "open" | "finished" | "changed";

interface KnownJournal extends JournalPlace {
  state: JournalState;
  /** How many bytes of the journal are on the disk. */
  synced: number;
  /** Everything written to the journal before this time is in the log. */
  gatheredAt: number;
}

interface GatherOptions {
  /** If true, gathered lines are on the disk when this returns, and finished journals are removed. */
  durable: boolean;
}

export function auditGatherer(database: DatabaseSync, folder: string, key: KeyObject, now: () => number) {
  const { link, seal } = auditChain(key);
  const totals = auditTotals(database);
  const index = auditIndex(database);
  const head = database.prepare("SELECT n, hash, newest, late FROM head");
  const moveHead = database.prepare("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?, ?, ?)");
  const insert = database.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)");
  const journals = database.prepare("SELECT name, offset, mark, state, synced, gathered_at FROM journal");
  const put = database.prepare(
    "INSERT OR REPLACE INTO journal (name, offset, mark, state, synced, gathered_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const setState = database.prepare("UPDATE journal SET state = ? WHERE name = ?");
  const allGathered = database.prepare("UPDATE journal SET gathered_at = ? WHERE state = 'open'");
  const forget = database.prepare("DELETE FROM journal WHERE name = ?");

  function transaction<T>(work: () => T, durable = false): T {
    return withTypedErrors(() => {
      if (durable) database.exec("PRAGMA synchronous = FULL");
      try {
        database.exec("BEGIN IMMEDIATE");
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      } finally {
        if (durable) database.exec("PRAGMA synchronous = NORMAL");
      }
    });
  }

  const known = (): Map<string, KnownJournal> =>
    new Map(
      journals
        .all()
        .map(({ name, gathered_at, ...row }) => [
          name as string,
          { ...row, gatheredAt: gathered_at as number } as unknown as KnownJournal,
        ]),
    );

  /**
   * The entry is on the disk when this returns, so that if a power cut destroys the new journal, the log shows that the
   * journal existed.
   */
  function register(name: string): void {
    transaction(() => put.run(name, JOURNAL_START.offset, JOURNAL_START.mark, "open", 0, now()), true);
  }

  function gather({ durable }: GatherOptions): void {
    if (listJournals(folder).length === 0 && (!durable || known().size === 0)) return;
    // Sync before the transaction, so that writers to the log do not wait for the disk.
    const synced = durable ? syncJournals() : new Map<string, number>();
    const done = transaction(() => gatherLines(durable, synced), durable);
    for (const name of done) removeJournal(folder, name);
  }

  function syncJournals(): Map<string, number> {
    const synced = new Map<string, number>();
    const rows = known();
    let isNew = false;
    for (const name of listJournals(folder)) {
      const row = rows.get(name);
      if (row !== undefined && row.state !== "open") continue;
      const size = syncJournal(folder, name);
      if (size === undefined) continue;
      isNew ||= (row?.synced ?? 0) === 0;
      synced.set(name, size);
    }
    if (isNew) syncDirectoryNow(folder);
    return synced;
  }

  /** Returns the journals that are completely in the log and no longer have a writer. */
  function gatherLines(durable: boolean, synced: ReadonlyMap<string, number>): string[] {
    const began = now();
    // List the journals inside the transaction. A journal is created before it is registered, so every registered one
    // is listed.
    const names = new Set(listJournals(folder));
    const rows = known();
    const bodies: string[] = [];
    const done: string[] = [];
    const unclean: number[] = [];
    let changed = false;
    for (const name of names) {
      const row = rows.get(name);
      if (row?.state === "finished" && durable) {
        // Change something, because a commit without changes does not sync.
        setState.run("finished", name);
        done.push(name);
      }
      if (row !== undefined && row.state !== "open") continue;
      const found = look(name, row, durable);
      bodies.push(...found.bodies);
      const { offset, mark } = found.place;
      const onDisk = Math.max(synced.get(name) ?? 0, row?.synced ?? 0);
      if (found.state === "finished") done.push(name);
      if (found.unclean) unclean.push(sinceWhen(name, row, found.bodies, folder));
      if (row !== undefined && found.bodies.length === 0 && found.state === "open" && onDisk === row.synced) continue;
      put.run(name, offset, mark, found.state, onDisk, row?.gatheredAt ?? beganAt(folder, name));
      changed = true;
    }
    for (const [name, row] of durable ? rows : []) {
      if (names.has(name) || row.state === "changed") continue;
      // The journal was on the disk, or its writer still has it open, so someone must have removed it.
      if (row.state === "open" && (row.synced > 0 || !isWriterGone(folder, name, began))) setState.run("changed", name);
      else {
        if (row.state === "open") unclean.push(sinceWhen(name, row, [], folder));
        forget.run(name);
        done.push(name);
      }
    }
    if (unclean.length > 0) bodies.push(JSON.stringify(uncleanStop(Math.min(...unclean), began)));
    if (bodies.length > 0) chain(bodies);
    // Journals that are still open have a live writer, so none of their lines have been lost.
    if (durable && changed) allGathered.run(began);
    return done;
  }

  function look(
    name: string,
    row: KnownJournal | undefined,
    durable: boolean,
  ): JournalRead & { state: JournalState; unclean: boolean } {
    const from = row ?? JOURNAL_START;
    const first = readJournal(folder, name, key, from);
    const fine = first.tail === "whole" || first.tail === "partial";
    if (fine && !first.ended && !durable) return { ...first, state: "open", unclean: false };
    if (!isWriterGone(folder, name, now())) return { ...first, state: fine ? "open" : "changed", unclean: false };
    // The last lines may have been written after the first read.
    const found = readJournal(folder, name, key, from);
    if (found.tail === "changed" || found.size < (row?.synced ?? 0))
      return { ...found, state: "changed", unclean: false };
    // Only durable gathering removes journals. Until then, this one stays.
    return { ...found, state: durable ? "finished" : "open", unclean: durable && !found.ended };
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
      insert.run(n, entry.at, holderOf(entry), body, hash);
      follow(order, entry.at);
    }
    totals.add(entries.map(({ entry }) => entry));
    index.add(entries);
    moveHead.run(n, hash, seal(n, hash), order.newest, order.late);
  }

  return {
    gather,
    register,
    /** Marks the journal as damaged. */
    distrust(name: string): void {
      transaction(() => put.run(name, JOURNAL_START.offset, JOURNAL_START.mark, "changed", 0, now()));
    },
  };
}

/**
 * Returns the time up to which no line can be missing: durable gathering or a later line shows that all lines before it
 * are in the log.
 */
function sinceWhen(name: string, row: KnownJournal | undefined, bodies: readonly string[], folder: string): number {
  const last = bodies.at(-1);
  const gatheredAt = row?.gatheredAt || beganAt(folder, name);
  return last === undefined ? gatheredAt : Math.max(gatheredAt, (JSON.parse(last) as AuditEntry).at);
}
