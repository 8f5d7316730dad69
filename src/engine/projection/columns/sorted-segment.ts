// The parts of a segment that sorting needs: the keys to sort by, ids, versions, and the order of two rows.
import type { ColumnValue } from "../../../core/fields.ts";
import { type Column, isNullKey, keyOfValue, valueOfKey } from "./column.ts";
import type { ColumnSegment } from "./segment.ts";
import { compareAt, type StringTable, stringAt, tableOf } from "./string-table.ts";

export interface SortedSegment {
  column: Column;
  ids: StringTable;
  versions: Float64Array;
}

/** A sort value and an id, in a form that a segment's rows can be compared with. */
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

  /** Computed when needed: most positions are told apart by their keys. */
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

/** Sorting by id only is sorting by a column of nulls. */
function unsorted(rows: number): Column {
  if (zeros.length < rows) zeros = new Uint8Array(rows);
  return { kind: "string", keys: zeros, dictionary: tableOf([]) };
}

export function pageRowAt({ column, ids, versions }: SortedSegment, row: number) {
  return { id: stringAt(ids, row), version: versions[row]!, value: valueOfKey(column, column.keys[row]!) };
}

/** The order of a row and a position, negative when the row comes first: nulls last, ids in the sort's direction. */
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
