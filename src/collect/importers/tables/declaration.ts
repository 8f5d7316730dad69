// The declaration of a table, derived from its shape.
import type { JsonSchema, SourceDeclaration } from "../../../contract/declaration.ts";
import { counted } from "../../../core/counted.ts";
import { type DeclaredStream, declareSource, recordSchema } from "../../../core/declare.ts";
import { ordersIn } from "./orders.ts";
import { CONTENT_KEY, type Shape, type TableColumn, UNFIT } from "./shape.ts";

/**
 * The limit for lists in a declaration, so that they stay readable. A table with more columns is still imported
 * completely.
 */
const LISTED_MAX = 50;

export interface DeclaredTable {
  stream: string;
  /** The display name. */
  name: string;
  shape: Shape;
}

export function declareTables(id: string, name: string, tables: readonly DeclaredTable[]): SourceDeclaration {
  return declareSource(`tables/${id}`, name, tables.map(streamOf));
}

function streamOf({ stream, name, shape }: DeclaredTable): DeclaredStream {
  const { columns, key, time } = shape;
  const own = key.length > 0 ? key : [CONTENT_KEY];
  const fields = (which: (column: TableColumn) => boolean): string[] =>
    columns
      .filter(which)
      .map(({ field }) => field)
      .slice(0, LISTED_MAX);
  const numbers = fields(({ type, field }) => (type === "integer" || type === "number") && !own.includes(field));
  const times = fields(({ type }) => type === "date" || type === "date-time");
  const grouped = fields(({ groupable, field }) => groupable && !own.includes(field));
  const properties: Record<string, JsonSchema> = {
    ...(key.length > 0
      ? {}
      : {
          [CONTENT_KEY]: {
            type: "string",
            title: "Row",
            description: "Derived from the row and its position among identical rows.",
          },
        }),
    ...Object.fromEntries(columns.map((column) => [column.field, schemaOf(column)])),
    [UNFIT]: {
      type: "object",
      title: "Other",
      description: "Values that do not fit the type of their column, and cells without a column, unchanged.",
    },
  };
  return {
    name: stream,
    description: `Rows of ${name}.`,
    display: {
      label: labelOf(name),
      detail: `${counted(columns.length, "column")}: ${columns
        .map(({ field }) => field)
        .join(", ")
        .slice(0, 300)}`,
    },
    schema: recordSchema(name, properties, own),
    ...ordersIn(name, shape),
    ...(time === undefined ? {} : { time }),
    ranges: [...new Set([...times, ...numbers])],
    search: fields(({ searchable }) => searchable),
    aggregations: {
      group_by: grouped,
      group_by_time: times,
      sum: numbers,
      avg: numbers,
      min: [...numbers, ...times],
      max: [...numbers, ...times],
    },
  };
}

/** Shows `work_orders` as "Work orders". */
function labelOf(name: string): string {
  const words = name.replaceAll("_", " ").trim().slice(0, 200);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function schemaOf({ field, source, type }: TableColumn): JsonSchema {
  const words = { title: field, description: `Column ${JSON.stringify(source.slice(0, 200).toWellFormed())}.` };
  if (type === "any") return words;
  if (type === "date" || type === "date-time") return { type: "string", format: type, ...words };
  return { type, ...words };
}
