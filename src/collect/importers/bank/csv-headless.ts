// Recognises the columns of a CSV statement without a header by their content.
import { dateOrderOf, dayOf } from "./amounts.ts";
import type { CsvColumns, CsvLayout } from "./csv-layout.ts";
import { CURRENCY_CODE } from "./csv-words.ts";

const SAMPLE_LINES = 30;
const MONEY = /^[+-]?\s?[£$€]?\s?[+-]?\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}$/;
const ACCOUNT = /^(?:[A-Z]{2}\d{2}[A-Z0-9 ]{10,30}|\d{8,20})$/;
const SIDE = /^(?:debit|credit|af|bij|dr|cr)$/i;

/** Splits a line with quoted cells. */
export function quotedCells(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let [cell, quoted] = ["", false];
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === delimiter && !quoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

/** Returns undefined unless every line has one date column, one amount column and one text column. */
export function headlessLayout(head: string, delimiters: readonly string[]): CsvLayout | undefined {
  const lines = head
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .slice(0, SAMPLE_LINES)
    .filter((line) => line.trim() !== "");
  // The last line may be truncated.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  for (const delimiter of delimiters) {
    const rows = whole.map((line) => quotedCells(line, delimiter));
    const columns = columnsOf(rows);
    if (columns !== undefined) {
      const header = rows[0]!.map((_, index) => `Column ${index + 1}`);
      return { delimiter, preamble: -1, header, ...columns };
    }
  }
  return undefined;
}

function columnsOf(rows: readonly string[][]): Pick<CsvLayout, "columns" | "texts"> | undefined {
  const width = rows[0]?.length ?? 0;
  if (width < 3 || width > 40 || rows.some(({ length }) => Math.abs(length - width) > 2)) return undefined;
  const indexes = Array.from({ length: width }, (_, index) => index);
  const cells = (index: number): string[] => rows.map((row) => row[index] ?? "");
  const filled = (index: number): string[] => cells(index).filter((cell) => cell !== "");
  const isEvery = (index: number, test: (cell: string) => boolean): boolean =>
    filled(index).length > 0 && filled(index).every(test);
  const order = (index: number) => dateOrderOf(filled(index)) ?? "dmy";
  const days = indexes.filter(
    (index) =>
      filled(index).length === rows.length && isEvery(index, (cell) => dayOf(cell, order(index)) !== undefined),
  );
  const money = indexes.filter((index) => isEvery(index, (cell) => MONEY.test(cell) || /^0$/.test(cell)));
  const full = money.filter((index) => filled(index).length === rows.length);
  const [date, value] = days;
  if (date === undefined || money.length === 0) return undefined;
  const columns: CsvColumns = { date, ...(value === undefined ? {} : { value }) };
  // There can be one amount, an amount and a balance, or money out and money in followed by a balance.
  const [one, other, third] = money;
  const isSplit = other !== undefined && rows.every((row) => isNone(row[one!]) !== isNone(row[other]));
  if (isSplit)
    Object.assign(columns, { debit: one, credit: other, ...(third === undefined ? {} : { balance: third }) });
  else if (full.length === 0) return undefined;
  else {
    // With two money columns, the amount comes first and the balance second, unless only the second column has signs.
    const isSigned = (index: number | undefined): boolean =>
      index !== undefined && cells(index).some((cell) => cell.startsWith("-"));
    const [amount, balance] = isSigned(full[1]) && !isSigned(full[0]) ? [full[1], full[0]] : full;
    Object.assign(columns, { amount, ...(balance === undefined ? {} : { balance }) });
  }
  const rest = indexes.filter((index) => !days.includes(index) && !money.includes(index) && filled(index).length > 0);
  const take = (role: "currency" | "account" | "side", test: (cell: string) => boolean): void => {
    const index = rest.find((at) => isEvery(at, test));
    if (index !== undefined) columns[role] = rest.splice(rest.indexOf(index), 1)[0]!;
  };
  take("currency", (cell) => cell.length === 3 && CURRENCY_CODE.test(cell));
  take("side", (cell) => SIDE.test(cell));
  take("account", (cell) => ACCOUNT.test(cell) && cell === filled(rest.find((at) => cells(at).includes(cell))!)[0]);
  const texts = rest.filter((index) => filled(index).some((cell) => /\p{L}{3}/u.test(cell)));
  return texts.length === 0 ? undefined : { columns, texts };
}

const isNone = (cell: string | undefined): boolean => cell === undefined || !/[1-9]/.test(cell);
