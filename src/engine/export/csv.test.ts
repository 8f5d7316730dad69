// G-11: a CSV file is safe in a spreadsheet, whatever delimiter that takes it to have.
import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";

const HOSTILE = ["=1+1", "hello;=1+1", "hello\t=1+1", "a|@SUM(1)", "a;+1;-1", "a\n=1+1", "a\r\n-1", "\t=1", "x;＝1+1"];

/** The least careful reader: quotes mean nothing, each delimiter and line end begins a cell. */
const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(/[\r\n]/).flatMap((row) => row.split(delimiter));

it.each([";", "\t", "|"])("G-11 no cell begins as a formula when %j is taken for the delimiter", (delimiter) => {
  for (const text of HOSTILE) {
    const line = csvLine(["id", text, { nested: text, list: [text] }]);
    for (const cell of cellsOf(line, delimiter)) expect(cell, JSON.stringify(text)).not.toMatch(/^"?[=+\-@＝＋－＠]/);
  }
});

it("G-11 a cell with any delimiter is quoted, an ordinary text is as it was, and nested values are the same JSON", () => {
  expect(csvLine(["hello;=1+1", "a;b", "a\tb", "plain - text", -5])).toBe(
    `"hello;'=1+1","a;b","a\tb",plain - text,-5\r\n`,
  );
  const nested = { text: "a;=1|-2" };
  const [, cell] = /^"(.*)"\r\n$/.exec(csvLine([nested]))!;
  expect(JSON.parse(cell!.replaceAll('""', '"'))).toEqual(nested);
});
