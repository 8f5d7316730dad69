// The shape of a stream's columns, and a digest that changes if the declaration changes the shape.
import { createHash } from "node:crypto";
import type { ColumnKind } from "../../../core/fields.ts";

export interface ColumnSpec {
  field: string;
  kind: ColumnKind;
  /** Set if the column contains lists: of this field, or of this property of the objects in it. */
  list?: { field: string; member?: string };
}

export interface ColumnsShape {
  columns: readonly ColumnSpec[];
  /** The field that rows are sorted by (cursor_field). If absent, rows are sorted by id. */
  defaultSort?: string;
}

/** The version of the blob format. Increasing it makes every home rebuild its columns once. */
const FORMAT = 1;

/** Cached, because every read needs the digest and a shape never changes. */
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

/** The column that rows are sorted by. A default sort without a column counts as no sort. */
export function sortSpec(shape: ColumnsShape): ColumnSpec | undefined {
  return shape.columns.find(({ field, list }) => field === shape.defaultSort && !list);
}
