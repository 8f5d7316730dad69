// A checksum for every row of records.db: a row that a failing disk changed is reported as damaged, never returned as data.
//
// Checksums of records are computed in JavaScript, where they are read anyway. The other tables are small: their statements call the SQL
// functions that `defineSums` adds to a connection.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { damaged } from "../damage.ts";
import { ADDED_LATER, COLUMNS } from "../rows.ts";

export type SummedTable = Exclude<keyof typeof COLUMNS, "record">;

/** All tables of records.db. */
export const SUMMED_TABLES: readonly string[] = Object.keys(COLUMNS);

/** In the order of the checksum. */
export const columnsOf = (table: string): readonly string[] => Object.keys(COLUMNS[table as keyof typeof COLUMNS]);

/** Whether all columns, in the order of `columnsOf`, match the checksum. */
export const isWholeRow = (table: string, sum: unknown, cells: readonly unknown[]): boolean =>
  sum === (table === "record" ? recordSum(...(cells as Parameters<typeof recordSum>)) : rowSum(table, cells));

/** For a WHERE clause: fails the statement if it reads a damaged row. */
export const sound = (table: SummedTable, alias: string = table): string =>
  `checked(${alias}.sum, '${table}', ${columnsOf(table)
    .map((column) => `${alias}.${column}`)
    .join(", ")})`;

/** The checksum of a row after a statement: columns that are not named keep their value. */
export const sumOf = (table: SummedTable, values: Readonly<Record<string, string>> = {}): string =>
  `row_sum('${table}', ${columnsOf(table)
    .map((column) => values[column] ?? column)
    .join(", ")})`;

/** Like `sound`, for any table of records.db, including records. */
export const soundRow = (table: string): string =>
  table === "record" ? `checked_record(sum, ${columnsOf(table).join(", ")})` : sound(table as SummedTable);

/** Like `sumOf`, for any table of records.db, including records. */
export const summedRow = (table: string, values: Readonly<Record<string, string>> = {}): string =>
  table === "record"
    ? `record_sum(${columnsOf(table)
        .map((column) => values[column] ?? column)
        .join(", ")})`
    : sumOf(table as SummedTable, values);

/** An INSERT of all columns and their checksum; the values are in the order of the columns. */
export function insertInto(table: SummedTable, values: Readonly<Record<string, string>> = {}): string {
  const columns = columnsOf(table);
  const given = columns.map((column, at) => values[column] ?? `?${at + 1}`);
  const sum = `row_sum('${table}', ${given.join(", ")})`;
  return `INTO ${table} (${columns.join(", ")}, sum) VALUES (${given.join(", ")}, ${sum})`;
}

/** Invalidates cached results. */
export const BUMP_EPOCH = `UPDATE meta SET value = value + 1, sum = ${sumOf("meta", { value: "value + 1" })}
  WHERE key = 'epoch' AND ${sound("meta")}`;

const firstSum = (table: string): string =>
  table === "record"
    ? summedRow(table)
    : `row_sum('${table}', ${columnsOf(table)
        .filter((column) => !ADDED_LATER.includes(`${table}.${column}`))
        .join(", ")})`;

/** The migration that gives every row its first checksum. */
export const SUM_ALL = [
  `UPDATE stream SET live = (SELECT count(*) FROM record INDEXED BY record_by_version
     WHERE record.stream_no = stream.stream_no AND data IS NOT NULL);`,
  ...SUMMED_TABLES.map(
    (table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER; UPDATE ${table} SET sum = ${firstSum(table)};`,
  ),
].join("\n");

/** Before a migration that checks records: recomputes checksums that earlier versions computed differently. */
export const SUM_EARLIER = `UPDATE record SET sum = ${summedRow("record")} WHERE sum = earlier_${summedRow("record")};`;

type Cell = string | number | null;
type RecordCells = Parameters<typeof recordSum>;

const rowSum = (table: string, cells: readonly unknown[]): number => crc32(JSON.stringify(cells), crc32(table));

function requireSum(sum: unknown, table: SummedTable, cells: readonly unknown[]): void {
  if (sum !== rowSum(table, cells)) throw mismatch(table);
}

/** A row of `meta` as the array `value, sum`. */
export function metaValue(row: unknown, key: string): unknown {
  const [value, sum] = required(row, key) as [unknown, unknown];
  requireSum(sum, "meta", [key, value]);
  return value;
}

/** A row that every home has. */
export function required<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw damaged(`${what} is missing`);
  return row;
}

const mismatch = (table: string) => damaged(`a row of the table ${table} does not match its checksum`);

/** Every step is reversible, so that no change of a single value goes unnoticed. */
function mix(seed: number, value: number): number {
  let hash = Math.imul(seed ^ value, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ (value / 0x1_0000_0000), 0xc2b2ae35);
  const fraction = value - Math.floor(value);
  if (fraction !== 0) hash = Math.imul(hash ^ (fraction * 0x1_0000_0000), 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}

/** Ids are short: a loop costs less than a call of crc32. Every step is reversible, as above. */
function mixText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The checksum of one record. Half the cost of hashing it as one text: a page of 25 is checked in 10 µs. */
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

/** How formats 6 to 8 computed the checksum of a record before 79fb479: with crc32 for the id. */
function earlierRecordSum(
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
 * Its columns in the order of CHECKED_COLUMNS. The checksum covers the stream, so a row of another stream, to which a
 * damaged index led, does not match. A damaged type byte turns a number into a text, or a text into bytes with the same
 * checksum.
 */
export function requireRecord(row: readonly unknown[], streamNo: number): void {
  const id = row[1];
  const ord = row[2];
  const data = row[5];
  const origin = row[6];
  const history = row[7];
  const isWhole =
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
      );
  if (!isWhole) throw mismatch("record");
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/**
 * These tables decide who may see what. They have few rows, and a damaged index would hide some, so each row is checked
 * when a home is opened.
 */
const AUTHORITY: readonly SummedTable[] = [
  ...(["meta", "subject", "source", "declaration", "connection", "stream", "client", "access_grant", "owner"] as const),
];

export function requireSoundTables(database: DatabaseSync): void {
  for (const table of AUTHORITY) {
    const [found] = database.prepare(`PRAGMA integrity_check('${table}')`).all();
    if (found?.integrity_check !== "ok") throw damaged(String(found?.integrity_check ?? `no table ${table}`));
  }
}

/** The functions that migrations and statements call. */
export function defineSums(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true };
  database.function("row_sum", options, (table, ...cells) => rowSum(table as string, cells));
  database.function("checked", options, (sum, table, ...cells) => {
    requireSum(sum, table as SummedTable, cells);
    return 1;
  });
  database.function("checked_record", options, (sum, ...cells) => {
    if (sum !== recordSum(...(cells as Parameters<typeof recordSum>))) throw mismatch("record");
    return 1;
  });
  database.function("record_sum", options, (...cells) => recordSum(...(cells as RecordCells)));
  database.function("earlier_record_sum", options, (...cells) => earlierRecordSum(...(cells as RecordCells)));
}
