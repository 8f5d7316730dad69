// Tables for people, with columns only as wide as necessary.
import { printable } from "./printable.ts";

export interface TableOptions {
  /** Columns that are never cut, because people copy them. */
  whole?: readonly number[];
  cellMax?: number;
  /** The terminal width. If the table is wider, the widest columns that may be cut are shortened. */
  width?: number;
}

/** The minimum width of a cut column. */
const COLUMN_LEAST = 10;

const WHOLE = 8192;

export function table(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const { whole = [0], cellMax, width = process.stdout.columns } = options;
  let cells = [headers, ...rows].map((row) =>
    row.map((cell, column) => printable(cell, whole.includes(column) ? WHOLE : cellMax)),
  );
  const widths = headers.map((_header, column) =>
    cells.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? "")), 0),
  );
  if (width !== undefined) {
    narrow(widths, width, whole);
    cells = cells.map((row) =>
      row.map((cell, column) => (whole.includes(column) ? cell : cutTo(cell, widths[column]!))),
    );
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, widths[column]! - displayWidth(cell))))
      .join("  ")
      .trimEnd();
  const [head, ...body] = cells;
  return `${[line(head!), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n")}\n`;
}

function narrow(widths: number[], width: number, whole: readonly number[]): void {
  const total = (): number => widths.reduce((sum, one) => sum + one + 2, -2);
  while (total() > width) {
    const cuttable = widths.map((one, column) => (whole.includes(column) ? 0 : one));
    const widest = Math.max(...cuttable);
    if (widest <= COLUMN_LEAST) return;
    widths[cuttable.indexOf(widest)]!--;
  }
}

function cutTo(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell;
  const kept = [...cell];
  while (kept.length > 0 && displayWidth(kept.join("")) > width - 1) kept.pop();
  return `${kept.join("")}…`;
}

export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\u200c|\u200d/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

export function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  const power = Math.min(4, Math.floor(Math.log2(size) / 10));
  return `${(size / 1024 ** power).toFixed(1)} ${["B", "KiB", "MiB", "GiB", "TiB"][power]}`;
}
