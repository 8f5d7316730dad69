// Determines the role of each column in a CSV statement, and where its header is.
import type { ImportAnswers } from "../../importer.ts";
import { digestOf } from "../replay.ts";
import { headlessLayout, quotedCells } from "./csv-headless.ts";
import { COLUMN_WORDS, type CsvColumn, CURRENCY_CODE, CURRENCY_SIGNS, plainHeading } from "./csv-words.ts";

export type CsvColumns = Partial<Record<CsvColumn, number>>;

export interface CsvLayout {
  delimiter: string;
  /** The number of rows above the header. */
  preamble: number;
  header: string[];
  columns: CsvColumns;
  /** Columns with text about the transaction, the purpose first. Together they form its description. */
  texts: number[];
  /** Taken from the rows above the header, or from the file name. */
  accountNumber?: string;
  /** Taken from the heading of the amount, or from the rows above the header. */
  currency?: string;
}

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/;
const DELIMITERS = [",", ";", "\t", "|"];
const PREAMBLE_MAX = 40;

/**
 * Detects the layout from the first kilobytes. Returns undefined unless a header or the rows show a date and either an
 * amount or a balance.
 */
export function layoutOf(head: string, path: string): CsvLayout | undefined {
  const lines = head.replace(/^\ufeff/, "").split(/\r\n|\n|\r/, PREAMBLE_MAX + 1);
  for (const [preamble, line] of lines.entries()) {
    for (const delimiter of DELIMITERS) {
      if (!line.includes(delimiter)) continue;
      const header = cellsOf(line, delimiter);
      const columns = withMoneyBeside(columnsOf(header), header, lines.slice(preamble + 1, preamble + 6), delimiter);
      // A balance shows that the file is a statement. The owner can be asked for the amount column.
      if (columns.date === undefined || (!hasAmount(columns) && columns.balance === undefined)) continue;
      const above = lines.slice(0, preamble).join("\n");
      const iban = IBAN.exec(above.toUpperCase())?.[0] ?? IBAN.exec(path.toUpperCase().replace(/[_]/g, " "))?.[0];
      const money = header[columns.amount ?? columns.debit ?? columns.balance!]!;
      const currency = currencyIn(money) ?? (columns.currency === undefined ? currencyIn(above) : undefined);
      return {
        delimiter,
        preamble,
        header,
        columns,
        texts: textsOf(header, columns),
        ...(iban === undefined ? {} : { accountNumber: iban.replaceAll(" ", "") }),
        ...(currency === undefined ? {} : { currency }),
      };
    }
  }
  return headlessLayout(head, DELIMITERS);
}

/** Finds a currency code, or a sign that only one currency uses. */
export const currencyIn = (text: string): string | undefined =>
  CURRENCY_CODE.exec(text)?.[0] ?? CURRENCY_SIGNS[/[€£₹₴]/.exec(text)?.[0] ?? ""];

export const hasAmount = ({ amount, debit, credit }: CsvColumns): boolean =>
  amount !== undefined || (debit !== undefined && credit !== undefined);

/** Brokers write the currency below the heading, and the amount in the next column, which has no heading. */
function withMoneyBeside(columns: CsvColumns, header: string[], below: string[], delimiter: string): CsvColumns {
  const rows = below.map((line) => quotedCells(line, delimiter));
  const found = { ...columns };
  for (const role of ["balance", "amount"] as const) {
    const index = columns[role];
    if (index === undefined || header[index + 1] !== "") continue;
    const cells = rows.map((row) => row[index] ?? "");
    if (!cells.some((cell) => /^[A-Z]{3}$/.test(cell)) || cells.some((cell) => /\d/.test(cell))) continue;
    found.currency = index;
    found[role] = index + 1;
  }
  return found;
}

const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim(),
  );

const ROLES = Object.keys(COLUMN_WORDS) as CsvColumn[];

function columnsOf(header: readonly string[]): CsvColumns {
  const names = header.map(plainHeading);
  const taken = new Set<number>();
  const columns: CsvColumns = {};
  for (const role of ROLES) {
    for (const word of COLUMN_WORDS[role]) {
      const index = names.findIndex((name, at) => name === word && !taken.has(at));
      if (index === -1) continue;
      columns[role] = index;
      taken.add(index);
      break;
    }
  }
  return columns;
}

/** Collects all text about a transaction: "Description" and "Description 2", "Message for payee" and "Notes". */
function textsOf(header: readonly string[], columns: CsvColumns): number[] {
  const taken = new Set(Object.values(columns));
  const known = new Set<string>(COLUMN_WORDS.purpose);
  const more = header.flatMap((heading, index) =>
    !taken.has(index) && known.has(plainHeading(heading).replace(/ \d$/, "")) ? [index] : [],
  );
  return [...(columns.purpose === undefined ? [] : [columns.purpose]), ...more];
}

/** A CSV with a date and an amount can be many things. Its other columns show that it is a statement. */
export const isStatement = ({ columns, texts }: CsvLayout): boolean =>
  texts.length > 0 ||
  [columns.counterparty, columns.payee, columns.balance, columns.value].some((index) => index !== undefined);

export const layoutIdentity = ({ header, accountNumber }: CsvLayout): string =>
  digestOf("csv", accountNumber ?? "", ...header);

/** Applies the answers, which identify columns by their headings. */
export function withAnswers(layout: CsvLayout, answers: ImportAnswers): CsvLayout {
  const columns = { ...layout.columns };
  // A column may have an empty heading, and a missing answer must not select it.
  const named = (heading: string | undefined): number => (heading ? layout.header.indexOf(heading) : -1);
  for (const column of ["date", "amount", "debit", "credit", "counterparty"] as const) {
    const index = named(answers[`${column}_column`]);
    if (index !== -1) columns[column] = index;
  }
  const text = named(answers.description_column);
  const texts = text === -1 ? layout.texts : [text, ...layout.texts.filter((index) => index !== text)];
  return { ...layout, columns, texts };
}
