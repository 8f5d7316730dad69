// Reads record rows by id, by order and by version, and reads the feed.
import type { Plan, StoredRow } from "../../core/plan.ts";
import { bornAt } from "../record-creation.ts";
import { feedOrder, feedRow, ROW_COLUMNS, storedRow } from "../record-row.ts";
import type { OrderPage, ReadView } from "../store.ts";
import type { ReadConnection } from "./optimistic-read.ts";
import { GREATEST_ORDER, orderFrom, orderText } from "./record-order.ts";

/** Callers that pass versions know their order. Only a time window needs `ord`. */
const WITHOUT_ORD = ROW_COLUMNS.replace(/\bord\b/, "NULL::text");
const OF_RECORD = ROW_COLUMNS.replace(/\w+/g, "record.$&");

export const rowFrom = (row: unknown[]): StoredRow => storedRow(row, orderFrom(row[2] as string | null));

type RecordReads = Pick<
  ReadView,
  "point" | "page" | "rows" | "feed" | "newest" | "total" | "changes" | "allChanges" | "recordsFrom"
>;

export function recordReads(connection: ReadConnection, subject: string): RecordReads {
  return {
    async point(plan, id) {
      const row = await connection.row(
        `SELECT ${ROW_COLUMNS} FROM record WHERE subject_id = $1 AND stream_no = $2 AND id = $3`,
        subject,
        plan.streamNo,
        id,
      );
      return row && rowFrom(row);
    },
    page: (plan, page) =>
      plan.orderField === undefined
        ? pageById(connection, subject, plan, page)
        : pageByOrder(connection, subject, plan, page),
    async rows(plan, versions) {
      const found = await connection.rows(
        `SELECT ${plan.row.time === undefined ? WITHOUT_ORD : ROW_COLUMNS} FROM record
         WHERE subject_id = $1 AND version = ANY ($2::bigint[]) AND stream_no = $3`,
        subject,
        versions,
        plan.streamNo,
      );
      const byVersion = new Map<unknown, unknown[]>();
      for (const row of found) byVersion.set(row[0], row);
      const rows: StoredRow[] = [];
      for (const version of versions) {
        const row = byVersion.get(version);
        if (row !== undefined) rows.push(rowFrom(row));
      }
      return rows;
    },
    async feed(plan, after, upTo, limit, descending = false) {
      const order = descending ? "DESC" : "ASC";
      const here = await connection.rows(
        `SELECT ${ROW_COLUMNS} FROM record
         WHERE subject_id = $1 AND stream_no = $2 AND version > $3 AND version <= $4 ORDER BY version ${order} LIMIT $5`,
        subject,
        plan.streamNo,
        after,
        upTo,
        limit,
      );
      const found = here.map((row) => ({ position: row[0] as number, row: rowFrom(row) }));
      // A reader that sees all fields sees each record at its newest version. Only other readers need the trail.
      if (plan.row.fields === null) return found;
      const before = await connection.rows(
        `SELECT trail.version, ${OF_RECORD}
         FROM trail JOIN record ON record.subject_id = trail.subject_id AND record.stream_no = trail.stream_no AND record.id = trail.id
         WHERE trail.subject_id = $1 AND trail.stream_no = $2 AND trail.version > $3 AND trail.version <= $4
         ORDER BY trail.version ${order} LIMIT $5`,
        subject,
        plan.streamNo,
        after,
        upTo,
        limit,
      );
      if (before.length === 0) return found;
      found.push(...before.map((row) => ({ position: row[0] as number, row: rowFrom(row.slice(1)) })));
      return feedOrder(found, descending).slice(0, limit);
    },
    async newest(plan, { after, before, limit, changed }) {
      const rows = await connection.rows(
        `SELECT ${ROW_COLUMNS} FROM record
         WHERE subject_id = $1 AND stream_no = $2 AND version > $3 AND version < $4 ${changed ? "AND history IS NOT NULL" : ""}
         ORDER BY version DESC LIMIT $5`,
        subject,
        plan.streamNo,
        after,
        before,
        limit,
      );
      return rows.map(rowFrom);
    },
    async total(plan) {
      const row = await connection.row(
        "SELECT live, changed_at FROM stream WHERE subject_id = $1 AND stream_no = $2",
        subject,
        plan.streamNo,
      );
      return {
        live: (row?.[0] as number | undefined) ?? 0,
        changedAt: (row?.[1] as number | null | undefined) ?? null,
      };
    },
    async changes(streamNo, after, upTo, limit) {
      const rows = await connection.rows(
        `SELECT version, stream_no, id, coalesce(born, version), data FROM record
         WHERE subject_id = $1 AND stream_no = $2 AND version > $3 AND version <= $4 ORDER BY version LIMIT $5`,
        subject,
        streamNo,
        after,
        upTo,
        limit,
      );
      return rows.map(feedRow);
    },
    async allChanges(after, upTo, limit) {
      const rows = await connection.rows(
        `SELECT version, stream_no, id, coalesce(born, version), data FROM record
         WHERE subject_id = $1 AND version > $2 AND version <= $3 ORDER BY version LIMIT $4`,
        subject,
        after,
        upTo,
        limit,
      );
      return rows.map(feedRow);
    },
    // This is a table scan, because undoing a run or finding deletions is rare and an index would slow down every
    // ingest. It searches for a JSON field including its quotes, which cannot occur inside a JSON string. PostgreSQL's
    // own JSON does not accept NUL.
    async recordsFrom(streamNo, { run_id, file }, { after, upTo, limit }) {
      const rows = await connection.rows(
        `SELECT version, id, origin, history FROM record
         WHERE subject_id = $1 AND stream_no = $2 AND version > $3 AND version <= $4 AND data IS NOT NULL
           AND position($5 IN origin) > 0 ORDER BY version LIMIT $6`,
        subject,
        streamNo,
        after,
        upTo,
        JSON.stringify(run_id === undefined ? { file } : { run_id }).slice(1, -1),
        limit,
      );
      return rows.map((row) => ({
        version: row[0] as number,
        id: row[1] as string,
        created: bornAt(row[2] as string | null, row[3] as string | null),
      }));
    },
  };
}

async function pageById(
  connection: ReadConnection,
  subject: string,
  plan: Plan,
  page: OrderPage,
): Promise<StoredRow[]> {
  const { descending, after, limit } = page;
  const order = descending ? "DESC" : "ASC";
  const beyond = after === undefined ? "" : `AND id ${descending ? "<" : ">"} $4`;
  const rows = await connection.rows(
    `SELECT ${ROW_COLUMNS} FROM record WHERE subject_id = $1 AND stream_no = $2 AND data IS NOT NULL ${beyond}
     ORDER BY id ${order} LIMIT $3`,
    subject,
    plan.streamNo,
    limit,
    ...(after === undefined ? [] : [after.id]),
  );
  return rows.map(rowFrom);
}

/**
 * Keyset pagination over record_by_order. Rows without an ord come last in both directions, so a page may have two
 * parts.
 */
async function pageByOrder(
  connection: ReadConnection,
  subject: string,
  plan: Plan,
  page: OrderPage,
): Promise<StoredRow[]> {
  const { descending, after, limit } = page;
  const { time } = plan.row;
  const [direction, comparison] = descending ? ["DESC", "<"] : ["ASC", ">"];
  const select = (where: string): string =>
    `SELECT ${ROW_COLUMNS} FROM record WHERE subject_id = $1 AND stream_no = $2 AND data IS NOT NULL AND ${where} LIMIT $3`;
  const found: unknown[][] = [];
  if (after?.ord !== null) {
    const since = time === undefined ? "" : orderText(time.since ?? Number.NEGATIVE_INFINITY);
    const until = time?.until === undefined ? GREATEST_ORDER : orderText(time.until);
    const order = `ORDER BY ord ${direction}, id ${direction}`;
    // When a page continues, its position replaces the window's bound on that side. Otherwise PostgreSQL would enter
    // the index at the bound and scan from there to the page.
    const rows =
      after === undefined
        ? connection.rows(select(`ord >= $4 AND ord < $5 ${order}`), subject, plan.streamNo, limit, since, until)
        : connection.rows(
            select(`ord ${descending ? ">=" : "<"} $4 AND (ord, id) ${comparison} ($5, $6) ${order}`),
            subject,
            plan.streamNo,
            limit,
            descending ? since : until,
            orderText(after.ord),
            after.id,
          );
    found.push(...(await rows));
  }
  // A record without a time is outside every window.
  if (found.length < limit && time === undefined) {
    const rest = limit - found.length;
    const order = `ORDER BY id ${direction}`;
    const rows =
      after?.ord === null
        ? connection.rows(
            select(`ord IS NULL AND id ${comparison} $4 ${order}`),
            subject,
            plan.streamNo,
            rest,
            after.id,
          )
        : connection.rows(select(`ord IS NULL ${order}`), subject, plan.streamNo, rest);
    found.push(...(await rows));
  }
  return found.map(rowFrom);
}
