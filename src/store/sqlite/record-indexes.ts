// Whether the indexes of records lead to every record: a damaged page of an index can hide records that are whole themselves.
import type { DatabaseSync } from "node:sqlite";
import { damaged } from "../damage.ts";
import { prepareArrays } from "./database.ts";
import { compare, compareOrd } from "./row-order.ts";
import { sound } from "./row-sums.ts";

/** Streams of up to this many records are checked before they are first read: 0.1 s at most. Larger ones wait for the sweep. */
const FIRST_READ_ROWS = 100_000;

export interface StreamIndexes {
  /** Throws `store_damaged` when an index of a stream misses an entry; of a small stream also when entries are out of order. */
  check(streamNo: number): void;
  /** The same for a small stream, once. */
  checkAtFirstRead(streamNo: number): void;
}

export function streamIndexes(database: DatabaseSync): StreamIndexes {
  const live = prepareArrays(database, `SELECT live FROM stream WHERE stream_no = ? AND ${sound("stream")}`);
  const entries = (columns: string, index: string, where = "") =>
    prepareArrays(database, `SELECT ${columns} FROM record INDEXED BY ${index} WHERE stream_no = ? ${where}`);
  const isLive = "AND data IS NOT NULL";
  const list = {
    byOrder: entries("ord, id", "record_by_order", `${isLive} ORDER BY ord, id`),
    byId: entries("id", "record_by_id", "ORDER BY id"),
    byVersion: entries("version", "record_by_version", "ORDER BY version"),
  };
  const count = {
    byOrder: entries("count(*)", "record_by_order", isLive),
    byId: entries("count(*)", "record_by_id"),
    byVersion: entries("count(*)", "record_by_version"),
  };
  const checked = new Set<number>();
  const liveIn = (streamNo: number): number => (live.get(streamNo) as unknown as [number] | undefined)?.[0] ?? 0;

  function check(streamNo: number): void {
    const expected = liveIn(streamNo);
    const counted = (index: keyof typeof count): number => {
      if (expected > FIRST_READ_ROWS) return (count[index].get(streamNo) as unknown as [number])[0];
      const found = list[index].all(streamNo) as unknown as unknown[][];
      for (let at = 1; at < found.length; at++) requireStep(found[at - 1]!, found[at]!);
      return found.length;
    };
    if (counted("byOrder") !== expected || counted("byId") !== counted("byVersion"))
      throw damaged("an index does not have all records of a stream");
  }

  return {
    check,
    checkAtFirstRead(streamNo) {
      if (checked.has(streamNo)) return;
      if (liveIn(streamNo) <= FIRST_READ_ROWS) check(streamNo);
      checked.add(streamNo);
    },
  };
}

/** Entries as an index has them: without an ord they come first. */
function requireStep(one: readonly unknown[], next: readonly unknown[]): void {
  const step =
    one.length === 1 ? compare(one[0], next[0]) : compareOrd(one[0], next[0], true) || compare(one[1], next[1]);
  if (step >= 0) throw damaged("an index has its entries out of order");
}

/** Throws `store_damaged` unless each index has the entry of a row, given as CHECKED_COLUMNS has it. */
export function rowIndexes(database: DatabaseSync): (row: readonly unknown[], streamNo: number) => void {
  const find = (index: string, where: string) =>
    prepareArrays(
      database,
      `SELECT 1 FROM record INDEXED BY ${index} WHERE stream_no = ?1 AND version = ?2 AND ${where}`,
    );
  const byId = find("record_by_id", "id = ?3");
  const byVersion = find("record_by_version", "1");
  const byOrder = find("record_by_order", "id = ?3 AND ord IS ?4 AND data IS NOT NULL");
  return (row, streamNo) => {
    const [version, id, ord, , , data] = row as [
      number,
      string,
      string | number | null,
      unknown,
      unknown,
      string | null,
    ];
    const isFound =
      byId.get(streamNo, version, id) !== undefined &&
      byVersion.get(streamNo, version) !== undefined &&
      (data === null || byOrder.get(streamNo, version, id, ord) !== undefined);
    if (!isFound) throw damaged("an index does not lead to a record");
  };
}
