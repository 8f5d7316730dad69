// The record row: its columns, the order in which both engines select them, and its checksum in SQLite.
import { crc32 } from "node:zlib";
import type { StoredRow } from "../core/plan.ts";
import type { CellKind } from "./rows.ts";
import type { FeedEntry, FeedRow } from "./store.ts";

/** The equivalent of COLUMNS for the other tables. */
export const RECORD_COLUMNS = {
  version: "number",
  stream_no: "number",
  id: "text",
  ord: "order",
  born: "number",
  emitted_at: "float",
  ingested_at: "number",
  data: "text",
  origin: "text",
  history: "text",
} as const satisfies Record<string, CellKind>;

export const ROW_COLUMNS = "version, id, ord, emitted_at, ingested_at, data, origin, history";

/** `ord` is already decoded from the engine's own encoding. */
export const storedRow = (row: unknown[], ord: StoredRow["ord"]): StoredRow => ({
  version: row[0] as number,
  id: row[1] as string,
  ord,
  emittedAt: row[3] as number,
  ingestedAt: row[4] as number,
  data: row[5] as string | null,
  origin: row[6] as string | null,
  history: row[7] as string | null,
});

/** Columns for changing a record: the row and the record's first version. */
export const BORN_COLUMNS = `${ROW_COLUMNS}, coalesce(born, version)`;

export interface BornRow extends StoredRow {
  born: number;
}

export const bornIn = (row: unknown[]): number => row[8] as number;

/** Sorts feed entries by position, because records and the trail are read separately. */
export const feedOrder = (entries: FeedEntry[], descending: boolean): FeedEntry[] =>
  entries.sort((a, b) => (descending ? b.position - a.position : a.position - b.position));

/** Expects version, stream_no, id, born and data. */
export const feedRow = (row: unknown[]): FeedRow => ({
  version: row[0] as number,
  streamNo: row[1] as number,
  id: row[2] as string,
  born: row[3] as number,
  data: row[4] as string | null,
});

/** The row, with the other columns that its checksum covers, and the checksum. */
export const CHECKED_COLUMNS = `${ROW_COLUMNS}, born, sum`;

type Cell = string | number | null;
/** Values in the order of RECORD_COLUMNS. */
export type RecordCells = Parameters<typeof recordSum>;

/** Every step is reversible, so that no change to a single value goes unnoticed. */
function mix(seed: number, value: number): number {
  let hash = Math.imul(seed ^ value, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ (value / 0x1_0000_0000), 0xc2b2ae35);
  const fraction = value - Math.floor(value);
  if (fraction !== 0) hash = Math.imul(hash ^ (fraction * 0x1_0000_0000), 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}

/** Ids are short, so a loop is cheaper than calling crc32. Every step is reversible, as above. */
function mixText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * The checksum of one record. It costs half as much as hashing the record as one string; a page of 25 is checked in 10
 * µs.
 */
export function recordSum(
  version: number,
  streamNo: number,
  id: string,
  ord: Cell,
  born: number | null,
  emittedAt: number,
  ingestedAt: number,
  data: string | null,
  origin: string | null,
  history: string | null,
): number {
  const seed = seedOf(version, streamNo, ord, born, emittedAt, ingestedAt, data, origin, history);
  return sumOfTexts(mixText(seed, id) >>> 0, ord, origin, history, data);
}

function seedOf(
  version: number,
  streamNo: number,
  ord: Cell,
  born: number | null,
  emittedAt: number,
  ingestedAt: number,
  data: string | null,
  origin: string | null,
  history: string | null,
): number {
  const shape =
    (data === null ? 1 : 0) |
    (origin === null ? 2 : 0) |
    (history === null ? 4 : 0) |
    (ord === null ? 8 : typeof ord === "number" ? 16 : 0);
  const seed = mix(mix(mix(mix(mix(shape, version), streamNo), born ?? -1), emittedAt), ingestedAt);
  return typeof ord === "number" ? mix(seed, ord) : seed;
}

function sumOfTexts(
  start: number,
  ord: Cell,
  origin: string | null,
  history: string | null,
  data: string | null,
): number {
  let sum = typeof ord === "string" ? crc32(ord, start) : start;
  if (origin !== null) sum = crc32(origin, sum);
  if (history !== null) sum = crc32(history, sum);
  return data === null ? sum : crc32(data, sum);
}

/** The record checksum of formats 6 to 8 before 79fb479, which used crc32 for the id. */
export function earlierRecordSum(
  ...[version, streamNo, id, ord, born, emittedAt, ingestedAt, data, origin, history]: RecordCells
): number {
  return sumOfTexts(
    crc32(id, seedOf(version, streamNo, ord, born, emittedAt, ingestedAt, data, origin, history) >>> 0),
    ord,
    origin,
    history,
    data,
  );
}

/**
 * True if a row of CHECKED_COLUMNS matches its checksum. Types are checked too, because a damaged type byte can turn a
 * number into a string, or a string into bytes with the same checksum.
 */
export function isWholeRecord(row: readonly unknown[], streamNo: number): boolean {
  const id = row[1];
  const ord = row[2];
  const data = row[5];
  const origin = row[6];
  const history = row[7];
  return (
    typeof id === "string" &&
    (typeof ord === "number" || typeof ord === "string" || ord === null) &&
    isTextOrNull(data) &&
    isTextOrNull(origin) &&
    isTextOrNull(history) &&
    row[9] ===
      recordSum(
        row[0] as number,
        streamNo,
        id,
        ord,
        row[8] as number | null,
        row[3] as number,
        row[4] as number,
        data,
        origin,
        history,
      )
  );
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";
