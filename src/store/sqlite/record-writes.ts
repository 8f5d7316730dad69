// Writes a batch of record changes in order. Each change gets the next version, and unchanged records get none.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { differs, moveRecord } from "../record-change.ts";
import { bornAt } from "../record-creation.ts";
import { type BornRow, CHECKED_COLUMNS, recordSum } from "../record-row.ts";
import type { BatchOptions, Change } from "../store.ts";
import { prepareArrays } from "./database.ts";
import { bornIn, rowFrom } from "./record-rows.ts";
import { insertInto, metaValue, sound, sumOf } from "./row-sums.ts";

/**
 * Rows per INSERT. This is the fastest value measured: one row per INSERT is half as fast, and hundreds are no faster.
 */
const CHUNK = 32;

export function recordWrites(database: DatabaseSync) {
  const insertMany = database.prepare(insertSql(CHUNK));
  const insertOne = database.prepare(insertSql(1));
  const findMany = prepareArrays(database, findSql(CHUNK));
  const findOne = prepareArrays(database, findSql(1));
  const move = database.prepare(
    `UPDATE record SET version = ?2, born = ?3, ord = ?4, emitted_at = ?5, ingested_at = ?6, data = ?7, origin = ?8, history = ?9, sum = ?10
     WHERE version = ?1`,
  );
  const addTrail = database.prepare(`INSERT ${insertInto("trail")}`);
  const dropTrail = database.prepare("DELETE FROM trail WHERE stream_no = ? AND version = ?");
  const addUse = database.prepare(`INSERT OR IGNORE ${insertInto("blob_use")}`);
  const dropUses = database.prepare("DELETE FROM blob_use WHERE stream_no = ? AND record_id = ? RETURNING blob_id");
  const readVersion = prepareArrays(database, "SELECT value, sum FROM meta WHERE key = 'version'");
  const writeVersion = database.prepare(
    `UPDATE meta SET value = ?1, sum = ${sumOf("meta", { value: "?1" })} WHERE key = 'version'`,
  );
  const countStream = database.prepare(
    `UPDATE stream SET live = live + ?2, changed_at = ?3, sum = ${sumOf("stream", { live: "live + ?2", changed_at: "?3" })}
     WHERE stream_no = ?1 AND ${sound("stream")}`,
  );

  function apply(streamNo: number, changes: readonly Change[], options: BatchOptions): number {
    let version = metaValue(readVersion.get(), "version") as number;
    let live = 0;
    let changed = 0;
    const fresh: Change[] = [];
    const pending = new Set<string>();
    const stale = new Set<string>();

    function insertFresh(): void {
      for (let start = 0; start < fresh.length; ) {
        const size = fresh.length - start >= CHUNK ? CHUNK : 1;
        const values: SQLInputValue[] = [];
        for (const change of fresh.slice(start, start + size)) {
          version++;
          values.push(
            version,
            streamNo,
            change.id,
            change.ord,
            change.emittedAt,
            options.now,
            change.data,
            change.origin,
            sumNew(streamNo, change, version, options.now),
          );
        }
        (size === CHUNK ? insertMany : insertOne).run(...values);
        start += size;
      }
      for (const change of fresh) useBlobs(streamNo, change);
      live += fresh.length;
      changed += fresh.length;
      for (const id of pending) stale.add(id);
      fresh.length = 0;
      pending.clear();
    }

    function useBlobs(stream: number, change: Change): void {
      for (const { blobId, field } of change.blobs) addUse.run(blobId, stream, change.id, field);
    }

    function changeExisting(row: BornRow, change: Change): void {
      version++;
      changed++;
      if (row.data === null) live++;
      if (change.data === null) live--;
      const { history, dropped, leavesTrail } = moveRecord(row, change, version, options);
      const historyText = JSON.stringify(history);
      for (const position of dropped) dropTrail.run(streamNo, position);
      if (leavesTrail) addTrail.run(streamNo, row.version, row.id);
      move.run(
        row.version,
        version,
        row.born,
        change.ord,
        change.emittedAt,
        options.now,
        change.data,
        change.origin,
        historyText,
        recordSum(
          version,
          streamNo,
          row.id,
          change.ord,
          row.born,
          change.emittedAt,
          options.now,
          change.data,
          change.origin,
          historyText,
        ),
      );
      for (const { blob_id } of dropUses.all(streamNo, row.id)) options.onReleased?.(blob_id as string);
      useBlobs(streamNo, change);
    }

    for (let start = 0; start < changes.length; start += CHUNK) {
      const chunk = changes.slice(start, start + CHUNK);
      const known = existing(streamNo, chunk);
      for (const [index, change] of chunk.entries()) {
        // If an id occurs twice in one chunk, the second change starts from the result of the first.
        if (pending.has(change.id)) insertFresh();
        if (stale.delete(change.id)) known.set(change.id, existing(streamNo, [change]).get(change.id)!);
        const row = known.get(change.id);
        if (row === undefined) {
          if (change.data === null) continue;
          fresh.push(change);
          pending.add(change.id);
          options.onOutcome?.(start + index, "created");
        } else if (differs(row, change, options.appendOnly)) {
          // Versions follow input order, even if new and changed records alternate.
          insertFresh();
          changeExisting(row, change);
          stale.add(change.id);
          options.onOutcome?.(start + index, row.data === null ? "created" : "changed");
        } else if (change.data !== null) {
          const { data, origin, history } = row;
          options.onSame?.(start + index, { data: data!, origin, created: bornAt(origin, history) });
        }
      }
      insertFresh();
      stale.clear();
    }
    if (changed > 0) {
      writeVersion.run(version);
      countStream.run(streamNo, live, options.now);
    }
    return changed;
  }

  function existing(streamNo: number, chunk: readonly Change[]): Map<string, BornRow> {
    const found =
      chunk.length === CHUNK
        ? findMany.all(streamNo, ...chunk.map((change) => change.id))
        : chunk.flatMap((change) => findOne.all(streamNo, change.id));
    return new Map(
      (found as unknown as unknown[][]).map((row) => [
        row[1] as string,
        { ...rowFrom(row, streamNo), born: bornIn(row) },
      ]),
    );
  }

  return { apply };
}

const sumNew = (streamNo: number, { id, ord, emittedAt, data, origin }: Change, version: number, now: number): number =>
  recordSum(version, streamNo, id, ord, null, emittedAt, now, data, origin, null);

/**
 * Uses OR FAIL, because any failure rolls back the whole write. By default SQLite would copy every page that an INSERT
 * changes, just to be able to undo that INSERT.
 */
function insertSql(rows: number): string {
  const values = Array(rows).fill("(?, ?, ?, ?, ?, ?, ?, ?, ?)").join(", ");
  return `INSERT OR FAIL INTO record (version, stream_no, id, ord, emitted_at, ingested_at, data, origin, sum) VALUES ${values}`;
}

function findSql(ids: number): string {
  return `SELECT ${CHECKED_COLUMNS}
    FROM record WHERE stream_no = ? AND id IN (${Array(ids).fill("?").join(", ")})`;
}
