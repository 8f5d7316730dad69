// A stream's newest rows that are not yet in a segment: plain arrays that grow row by row.

import type { JsonObject } from "../../../contract/record.ts";
import { type ColumnValue, columnValue, listValues } from "../../../core/fields.ts";
import { columnOf, listColumnOf } from "./column.ts";
import type { Rows } from "./rows.ts";
import type { ColumnsShape } from "./shape.ts";
import { tableOf } from "./string-table.ts";

export class Tail {
  readonly #shape: ColumnsShape;
  #ids: string[] = [];
  #versions: number[] = [];
  #values: (ColumnValue | ColumnValue[])[][];
  /** Built on the first lookup of an older row. Imports that only append never need it. */
  #rowOf: Map<string, number> | undefined;
  #bytes = 0;

  constructor(shape: ColumnsShape) {
    this.#shape = shape;
    this.#values = shape.columns.map(() => []);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** An estimate of the arrays' size, with strings counted once per row. */
  get bytes(): number {
    return this.#bytes;
  }

  add(id: string, version: number, data: string): void {
    const record = JSON.parse(data) as JsonObject;
    this.#rowOf?.set(id, this.size);
    this.#ids.push(id.toWellFormed());
    this.#versions.push(version);
    const { columns } = this.#shape;
    let bytes = 16 + id.length;
    for (let i = 0; i < columns.length; i++) {
      const { kind, field, list } = columns[i]!;
      if (list) {
        const values = [...new Set(listValues({ kind, ...list }, record[list.field]).map(settled))];
        for (const value of values) bytes += bytesOf(value);
        bytes += 8;
        this.#values[i]!.push(values);
      } else {
        const value = settled(columnValue(kind, record[field]));
        bytes += bytesOf(value);
        this.#values[i]!.push(value);
      }
    }
    this.#bytes += bytes;
  }

  /** Removes the row with this id, if it is here. */
  remove(id: string): boolean {
    this.#rowOf ??= new Map(this.#ids.map((known, row) => [known, row]));
    const row = this.#rowOf.get(id.toWellFormed());
    if (row === undefined) return false;
    this.#rowOf.delete(this.#ids[row]!);
    const last = this.size - 1;
    if (row !== last) this.#rowOf.set(this.#ids[last]!, row);
    for (const list of [this.#ids, this.#versions, ...this.#values] as unknown[][]) {
      list[row] = list[last];
      list.pop();
    }
    return true;
  }

  toRows(): Rows {
    return {
      ids: tableOf(this.#ids),
      versions: Float64Array.from(this.#versions),
      columns: this.#shape.columns.map(({ kind, list }, i) =>
        list
          ? listColumnOf(kind, this.#values[i]! as ColumnValue[][])
          : columnOf(kind, this.#values[i]! as ColumnValue[]),
      ),
    };
  }
}

const bytesOf = (value: ColumnValue): number => (typeof value === "string" ? value.length + 8 : 8);

/** Normalises each value: -0 becomes 0, and a lone surrogate, which UTF-8 cannot represent, becomes U+FFFD. */
function settled(value: ColumnValue): ColumnValue {
  if (typeof value === "string") return value.toWellFormed();
  return typeof value === "number" ? value + 0 : value;
}
