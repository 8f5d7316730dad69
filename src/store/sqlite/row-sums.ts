// A checksum for every row of records.db. A row that a failing disk has changed is reported as damaged, never returned
// as data. Checksums of records are computed in JavaScript, where records are read anyway. The other tables are small,
// so their statements call the SQL functions that `defineSums` adds to a connection.
import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { damaged } from "../damage.ts";
import { ADDED_LATER } from "../migrations.ts";
import { earlierRecordSum, isWholeRecord, type RecordCells, recordSum } from "../record-row.ts";
import { COLUMNS } from "../rows.ts";

export type SummedTable = Exclude<keyof typeof COLUMNS, "record">;

/** All tables in records.db. */
export const SUMMED_TABLES: readonly string[] = Object.keys(COLUMNS);

/** The columns, in checksum order. */
export const columnsOf = (table: string): readonly string[] => Object.keys(COLUMNS[table as keyof typeof COLUMNS]);

/** True if all columns, in the order of `columnsOf`, match the checksum. */
export const isWholeRow = (table: string, sum: unknown, cells: readonly unknown[]): boolean =>
  sum === (table === "record" ? recordSum(...(cells as RecordCells)) : rowSum(table, cells));

/** A condition for a WHERE clause that fails the statement if it reads a damaged row. */
export const sound = (table: SummedTable, alias: string = table): string =>
  `checked(${alias}.sum, '${table}', ${columnsOf(table)
    .map((column) => `${alias}.${column}`)
    .join(", ")})`;

/** An SQL expression for a row's checksum after a statement. Columns that are not in `values` keep their value. */
export const sumOf = (table: SummedTable, values: Readonly<Record<string, string>> = {}): string =>
  `row_sum('${table}', ${columnsOf(table)
    .map((column) => values[column] ?? column)
    .join(", ")})`;

/** Like `sound`, but for any table in records.db, including records. */
export const soundRow = (table: string, values: Readonly<Record<string, string>> = {}): string =>
  table === "record"
    ? `checked_record(sum, ${columnsOf(table)
        .map((column) => values[column] ?? column)
        .join(", ")})`
    : sound(table as SummedTable);

/** Like `sumOf`, but for any table in records.db, including records. */
export const summedRow = (table: string, values: Readonly<Record<string, string>> = {}): string =>
  table === "record"
    ? `record_sum(${columnsOf(table)
        .map((column) => values[column] ?? column)
        .join(", ")})`
    : sumOf(table as SummedTable, values);

/** The rest of an INSERT of all columns and their checksum. The values are in column order. */
export function insertInto(table: SummedTable, values: Readonly<Record<string, string>> = {}): string {
  const columns = columnsOf(table);
  const given = columns.map((column, at) => values[column] ?? `?${at + 1}`);
  const sum = `row_sum('${table}', ${given.join(", ")})`;
  return `INTO ${table} (${columns.join(", ")}, sum) VALUES (${given.join(", ")}, ${sum})`;
}

/** Invalidates cached results. */
export const BUMP_EPOCH = `UPDATE meta SET value = value + 1, sum = ${sumOf("meta", { value: "value + 1" })}
  WHERE key = 'epoch' AND ${sound("meta")}`;

/** Columns that were added after the table got its first checksums. */
const laterColumns = (table: string): string[] =>
  columnsOf(table).filter((column) => ADDED_LATER.includes(`${table}.${column}`));

/** For record migrations that run before later columns exist. */
export const WITHOUT_LATER = Object.fromEntries(laterColumns("record").map((column) => [column, "NULL"]));

const firstSum = (table: string): string =>
  table === "record"
    ? summedRow(table, WITHOUT_LATER)
    : `row_sum('${table}', ${columnsOf(table)
        .filter((column) => !laterColumns(table).includes(column))
        .join(", ")})`;

/** The migration that adds the first checksum to every row. */
export const SUM_ALL = [
  `UPDATE stream SET live = (SELECT count(*) FROM record INDEXED BY record_by_version
     WHERE record.stream_no = stream.stream_no AND data IS NOT NULL);`,
  ...SUMMED_TABLES.map(
    (table) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER; UPDATE ${table} SET sum = ${firstSum(table)};`,
  ),
].join("\n");

/** Runs before a migration that checks records. Recomputes checksums that earlier versions computed differently. */
export const SUM_EARLIER = `UPDATE record SET sum = ${summedRow("record", WITHOUT_LATER)}
  WHERE sum = earlier_${summedRow("record", WITHOUT_LATER)};`;

const rowSum = (table: string, cells: readonly unknown[]): number => crc32(JSON.stringify(cells), crc32(table));

function requireSum(sum: unknown, table: SummedTable, cells: readonly unknown[]): void {
  if (sum !== rowSum(table, cells)) throw mismatch(table);
}

/** Returns the value of a `meta` row, which is the array `value, sum`. */
export function metaValue(row: unknown, key: string): unknown {
  const [value, sum] = required(row, key) as [unknown, unknown];
  requireSum(sum, "meta", [key, value]);
  return value;
}

/** Returns a row that every home must have, and throws if it is missing. */
export function required<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw damaged(`${what} is missing`);
  return row;
}

const mismatch = (table: string) => damaged(`a row of the table ${table} does not match its checksum`);

/**
 * Expects the columns in the order of CHECKED_COLUMNS. The checksum covers the stream, so if a damaged index leads to a
 * row of another stream, that row does not match.
 */
export function requireRecord(row: readonly unknown[], streamNo: number): void {
  if (!isWholeRecord(row, streamNo)) throw mismatch("record");
}

/**
 * These tables decide who may see what. They have few rows, and a damaged index would hide some of them, so every row
 * is checked when a home is opened.
 */
const AUTHORITY: readonly SummedTable[] = [
  ...(["meta", "subject", "source", "declaration", "connection", "stream", "client", "access_grant", "owner"] as const),
];

export function requireSoundTables(database: DatabaseSync): void {
  for (const table of AUTHORITY) {
    const [found] = database.prepare(`PRAGMA integrity_check('${table}')`).all();
    if (found?.integrity_check !== "ok")
      throw damaged(String(found?.integrity_check ?? `the table ${table} is missing`));
  }
}

/** Defines the SQL functions that migrations and statements call. */
export function defineSums(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true };
  database.function("row_sum", options, (table, ...cells) => rowSum(table as string, cells));
  database.function("checked", options, (sum, table, ...cells) => {
    requireSum(sum, table as SummedTable, cells);
    return 1;
  });
  database.function("checked_record", options, (sum, ...cells) => {
    if (sum !== recordSum(...(cells as RecordCells))) throw mismatch("record");
    return 1;
  });
  database.function("record_sum", options, (...cells) => recordSum(...(cells as RecordCells)));
  database.function("earlier_record_sum", options, (...cells) => earlierRecordSum(...(cells as RecordCells)));
}
