// Reads record rows by id, by order and by version, and reads the feed.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Plan, StoredRow } from "../../core/plan.ts";
import { damaged } from "../damage.ts";
import { bornAt } from "../record-creation.ts";
import { CHECKED_COLUMNS, feedOrder, storedRow } from "../record-row.ts";
import type { FeedRow, OrderPage, ReadView } from "../store.ts";
import { prepareArrays } from "./database.ts";
import { rowIndexes, streamIndexes } from "./record-indexes.ts";
import { compare, requireOrder } from "./row-order.ts";
import { requireRecord, sound } from "./row-sums.ts";

/** The columns for reading rows of several streams. */
const WITH_STREAM = `${CHECKED_COLUMNS}, stream_no`;
/** Counts the records of all streams between two versions, according to an index. */
const COUNT_BETWEEN = `SELECT count(*) FROM stream CROSS JOIN record INDEXED BY record_by_version
  ON record.stream_no = stream.stream_no AND record.version > ? AND record.version <= ?`;

/** Throws `store_damaged` if the row is not as it was written, or if an index led to it by mistake. */
export function rowFrom(row: unknown[], streamNo: number): StoredRow {
  requireRecord(row, streamNo);
  return storedRow(row, row[2] as StoredRow["ord"]);
}

/** Returns the first version of the record. */
export const bornIn = (row: unknown[]): number => (row[8] ?? row[0]) as number;

function feedRowFrom(row: unknown[], streamNo = row[10] as number): FeedRow {
  requireRecord(row, streamNo);
  return {
    version: row[0] as number,
    streamNo,
    id: row[1] as string,
    born: bornIn(row),
    data: row[5] as string | null,
  };
}

type RecordReads = Pick<
  ReadView,
  "point" | "page" | "rows" | "feed" | "newest" | "total" | "changes" | "allChanges" | "liveRows" | "recordsFrom"
>;

export function recordReads(database: DatabaseSync): RecordReads {
  const arrays = (sql: string) => prepareArrays(database, sql);
  const all = (statement: ReturnType<typeof arrays>, ...values: SQLInputValue[]) =>
    statement.all(...values) as unknown as unknown[][];

  const point = arrays(`SELECT ${CHECKED_COLUMNS} FROM record WHERE stream_no = ? AND id = ?`);
  const before = arrays(
    `SELECT ${WITH_STREAM} FROM record INDEXED BY record_by_id
     WHERE (stream_no, id) < (?, ?) ORDER BY stream_no DESC, id DESC LIMIT 1`,
  );
  const behind = arrays(
    `SELECT ${WITH_STREAM} FROM record INDEXED BY record_by_id
     WHERE (stream_no, id) > (?, ?) ORDER BY stream_no, id LIMIT 1`,
  );
  const byVersion = arrays(`SELECT ${CHECKED_COLUMNS} FROM record WHERE version = ? AND stream_no = ?`);
  const feedIn = (order: "ASC" | "DESC") => ({
    feed: arrays(
      `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY record_by_version
       WHERE stream_no = ? AND version > ? AND version <= ? ORDER BY version ${order} LIMIT ?`,
    ),
    trail: arrays(
      `SELECT trail.version, ${CHECKED_COLUMNS.replace(/\w+/g, "record.$&")}
       FROM trail JOIN record ON record.stream_no = trail.stream_no AND record.id = trail.id
       WHERE trail.stream_no = ? AND trail.version > ? AND trail.version <= ? AND ${sound("trail")}
       ORDER BY trail.version ${order} LIMIT ?`,
    ),
  });
  const [oldestFirst, newestFirst] = [feedIn("ASC"), feedIn("DESC")];
  const newest = (index: string, where: string) =>
    arrays(
      `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY ${index}
       WHERE stream_no = ? AND version > ? AND version < ? ${where} ORDER BY version DESC LIMIT ?`,
    );
  const newestOfAll = newest("record_by_version", "");
  const newestChanged = newest("record_by_change", "AND history IS NOT NULL");
  const total = arrays(`SELECT live, changed_at FROM stream WHERE stream_no = ? AND ${sound("stream")}`);
  // This is a table scan, because undoing a run or finding deletions is rare and an index would slow down every ingest.
  const from = (member: string) =>
    arrays(
      `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY record_by_version
       WHERE stream_no = ?1 AND version > ?3 AND version <= ?4 AND data IS NOT NULL AND origin IS NOT NULL
         AND json_extract(origin, '$.${member}') = ?2
       ORDER BY version LIMIT ?5`,
    );
  const fromRun = from("run_id");
  const fromFile = from("file");
  const changes = arrays(
    `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY record_by_version
     WHERE stream_no = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?`,
  );
  const allChanges = arrays(
    `SELECT ${WITH_STREAM} FROM record
     WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`,
  );
  const countBetween = arrays(COUNT_BETWEEN);
  const pages = orderPages(arrays);
  const indexes = streamIndexes(database);

  /** A damaged index entry can mislead a lookup, which then ends next to that entry. So check both neighbours. */
  function requireNeighbours(streamNo: number, id: string): void {
    for (const [statement, side] of [
      [before, -1],
      [behind, 1],
    ] as const) {
      const row = statement.get(streamNo, id) as unknown as unknown[] | undefined;
      if (row === undefined) continue;
      requireRecord(row, row[10] as number);
      if ((compare(row[10], streamNo) || compare(row[1], id)) !== side)
        throw damaged("an index entry has a different id than its record");
    }
  }

  let isTrailChecked = false;
  /** A trail row that cannot be found would hide a change. */
  function checkTrail(): void {
    if (isTrailChecked) return;
    const [found] = database.prepare("PRAGMA quick_check('trail')").all();
    if (found?.quick_check !== "ok") throw damaged(String(found?.quick_check ?? "the table trail is missing"));
    isTrailChecked = true;
  }

  return {
    point(plan, id) {
      const row = point.get(plan.streamNo, id) as unknown as unknown[] | undefined;
      if (row !== undefined) return rowFrom(row, plan.streamNo);
      indexes.checkAtFirstRead(plan.streamNo, "byId");
      requireNeighbours(plan.streamNo, id);
      return undefined;
    },
    page(plan, page) {
      indexes.checkAtFirstRead(plan.streamNo, plan.orderField === undefined ? "byId" : "byOrder");
      return pages(plan, page);
    },
    rows(plan, versions) {
      const found: StoredRow[] = [];
      for (const wanted of versions) {
        const row = byVersion.get(wanted, plan.streamNo) as unknown as unknown[] | undefined;
        // The caller has read this version in the same snapshot, so it must exist.
        if (row === undefined) throw damaged("a record cannot be found by its version");
        found.push(rowFrom(row, plan.streamNo));
      }
      return found;
    },
    feed(plan, after, upTo, limit, descending = false) {
      indexes.checkAtFirstRead(plan.streamNo, "byVersion");
      const { feed, trail } = descending ? newestFirst : oldestFirst;
      const here = all(feed, plan.streamNo, after, upTo, limit).map((row) => ({
        position: row[0] as number,
        row: rowFrom(row, plan.streamNo),
      }));
      // A reader that sees all fields sees each record at its newest version. Only other readers need the trail.
      if (plan.row.fields === null) return here;
      checkTrail();
      const before = all(trail, plan.streamNo, after, upTo, limit).map((row) => ({
        position: row[0] as number,
        row: rowFrom(row.slice(1), plan.streamNo),
      }));
      if (before.length === 0) return here;
      return feedOrder([...here, ...before], descending).slice(0, limit);
    },
    recordsFrom(streamNo, { run_id, file }, { after, upTo, limit }) {
      indexes.checkAtFirstRead(streamNo, "byVersion");
      const [statement, value] = run_id === undefined ? [fromFile, file!] : [fromRun, run_id];
      return all(statement, streamNo, value, after, upTo, limit).map((found) => {
        const { version: at, id, origin, history } = rowFrom(found, streamNo);
        return { version: at, id, created: bornAt(origin, history) };
      });
    },
    newest(plan, { after, before, limit, changed }) {
      indexes.checkAtFirstRead(plan.streamNo, "byVersion");
      const statement = changed ? newestChanged : newestOfAll;
      return all(statement, plan.streamNo, after, before, limit).map((row) => rowFrom(row, plan.streamNo));
    },
    total(plan) {
      const row = total.get(plan.streamNo) as unknown as [number, number | null] | undefined;
      return { live: row?.[0] ?? 0, changedAt: row?.[1] ?? null };
    },
    changes(streamNo, after, upTo, limit) {
      indexes.checkAtFirstRead(streamNo, "byVersion");
      return all(changes, streamNo, after, upTo, limit).map((row) => feedRowFrom(row, streamNo));
    },
    allChanges(after, upTo, limit) {
      const rows = all(allChanges, after, upTo, limit).map((row) => feedRowFrom(row));
      // Compare the count with a second index, so that a damaged page cannot hide any record.
      const last = rows.length < limit ? upTo : rows.at(-1)!.version;
      const [counted] = countBetween.get(after, last) as unknown as [number];
      if (counted !== rows.length) throw damaged("records are missing in the feed");
      return rows;
    },
    liveRows: (streamNo) => (total.get(streamNo) as unknown as [number] | undefined)?.[0] ?? 0,
  };
}

/** Reads and checks the newest record. */
export function newestRecord(database: DatabaseSync): () => void {
  const newest = prepareArrays(database, `SELECT ${WITH_STREAM} FROM record ORDER BY version DESC LIMIT 1`);
  return () => {
    const row = newest.get() as unknown as unknown[] | undefined;
    if (row !== undefined) requireRecord(row, row[10] as number);
  };
}

/**
 * Checks the records after a version, and returns the last version that it read, or undefined if there are no more.
 * Call it in a transaction.
 */
export function checkedVersions(database: DatabaseSync): (after: number, limit: number) => number | undefined {
  const next = prepareArrays(database, `SELECT ${WITH_STREAM} FROM record WHERE version > ? ORDER BY version LIMIT ?`);
  const countBetween = prepareArrays(database, COUNT_BETWEEN);
  const requireIndexed = rowIndexes(database);
  return (after, limit) => {
    const rows = next.all(after, limit) as unknown as unknown[][];
    for (const [at, row] of rows.entries()) {
      if ((row[0] as number) <= ((rows[at - 1]?.[0] ?? after) as number)) throw damaged("records are out of order");
      requireRecord(row, row[10] as number);
      requireIndexed(row, row[10] as number);
    }
    const last = rows.length < limit ? Number.MAX_SAFE_INTEGER : rows.at(-1)![0];
    const [counted] = countBetween.get(after, last as number) as unknown as [number];
    if (counted !== rows.length) throw damaged("an index has records that cannot be found");
    return rows.length < limit ? undefined : (last as number);
  };
}

function checkedPage(rows: unknown[][], streamNo: number, descending: boolean, byOrd: boolean): StoredRow[] {
  requireOrder(rows, descending, byOrd);
  return rows.map((row) => rowFrom(row, streamNo));
}

/**
 * Keyset pagination over record_by_order. Rows without an ord come last in both directions, so a page may have two
 * parts.
 */
function orderPages(arrays: (sql: string) => ReturnType<typeof prepareArrays>) {
  const select = (where: string, order: string) =>
    arrays(
      `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY record_by_order
       WHERE stream_no = ?1 AND data IS NOT NULL AND ${where} ORDER BY ${order} LIMIT ?2`,
    );
  const window = "ord >= ?3 AND ord < ?4";
  // Enter the index at the position, and only check the window's bound on that side (+). Otherwise SQLite would enter
  // at the bound and scan from there to the page.
  const statements = {
    desc: {
      first: select(window, "ord DESC, id DESC"),
      after: select("ord >= ?3 AND +ord < ?4 AND (ord, id) < (?5, ?6)", "ord DESC, id DESC"),
      nulls: select("ord IS NULL", "id DESC"),
      nullsAfter: select("ord IS NULL AND id < ?3", "id DESC"),
    },
    asc: {
      first: select(window, "ord, id"),
      after: select("+ord >= ?3 AND ord < ?4 AND (ord, id) > (?5, ?6)", "ord, id"),
      nulls: select("ord IS NULL", "id"),
      nullsAfter: select("ord IS NULL AND id > ?3", "id"),
    },
  };
  const byId = (comparison: string, order: string) =>
    arrays(
      `SELECT ${CHECKED_COLUMNS} FROM record INDEXED BY record_by_id
       WHERE stream_no = ?1 AND data IS NOT NULL AND ${comparison} ORDER BY id ${order} LIMIT ?2`,
    );
  const ids = {
    desc: { first: byId("true", "DESC"), after: byId("id < ?3", "DESC") },
    asc: { first: byId("true", "ASC"), after: byId("id > ?3", "ASC") },
  };
  return (plan: Plan, { descending, after, limit }: OrderPage): StoredRow[] => {
    if (plan.orderField === undefined) {
      const { first, after: next } = descending ? ids.desc : ids.asc;
      const rows = after === undefined ? first.all(plan.streamNo, limit) : next.all(plan.streamNo, limit, after.id);
      return checkedPage(rows as unknown as unknown[][], plan.streamNo, descending, false);
    }
    const { first, after: next, nulls, nullsAfter } = descending ? statements.desc : statements.asc;
    const { time } = plan.row;
    // In SQLite, numbers sort before texts and texts before blobs, so -Infinity and an empty blob enclose every ord.
    const since = time?.since ?? Number.NEGATIVE_INFINITY;
    const until = time?.until ?? new Uint8Array(0);
    const found: unknown[][] = [];
    if (after === undefined) {
      found.push(...(first.all(plan.streamNo, limit, since, until) as unknown as unknown[][]));
    } else if (after.ord !== null) {
      found.push(...(next.all(plan.streamNo, limit, since, until, after.ord, after.id) as unknown as unknown[][]));
    }
    // A record without a time is outside every window.
    if (found.length < limit && time === undefined) {
      const rest = limit - found.length;
      const more = after?.ord === null ? nullsAfter.all(plan.streamNo, rest, after.id) : nulls.all(plan.streamNo, rest);
      found.push(...(more as unknown as unknown[][]));
    }
    return checkedPage(found, plan.streamNo, descending, true);
  };
}
