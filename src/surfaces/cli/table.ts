// Tables for people: columns as wide as they need to be and no wider than the terminal.
const CELL_MAX = 60;

export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headers, ...rows].map((row) => row.map(printable));
  const widths = headers.map((_header, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, widths[column]! - displayWidth(cell))))
      .join("  ")
      .trimEnd();
  const [head, ...body] = cells;
  return `${[line(head!), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n")}\n`;
}

/** One line, bounded, with control and bidi characters made visible: stored text must not steer a terminal. */
export function printable(value: string, maximum = CELL_MAX): string {
  const oneLine = value.replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "�");
  const points = [...oneLine];
  return points.length <= maximum ? oneLine : `${points.slice(0, maximum - 1).join("")}…`;
}

function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(character) ? 2 : 1;
  return width;
}
