// Yields the rows of a CSV of any size from decoded text. A row that cannot be read is reported as one problem with its
// line number.
import { parse } from "csv-parse";

export type CsvRow = { cells: string[]; line: number } | { problem: string; line: number };

/** One row is held entirely in memory. */
const ROW_MAX = 4 * 1024 * 1024;

/** A line with an unclosed quote is skipped. A file with more of them than this is not a CSV. */
const RECOVERIES_MAX = 20;

/** Inside quotes, a quote is escaped by another quote or, in some exports, by a backslash. */
export type QuoteEscape = '"' | "\\";

/**
 * `from` is the first line to read, counted from 1. If `text` is a function that opens the text again, reading
 * continues after a row that cannot be read.
 */
export async function* csvRows(
  text: AsyncIterable<string> | (() => AsyncIterable<string>),
  delimiter: string,
  from = 1,
  quoteEscape: QuoteEscape = '"',
): AsyncGenerator<CsvRow> {
  const reopen = typeof text === "function" ? text : undefined;
  let pieces = typeof text === "function" ? text() : text;
  let start = from;
  for (let turn = 0; ; turn++) {
    const broken = yield* rowsUntilBroken(pieces, { delimiter, escape: quoteEscape }, start);
    if (broken === undefined || reopen === undefined || turn >= RECOVERIES_MAX) return;
    pieces = reopen();
    start = broken + 1;
  }
}

/**
 * Yields rows up to the first that cannot be read, then the problem. Returns the line number of that row, if there is
 * one.
 */
async function* rowsUntilBroken(
  pieces: AsyncIterable<string>,
  format: { delimiter: string; escape: QuoteEscape },
  start: number,
): AsyncGenerator<CsvRow, number | undefined> {
  let ready: { cells: string[]; line: number }[] = [];
  let line = start - 1;
  let failure: NodeJS.ErrnoException | undefined;
  let doubled = 0;
  const parser = parse({
    ...format,
    // Concatenated exports contain mixed line endings.
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
    // Collected here rather than from the stream, which would drop its buffer if a later row is broken.
    on_record(cells: string[], { lines }: { lines: number }) {
      // Inside quotes, csv-parse counts CR LF as two lines.
      for (const cell of cells) if (cell.includes("\r\n")) doubled += cell.split("\r\n").length - 1;
      ready.push({ cells, line: start - 1 + lines - doubled });
      return null;
    },
  });
  parser.on("error", (error) => {
    failure = error;
  });
  parser.resume();
  const settled = function* (): Generator<CsvRow> {
    const rows = ready;
    ready = [];
    line = rows.at(-1)?.line ?? line;
    yield* rows;
  };
  try {
    for await (const piece of withoutLines(pieces, start - 1)) {
      await new Promise<void>((resolve) => {
        parser.write(piece, () => resolve());
      });
      yield* settled();
      if (failure !== undefined) break;
    }
    if (failure === undefined) {
      await new Promise<void>((resolve) => {
        parser.once("close", resolve);
        parser.end();
      });
      yield* settled();
    }
  } finally {
    parser.destroy();
  }
  if (failure === undefined) return undefined;
  yield {
    problem:
      failure.code === "CSV_QUOTE_NOT_CLOSED"
        ? "a quote is opened and never closed"
        : "a row that is too long or broken",
    line: line + 1,
  };
  return line + 1;
}

/**
 * Yields the text after its first lines, each of which ends in a line feed. Text without line feeds uses CR, as old
 * Macs did.
 */
async function* withoutLines(pieces: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  let left = count;
  let isOldMac: boolean | undefined;
  for await (const piece of pieces) {
    if (piece === "") continue;
    isOldMac ??= piece.includes("\r") && !piece.includes("\n");
    const text = isOldMac ? piece.replaceAll("\r", "\n") : piece;
    let begin = 0;
    while (left > 0 && begin < text.length) {
      const end = text.indexOf("\n", begin);
      begin = end === -1 ? text.length : end + 1;
      if (end !== -1) left--;
    }
    if (begin < text.length) yield text.slice(begin);
  }
}
