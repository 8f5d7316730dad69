// G-11: a CSV file is safe in a spreadsheet, whatever delimiter the program guesses and whether or not it handles quotes.
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

const DELIMITERS = [",", ";", "\t", "|"];
const FORMULA = /^[=+\-@＝＋－＠]/;
const text = fc.string({
  unit: fc.constantFrom('"', '"', "=", "+", "-", "@", ",", ";", "\t", "|", "\r", "\n", "＝", "a", "1", " ", "\\", "'"),
  maxLength: 12,
});

/**
 * Parses as leniently as a spreadsheet: rows of any length, quotes that are never closed, text after a closing quote.
 */
const cellsOf = (csv: string, delimiter: string, quote: '"' | null): string[] => {
  const lenient = { relax_column_count: true, relax_quotes: true, skip_records_with_error: true };
  const rows: string[][] = parse(csv, { ...lenient, delimiter, quote, record_delimiter: ["\r\n", "\n", "\r"] });
  return rows.flat();
};

/**
 * Like most spreadsheets, removes a quote at the start of a cell along with the closing quote, and keeps the text after
 * it.
 */
function spreadsheetCells(csv: string, delimiter: string): string[] {
  const cell = `"(?:[^"]|"")*(?:"|$)[^${delimiter}\r\n]*|[^${delimiter}\r\n]*`;
  return [...csv.matchAll(new RegExp(`(?:^|[${delimiter}\r\n])(${cell})`, "g"))].map(([, found]) =>
    found!.replace(/^"((?:[^"]|"")*)(?:"|$)/, (_, inner: string) => inner.replaceAll('""', '"')),
  );
}

it.each(DELIMITERS)("G-11 no text produces a cell that begins like a formula if %j is the delimiter", (delimiter) => {
  fc.assert(
    fc.property(text, text, fc.integer(), (one, other, number) => {
      const csv = csvLine(["id", one, other]) + csvLine([other, { [one]: one, list: [other, one, number, [number]] }]);
      const read = [
        ...cellsOf(csv, delimiter, '"'),
        ...cellsOf(csv, delimiter, null),
        ...spreadsheetCells(csv, delimiter),
      ];
      for (const cell of read) expect(cell, JSON.stringify(csv)).not.toMatch(FORMULA);
    }),
    {
      numRuns: 300,
      examples: [
        ['x;"=1+1;y', "", 0],
        ['x\t"=1+1', 'x|""=1', -1],
        ['a\n"=1', '"=1', -1],
      ],
    },
  );
});

it("G-11 a cell that contains a delimiter is quoted, ordinary text is unchanged, and nested values are equivalent JSON", () => {
  expect(csvLine(["hello;=1+1", 'x;"=1+1;y', "a;b", "a\tb", "plain - text", -5])).toBe(
    `"hello;'=1+1","x;'""=1+1;y","a;b","a\tb",plain - text,-5\r\n`,
  );
  fc.assert(
    fc.property(text, text, fc.integer(), (one, other, number) => {
      const nested = { text: one, list: [other, number, -1, { [one]: other }] };
      const [, cell] = /^"(.*)"\r\n$/s.exec(csvLine([nested]))!;
      expect(JSON.parse(cell!.replaceAll('""', '"'))).toEqual(nested);
    }),
  );
});
