// Prints the results of the benchmarks.

export interface Result {
  line: string;
  size: string;
  /** Our value divided by the yardstick's, unless the line says otherwise. */
  ratio: number;
  budget?: { atMost: number } | { atLeast: number };
  ours: string;
  yardstick: string;
  /** A description of the yardstick. */
  against: string;
}

export function holds({ ratio, budget }: Result): boolean | undefined {
  if (budget === undefined) return undefined;
  return "atMost" in budget ? ratio <= budget.atMost : ratio >= budget.atLeast;
}

const WIDTHS = [5, 8, 8, 4, 12, 12];

/**
 * Figures come first, in columns. The description comes last, because it can be long. This way each row can be printed
 * as soon as it is measured.
 */
const columns = (cells: readonly string[]): string =>
  `${cells.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join("  ")}\n`;

export const head = (): string =>
  columns(["size", "ratio", "budget", "", "ours", "yardstick", "measurement, compared with"]);

export const row = (result: Result): string =>
  columns([
    result.size,
    figure(result.ratio),
    budgetText(result),
    verdict(result),
    result.ours,
    result.yardstick,
    `${result.line}, compared with ${result.against}`,
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
