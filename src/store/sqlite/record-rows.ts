// Reading record rows: by id, by order, by version, and the feed.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Plan, StoredRow } from "../../core/plan.ts";
import { bornAt } from "../record-birth.ts";
import type { OrderPage, ReadView } from "../store.ts";
import { feedRow, ROW_COLUMNS, storedRow } from "../stored-row.ts";
import { prepareArrays } from "./database.ts";
import { erasFrom } from "./maintenance.ts";

export const rowFrom = (row: unknown[]): StoredRow => storedRow(row, row[2] as StoredRow["ord"]);

type RecordReads = Pick<
  ReadView,
  | "point"
  | "page"
  | "rows"
  | "feed"
  | "newest"
  | "total"
  | "changes"
  | "allChanges"
  | "version"
  | "eras"
  | "recordsFrom"
>;

export function recordReads(database: DatabaseSync): RecordReads {
  const arrays = (sql: string) => prepareArrays(database, sql);
  const all = (statement: ReturnType<typeof arrays>, ...values: SQLInputValue[]) =>
    statement.all(...values) as unknown as unknown[][];

  const version = arrays("SELECT value FROM meta WHERE key = 'version'");
  const eras = arrays("SELECT value FROM meta WHERE key = 'eras'");
  const point = arrays(`SELECT ${ROW_COLUMNS} FROM record WHERE stream_no = ? AND id = ?`);
  const byVersion = arrays(`SELECT ${ROW_COLUMNS} FROM record WHERE version = ? AND stream_no = ?`);
  const feed = arrays(
    `SELECT ${ROW_COLUMNS} FROM record INDEXED BY record_by_version
     WHERE stream_no = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?`,
  );
  const trail = arrays(
    `SELECT trail.version, ${ROW_COLUMNS.replace(/\w+/g, "record.$&")}
     FROM trail JOIN record ON record.stream_no = trail.stream_no AND record.id = trail.id
     WHERE trail.stream_no = ? AND trail.version > ? AND trail.version <= ? ORDER BY trail.version LIMIT ?`,
  );
  const newest = arrays(
    `SELECT ${ROW_COLUMNS} FROM record INDEXED BY record_by_version
     WHERE stream_no = ? AND version < ? ORDER BY version DESC LIMIT ?`,
  );
  const total = arrays("SELECT live, changed_at FROM stream WHERE stream_no = ?");
  // A scan: taking a run back, or finding what is gone, is rare, and an index would cost every ingest.
  const from = (member: string) =>
    arrays(
      `SELECT version, id, origin, history FROM record INDEXED BY record_by_version
       WHERE stream_no = ?1 AND version > ?3 AND version <= ?4 AND data IS NOT NULL AND origin IS NOT NULL
         AND json_extract(origin, '$.${member}') = ?2
       ORDER BY version LIMIT ?5`,
    );
  const fromRun = from("run_id");
  const fromFile = from("file");
  const changes = arrays(
    `SELECT version, stream_no, id, coalesce(born, version), data FROM record INDEXED BY record_by_version
     WHERE stream_no = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?`,
  );
  const allChanges = arrays(
    `SELECT version, stream_no, id, coalesce(born, version), data FROM record
     WHERE version > ? AND version <= ? ORDER BY version LIMIT ?`,
  );
  const pages = orderPages(arrays);

  return {
    version: () => (version.get() as unknown as [number])[0],
    eras: () => erasFrom((eras.get() as unknown as [string] | undefined)?.[0]),
    point(plan, id) {
      const row = point.get(plan.streamNo, id) as unknown as unknown[] | undefined;
      return row && rowFrom(row);
    },
    page: (plan, page) => pages(plan, page),
    rows(plan, versions) {
      const found: StoredRow[] = [];
      for (const wanted of versions) {
        const row = byVersion.get(wanted, plan.streamNo) as unknown as unknown[] | undefined;
        if (row) found.push(rowFrom(row));
      }
      return found;
    },
    feed(plan, after, upTo, limit) {
      const here = all(feed, plan.streamNo, after, upTo, limit).map((row) => ({
        position: row[0] as number,
        row: rowFrom(row),
      }));
      // Who sees everything meets each record at its newest version; only others need the trail.
      if (plan.row.fields === null) return here;
      const before = all(trail, plan.streamNo, after, upTo, limit).map((row) => ({
        position: row[0] as number,
        row: rowFrom(row.slice(1)),
      }));
      if (before.length === 0) return here;
      return [...here, ...before].sort((a, b) => a.position - b.position).slice(0, limit);
    },
    recordsFrom(streamNo, { run_id, file }, { after, upTo, limit }) {
      const [statement, value] = run_id === undefined ? [fromFile, file!] : [fromRun, run_id];
      return all(statement, streamNo, value, after, upTo, limit).map((row) => ({
        version: row[0] as number,
        id: row[1] as string,
        created: bornAt(row[2] as string | null, row[3] as string | null),
      }));
    },
    newest: (plan, before, limit) => all(newest, plan.streamNo, before, limit).map(rowFrom),
    total(plan) {
      const row = total.get(plan.streamNo) as unknown as [number, number | null] | undefined;
      return { live: row?.[0] ?? 0, changedAt: row?.[1] ?? null };
    },
    changes: (streamNo, after, upTo, limit) => all(changes, streamNo, after, upTo, limit).map(feedRow),
    allChanges: (after, upTo, limit) => all(allChanges, after, upTo, limit).map(feedRow),
  };
}

/** Keyset pages over record_by_order. Rows without an ord come last in both directions, so a page may have two parts. */
function orderPages(arrays: (sql: string) => ReturnType<typeof prepareArrays>) {
  const select = (where: string, order: string) =>
    arrays(
      `SELECT ${ROW_COLUMNS} FROM record INDEXED BY record_by_order
       WHERE stream_no = ?1 AND data IS NOT NULL AND ${where} ORDER BY ${order} LIMIT ?2`,
    );
  const window = "ord >= ?3 AND ord < ?4";
  // The index is entered at the position. The window's bound on that side is only checked (+): SQLite would enter there
  // instead, and walk from the window's edge to the page.
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
      `SELECT ${ROW_COLUMNS} FROM record INDEXED BY record_by_id
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
      return (rows as unknown as unknown[][]).map(rowFrom);
    }
    const { first, after: next, nulls, nullsAfter } = descending ? statements.desc : statements.asc;
    const { time } = plan.row;
    // Numbers sort before texts before blobs in SQLite: -Infinity and an empty blob enclose every ord.
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
    return found.map(rowFrom);
  };
}
