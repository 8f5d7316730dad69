// The parts of a segment that sorting needs: sort keys, ids, versions, and a comparison of two rows.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, isNullKey, keyOfValue, valueOfKey } from "./column.ts";
import type { ColumnSegment } from "./segment.ts";
import { compareAt, type StringTable, stringAt, tableOf } from "./string-table.ts";

export interface SortedSegment {
  column: Column;
  ids: StringTable;
  versions: Float64Array;
}

/** A sort value and an id, in a form that can be compared with a segment's rows. */
export class KeyPosition {
  readonly key: number;
  readonly isNull: boolean;
  readonly #id: string;
  #table: StringTable | undefined;

  constructor({ column }: SortedSegment, { value, id }: { value: ColumnValue; id: string }) {
    this.key = keyOfValue(column, value);
    this.isNull = value === null;
    this.#id = id;
  }

  /** Computed on demand, because most positions differ in their keys. */
  get id(): StringTable {
    this.#table ??= tableOf([this.#id]);
    return this.#table;
  }
}

export async function loadSorted(segment: ColumnSegment, field: string | undefined): Promise<SortedSegment> {
  const unit = field === undefined ? undefined : segment.column(field);
  const column = unit ? (unit.peek() ?? (await unit.get())) : unsorted(segment.rows);
  const ids = segment.ids.peek() ?? (await segment.ids.get());
  const versions = segment.versions.peek() ?? (await segment.versions.get());
  return { column, ids, versions };
}

let zeros = new Uint8Array(0);

/** Sorting by id only is the same as sorting by a column of nulls. */
function unsorted(rows: number): Column {
  if (zeros.length < rows) zeros = new Uint8Array(rows);
  return { kind: "string", keys: zeros, dictionary: tableOf([]) };
}

export function pageRowAt({ column, ids, versions }: SortedSegment, row: number) {
  return { id: stringAt(ids, row), version: versions[row]!, value: valueOfKey(column, column.keys[row]!) };
}

/** Compares a row with a position. Negative if the row is first. Nulls are last, and ids follow the sort direction. */
export function compareToPosition(
  { column, ids }: SortedSegment,
  row: number,
  position: KeyPosition,
  descending: boolean,
): number {
  const key = column.keys[row]!;
  const isNull = isNullKey(column, key);
  if (isNull !== position.isNull) return isNull ? 1 : -1;
  const byKey = isNull ? 0 : key - position.key;
  const order = byKey || compareAt(ids, row, position.id, 0);
  return descending ? -order : order;
}
