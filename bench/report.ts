// What a line of the bench says, and the table of them.

export interface Result {
  line: string;
  size: string;
  /** Ours through the yardstick, unless the line says otherwise. */
  ratio: number;
  budget?: { atMost: number } | { atLeast: number };
  ours: string;
  yardstick: string;
  /** What the yardstick is. */
  against: string;
}

export function holds({ ratio, budget }: Result): boolean | undefined {
  if (budget === undefined) return undefined;
  return "atMost" in budget ? ratio <= budget.atMost : ratio >= budget.atLeast;
}

export function table(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.line,
    result.size,
    figure(result.ratio),
    budgetText(result),
    verdict(result),
    result.ours,
    result.yardstick,
    result.against,
  ]);
  const head = ["line", "size", "ratio", "budget", "", "ours", "yardstick", "against"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const text = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  return `${[head, widths.map((width) => "-".repeat(width)), ...rows].map(text).join("\n")}\n`;
}

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
