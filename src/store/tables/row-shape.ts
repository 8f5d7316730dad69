// Rows of a table as objects. The columns are those of COLUMNS; a member has the name of its column in camel case.
import { COLUMNS } from "../rows.ts";
import type { CellValue } from "./statements.ts";

interface ShapeOptions {
  /** Columns that are no members of the row. */
  without?: readonly string[];
  /** Columns that hold JSON text. */
  json?: readonly string[];
}

interface RowShape<Row> {
  columns: readonly string[];
  /** From cells in the order of the columns; further cells are ignored. */
  read(cells: readonly unknown[]): Row;
  /** In the order of the columns. */
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
