// The shape of a stream's columns, and a digest that changes when the declaration changes it.
import { createHash } from "node:crypto";
import type { ColumnKind } from "../../../core/fields.ts";

export interface ColumnSpec {
  field: string;
  kind: ColumnKind;
  /** The column holds lists: of this field, or of this member of the objects in it. */
  list?: { field: string; member?: string };
}

export interface ColumnsShape {
  columns: readonly ColumnSpec[];
  /** The field by which rows are ordered (cursor_field); absent: rows are ordered by id. */
  defaultSort?: string;
}

/** The version of the blob format: a new number makes every home rebuild its columns once. */
const FORMAT = 1;

/** Every read needs it, and a shape does not change. */
const digests = new WeakMap<ColumnsShape, string>();

export function shapeDigest(shape: ColumnsShape): string {
  let digest = digests.get(shape);
  if (digest === undefined) {
    const columns = shape.columns.map(({ field, kind, list }) =>
      list ? [field, kind, list.field, list.member ?? null] : [field, kind],
    );
    const text = JSON.stringify([FORMAT, columns, sortSpec(shape)?.field ?? null]);
    digest = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    digests.set(shape, digest);
  }
  return digest;
}

/** The column by which rows are ordered; a default sort without a column counts as none. */
export function sortSpec(shape: ColumnsShape): ColumnSpec | undefined {
  return shape.columns.find(({ field, list }) => field === shape.defaultSort && !list);
}
