// Checks that the record indexes lead to every record. A damaged index page can hide records that are intact
// themselves.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { damaged } from "../damage.ts";
import { prepareArrays } from "./database.ts";
import { compare, compareOrd } from "./row-order.ts";
import { sound } from "./row-sums.ts";

/**
 * How many entries are compared at a time. A check needs memory for only one chunk, regardless of the size of the
 * stream.
 */
const CHUNK = 5000;

export type RecordIndex = "byOrder" | "byId" | "byVersion";

export interface StreamIndexes {
  /**
   * Throws `store_damaged` if an index lacks a record of a stream or has entries out of order. Each index of a stream
   * is checked once, before a connection first reads it, which takes 0.2 to 0.35 s of CPU time for a million records
   * (0028). Call it in a transaction.
   */
  checkAtFirstRead(streamNo: number, index: RecordIndex): void;
}

export function streamIndexes(database: DatabaseSync): StreamIndexes {
  const live = prepareArrays(database, `SELECT live FROM stream WHERE stream_no = ? AND ${sound("stream")}`);
  const count = (index: string) =>
    prepareArrays(database, `SELECT count(*) FROM record INDEXED BY ${index} WHERE stream_no = ?`);
  // The indexes by id and by version contain all records, including deleted ones, so each shows how many the other must
  // have.
  const expected = { byOrder: live, byId: count("record_by_version"), byVersion: count("record_by_id") };
  const walks = indexWalks(database);
  const checked = { byOrder: new Set<number>(), byId: new Set<number>(), byVersion: new Set<number>() };
  return {
    checkAtFirstRead(streamNo, index) {
      if (checked[index].has(streamNo)) return;
      const [wanted] = (expected[index].get(streamNo) as unknown as [number] | undefined) ?? [0];
      if (walks[index](streamNo) !== wanted) throw damaged("an index lacks records of a stream");
      checked[index].add(streamNo);
    },
  };
}

/** Each function reads all entries of a stream in one index, and returns how many there are. */
function indexWalks(database: DatabaseSync): Record<RecordIndex, (streamNo: number) => number> {
  const entries = (columns: string, index: string, where: string, order: string) =>
    prepareArrays(
      database,
      `SELECT ${columns} FROM record INDEXED BY ${index} WHERE stream_no = ? ${where} ORDER BY ${order} LIMIT ${CHUNK}`,
    );
  const isLive = "AND data IS NOT NULL";
  const untimed = entries("ord, id", "record_by_order", `${isLive} AND ord IS NULL`, "id");
  const untimedAfter = entries("ord, id", "record_by_order", `${isLive} AND ord IS NULL AND id > ?`, "id");
  const timed = entries("ord, id", "record_by_order", `${isLive} AND ord IS NOT NULL`, "ord, id");
  const timedAfter = entries("ord, id", "record_by_order", `${isLive} AND (ord, id) > (?, ?)`, "ord, id");
  const ids = entries("id", "record_by_id", "", "id");
  const idsAfter = entries("id", "record_by_id", "AND id > ?", "id");
  const versions = entries("version", "record_by_version", "", "version");
  const versionsAfter = entries("version", "record_by_version", "AND version > ?", "version");
  return {
    byOrder: (streamNo) =>
      walk(streamNo, untimed, untimedAfter, ([, id]) => [id!]) + walk(streamNo, timed, timedAfter, (last) => last),
    byId: (streamNo) => walk(streamNo, ids, idsAfter, (last) => last),
    byVersion: (streamNo) => walk(streamNo, versions, versionsAfter, (last) => last),
  };
}

function walk(
  streamNo: number,
  first: StatementSync,
  next: StatementSync,
  positionOf: (entry: SQLInputValue[]) => SQLInputValue[],
): number {
  let counted = 0;
  let found = first.all(streamNo) as unknown as SQLInputValue[][];
  for (;;) {
    for (let at = 1; at < found.length; at++) requireStep(found[at - 1]!, found[at]!);
    counted += found.length;
    const last = found.at(-1);
    if (last === undefined || found.length < CHUNK) return counted;
    found = next.all(streamNo, ...positionOf(last)) as unknown as SQLInputValue[][];
    if (found.length > 0) requireStep(last, found[0]!);
  }
}

function requireStep(one: readonly unknown[], next: readonly unknown[]): void {
  const step =
    one.length === 1 ? compare(one[0], next[0]) : compareOrd(one[0], next[0], true) || compare(one[1], next[1]);
  if (step >= 0) throw damaged("an index has its entries out of order");
}

/** Throws `store_damaged` unless every index has an entry for the row, which has the form of CHECKED_COLUMNS. */
export function rowIndexes(database: DatabaseSync): (row: readonly unknown[], streamNo: number) => void {
  const find = (index: string, where: string) =>
    prepareArrays(
      database,
      `SELECT 1 FROM record INDEXED BY ${index} WHERE stream_no = ?1 AND version = ?2 AND ${where}`,
    );
  const byId = find("record_by_id", "id = ?3");
  const byVersion = find("record_by_version", "1");
  const byOrder = find("record_by_order", "id = ?3 AND ord IS ?4 AND data IS NOT NULL");
  const byChange = find("record_by_change", "history IS NOT NULL");
  return (row, streamNo) => {
    const [version, id, ord, , , data, , history] = row as [
      number,
      string,
      string | number | null,
      unknown,
      unknown,
      string | null,
      unknown,
      string | null,
    ];
    const isFound =
      byId.get(streamNo, version, id) !== undefined &&
      byVersion.get(streamNo, version) !== undefined &&
      (data === null || byOrder.get(streamNo, version, id, ord) !== undefined) &&
      (history === null || byChange.get(streamNo, version) !== undefined);
    if (!isFound) throw damaged("an index does not lead to a record");
  };
}
