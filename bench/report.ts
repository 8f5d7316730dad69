// Prints the lines of the bench.

export interface Result {
  line: string;
  size: string;
  /** Ours divided by the yardstick, unless the line says otherwise. */
  ratio: number;
  budget?: { atMost: number } | { atLeast: number };
  ours: string;
  yardstick: string;
  /** The yardstick, in words. */
  against: string;
}

export function holds({ ratio, budget }: Result): boolean | undefined {
  if (budget === undefined) return undefined;
  return "atMost" in budget ? ratio <= budget.atMost : ratio >= budget.atLeast;
}

const WIDTHS = [5, 8, 8, 4, 12, 12];

/**
 * The figures first, in columns; the description, which may be long, last. Every row can be printed as soon as it is
 * measured.
 */
const columns = (cells: readonly string[]): string =>
  `${cells.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join("  ")}\n`;

export const head = (): string => columns(["size", "ratio", "budget", "", "ours", "yardstick", "line, against"]);

export const row = (result: Result): string =>
  columns([
    result.size,
    figure(result.ratio),
    budgetText(result),
    verdict(result),
    result.ours,
    result.yardstick,
    `${result.line}, against ${result.against}`,
  ]);

function budgetText({ budget }: Result): string {
  if (budget === undefined) return "";
  return "atMost" in budget ? `≤ ${budget.atMost}` : `≥ ${budget.atLeast}`;
}

function verdict(result: Result): string {
  const kept = holds(result);
  return kept === undefined ? "" : kept ? "ok" : "MISS";
}

export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}

export const inMs = (value: number): string => (value < 1 ? `${(value * 1000).toFixed(0)} µs` : `${figure(value)} ms`);
