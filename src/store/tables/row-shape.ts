// Converts table rows to objects. The columns are those in COLUMNS, and each property has the name of its column in
// camel case.
import { COLUMNS } from "../rows.ts";
import type { CellValue } from "./statements.ts";

interface ShapeOptions {
  /** Columns that are not properties of the row. */
  without?: readonly string[];
  /** Columns that contain JSON text. */
  json?: readonly string[];
}

interface RowShape<Row> {
  columns: readonly string[];
  /** Reads cells in column order. Further cells are ignored. */
  read(cells: readonly unknown[]): Row;
  /** Returns cells in column order. */
  cells(row: Row): CellValue[];
}

export function rowShape<Row>(
  table: keyof typeof COLUMNS,
  { without = [], json = [] }: ShapeOptions = {},
): RowShape<Row> {
  const columns = Object.keys(COLUMNS[table]).filter((column) => !without.includes(column));
  const members = columns.map((column) => ({ name: camelCase(column), isJson: json.includes(column) }));
  return {
    columns,
    read(cells) {
      const row: Record<string, unknown> = {};
      for (let at = 0; at < members.length; at++) {
        const { name, isJson } = members[at]!;
        row[name] = isJson && cells[at] !== null ? JSON.parse(cells[at] as string) : cells[at];
      }
      return row as Row;
    },
    cells: (row) =>
      members.map(({ name, isJson }) => {
        const value = row[name as keyof Row];
        return isJson ? JSON.stringify(value) : (value as CellValue);
      }),
  };
}

const camelCase = (column: string): string => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
