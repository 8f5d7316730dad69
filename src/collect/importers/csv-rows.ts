// Rows of a CSV of any size, from decoded text; what cannot be read is one problem at its line.
import { Readable } from "node:stream";
import { parse } from "csv-parse";

export type CsvRow = { cells: string[]; line: number } | { problem: string; line: number };

/** One row is kept in memory whole. */
const ROW_MAX = 4 * 1024 * 1024;

/** `from`: the first line to read, 1 for the first of the file. */
export async function* csvRows(pieces: AsyncIterable<string>, delimiter: string, from = 1): AsyncGenerator<CsvRow> {
  let line = 0;
  const options = {
    delimiter,
    from_line: from,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX,
    info: true,
    bom: true,
  } as const;
  const source = Readable.from(withoutEmpty(pieces));
  const parser = parse(options);
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      line = info.lines;
      yield { cells: record, line };
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "CSV_QUOTE_NOT_CLOSED")
      yield { problem: "a quote is opened and never closed; the rest of the file stands inside it", line: line + 1 };
    else yield { problem: message, line: line + 1 };
  } finally {
    source.destroy();
    parser.destroy();
  }
}

async function* withoutEmpty(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) if (piece !== "") yield piece;
}
