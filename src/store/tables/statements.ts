// Statements on the small tables, described once for both engines. Each engine builds its own SQL from the description.
import type { Awaitable } from "../store.ts";

export type CellValue = string | number | null;

/**
 * A condition is a column (`hash` means equal to the value) or a column with a comparison (`due_at <=`). `subject_id`
 * comes first.
 */
interface Conditions {
  table: string;
  by: readonly string[];
}

export interface Select extends Conditions {
  kind: "select";
  /** The first column must never be NULL (0021). */
  columns: string;
  /** `INSERTED` means insertion order. */
  order?: string;
  /** If true, the last value is the maximum number of rows, or null for all. */
  limited?: true;
  /** If true, the rows may be cached until something is written for the owner. */
  kept?: true;
  /** If true, damaged rows are read too, because the statement only counts them or they are deleted next. */
  unchecked?: true;
  /** Reads only rows in which this column is NULL. */
  unset?: string;
  /** Another table with the same value in `by`, whose rows belong to the same owner. */
  joined?: { table: string; by: string };
}

export interface Insert {
  kind: "insert";
  table: string;
  columns: readonly string[];
  /**
   * The key of a row, and the columns to change if that row already exists. If `change` is empty, the existing row
   * stays unchanged. If `there` is absent, the row must not exist.
   */
  there?: { key: readonly string[]; change: readonly string[] };
}

/** The conditions never include `subject_id`, because the values to set are bound first. */
export interface Update extends Conditions {
  kind: "update";
  set: readonly string[];
  /** Updates only rows in which this column is not set yet. */
  once?: string;
}

export interface Delete extends Conditions {
  kind: "delete";
}

export type TableChange = Insert | Update | Delete;

export const INSERTED = "INSERTED";

type More<S> = Omit<S, "kind" | "table" | "by" | "columns" | "set">;

export const select = (
  table: string,
  columns: readonly string[],
  by: readonly string[],
  more: More<Select> = {},
): Select => ({
  kind: "select",
  table,
  columns: columns.join(", "),
  by,
  ...more,
});
export const insert = (table: string, columns: readonly string[], there?: Insert["there"]): Insert => ({
  kind: "insert",
  table,
  columns,
  ...(there && { there }),
});
export const update = (table: string, set: readonly string[], by: readonly string[], once?: string): Update => ({
  kind: "update",
  table,
  set,
  by,
  ...(once !== undefined && { once }),
});
export const remove = (table: string, by: readonly string[]): Delete => ({ kind: "delete", table, by });

/** `hash` and `$2` → `hash = $2`. */
export const condition = (by: string, value: string): string =>
  /[<>=]$/.test(by) ? `${by} ${value}` : `${by} = ${value}`;

/** How an engine reads tables. Rows are arrays. */
export interface TableReads {
  rows(statement: Select, ...values: CellValue[]): Awaitable<unknown[][]>;
  row(statement: Select, ...values: CellValue[]): Awaitable<unknown[] | undefined>;
}

export interface TableWrites {
  /** Returns how many rows were changed. For an update, the values to set come first, then the conditions. */
  run(statement: TableChange, ...values: CellValue[]): Awaitable<number>;
  /**
   * Returns the next number in a table that numbers its rows. The number of a deleted stream is never reused, because
   * projections may still refer to it.
   */
  next(table: "declaration" | "stream"): Awaitable<number>;
}

/** SQLite returns synchronously, so no promise is needed. */
export const after = <T, U>(value: Awaitable<T>, next: (value: T) => U): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value);

export const found = <T>(
  row: Awaitable<unknown[] | undefined>,
  from: (row: unknown[]) => T,
): Awaitable<T | undefined> => after(row, (one) => one && from(one));

export const list = <T>(rows: Awaitable<unknown[][]>, from: (row: unknown[]) => T): Awaitable<T[]> =>
  after(rows, (all) => all.map((row) => from(row)));

export const done = (changed: Awaitable<number>, then?: () => void): Awaitable<void> => after(changed, () => then?.());
