// Bank statements as CSV: how dates and amounts are written, what has to be asked, and the bookings.
import type { ImportAnswers, ImporterQuestion } from "../../importer.ts";
import { type CsvRow, csvRows } from "../csv-rows.ts";
import { digestOf } from "../replay.ts";
import { type DateOrder, type DecimalMark, dateOrderOf, dayOf, decimalMarkOf, decimalText } from "./amounts.ts";
import type { CsvColumn, CsvLayout } from "./csv-layout.ts";
import type { Booking, Stated, StatedAccount } from "./statement.ts";

const CELL_MAX = 64 * 1024;

type CellRow = Extract<CsvRow, { cells: string[] }>;

/** What stands below the header. */
export const rowsOf = (text: () => AsyncIterable<string>, { delimiter, preamble }: CsvLayout): AsyncGenerator<CsvRow> =>
  csvRows(text, delimiter, preamble + 2);

export interface CsvHabits {
  order?: DateOrder;
  mark?: DecimalMark;
  /** No amount has a sign: another column tells which way it went, or nothing does. */
  isUnsigned: boolean;
  /** Whether another column tells it. */
  hasSides: boolean;
}

const OUT = /^(?:debit|dbit|dr|d|af|soll|s|out|withdrawal|belastung)$/i;
const INTO = /^(?:credit|crdt|cr|c|bij|haben|h|in|deposit|gutschrift)$/i;
/** Fewer rows without a sign happen by chance. */
const TELLING_ROWS = 5;

/** How this file writes dates and amounts, as far as its rows tell. */
export function habitsOf(rows: readonly CellRow[], { columns, delimiter }: CsvLayout): CsvHabits {
  const at = (column: CsvColumn): string[] =>
    columns[column] === undefined
      ? []
      : rows.map(({ cells }) => cells[columns[column]!]?.trim() ?? "").filter((cell) => cell !== "");
  const amounts = [...at("amount"), ...at("debit"), ...at("credit"), ...at("balance")];
  // A comma between cells leaves the comma inside them to quotes; a semicolon is there because commas are decimal.
  const mark = decimalMarkOf(amounts) ?? (delimiter === ";" ? "," : undefined);
  const order = dateOrderOf(at("date"));
  const sides = [...at("side"), ...at("kind")].filter((cell) => OUT.test(cell) || INTO.test(cell));
  return {
    ...(order === undefined ? {} : { order }),
    ...(mark === undefined ? {} : { mark }),
    isUnsigned: at("amount").length > 0 && !at("amount").some((text) => /[-\u2212(]|DR?$/i.test(text)),
    hasSides: sides.length > 0,
  };
}

/** Whether it is worth asking which way the money went. */
export const isDoubtful = ({ isUnsigned, hasSides }: CsvHabits, rows: number): boolean =>
  isUnsigned && !hasSides && rows >= TELLING_ROWS;

export const DATE_ORDER: ImporterQuestion = {
  id: "date_order",
  text: "Dates such as 03/04/2024 could be read both ways. Which comes first?",
  options: [
    { value: "dmy", label: "day, month, year" },
    { value: "mdy", label: "month, day, year" },
    { value: "ymd", label: "year, month, day" },
  ],
};

export const DECIMAL_MARK: ImporterQuestion = {
  id: "decimal_mark",
  text: "Amounts such as 1,234 could be read both ways. Which mark stands before the cents?",
  options: [
    { value: ".", label: "a point: 1,234.56" },
    { value: ",", label: "a comma: 1.234,56" },
  ],
};

export const SIGN: ImporterQuestion = {
  id: "sign",
  text: "No amount has a sign. What are they?",
  options: [
    { value: "received", label: "money received" },
    { value: "spent", label: "money spent, as on a card" },
  ],
  default: "received",
};

export const amountColumn = ({ header }: CsvLayout): ImporterQuestion => ({
  id: "amount_column",
  text: "Which column has the amount? Where there are two, answer debit_column and credit_column instead",
  options: header.map((name) => ({ value: name, label: name })),
});

export const ACCOUNT: ImporterQuestion = {
  id: "account",
  text: "The statement does not name its account. What is it called? Statements with the same answer are of one account",
  default: "Account",
};

export function answeredHabits(answers: ImportAnswers): Pick<CsvHabits, "order" | "mark"> {
  const order = DATE_ORDER.options!.find(({ value }) => value === answers.date_order)?.value as DateOrder | undefined;
  const mark = DECIMAL_MARK.options!.find(({ value }) => value === answers.decimal_mark)?.value as
    | DecimalMark
    | undefined;
  return { ...(order === undefined ? {} : { order }), ...(mark === undefined ? {} : { mark }) };
}

export async function* csvStatement(
  text: () => AsyncIterable<string>,
  layout: CsvLayout,
  habits: Required<CsvHabits> & { isSpent: boolean },
  accountName: string,
): AsyncGenerator<Stated> {
  const { columns, accountNumber } = layout;
  const { order, mark } = habits;
  for await (const row of rowsOf(text, layout)) {
    if ("problem" in row) {
      yield { problem: row.problem, offset: row.line };
      continue;
    }
    const { cells, line: offset } = row;
    const at = (column: CsvColumn): string =>
      columns[column] === undefined ? "" : (cells[columns[column]!] ?? "").trim().slice(0, CELL_MAX);
    if (cells.every((cell) => cell.trim() === "")) continue;
    const booked_on = dayOf(at("date"), order);
    const amount_text = amountOf(at, habits);
    if (booked_on === undefined && amount_text === undefined) {
      yield { skipped: "neither date nor amount: a heading or a sum", offset };
      continue;
    }
    if (booked_on === undefined || amount_text === undefined) {
      const raw = booked_on === undefined ? at("date") : at("amount") || at("debit") || at("credit");
      yield { problem: `${JSON.stringify(raw)} is no ${booked_on === undefined ? "date" : "amount"}`, offset };
      continue;
    }
    const own = at("account") || accountNumber;
    const currency = /^[A-Za-z]{3}$/.test(at("currency")) ? at("currency").toUpperCase() : undefined;
    const account: StatedAccount = own
      ? { identity: `csv ${own.replaceAll(" ", "")}`, number: own, ...(currency ? { currency } : {}) }
      : {
          identity: `csv ${digestOf(...layout.header)} ${accountName}`,
          name: accountName,
          ...(currency ? { currency } : {}),
        };
    const value_on = dayOf(at("value"), order);
    const balance_text = decimalText(at("balance"), mark);
    const booking: Booking = {
      booked_on,
      amount_text,
      ...(value_on === undefined ? {} : { value_on }),
      ...(balance_text === undefined ? {} : { balance_text }),
      ...(at("reference") === "" ? {} : { reference: at("reference") }),
      ...(currency === undefined ? {} : { currency }),
      counterparty: at("counterparty"),
      description: at("description"),
      category: at("category"),
      kind: at("kind"),
    };
    yield { booking, account, offset };
  }
}

/** One column with a sign, one without and another that tells the side, or two: what went out is negative. */
function amountOf(
  at: (column: CsvColumn) => string,
  { mark, isUnsigned, isSpent }: Required<CsvHabits> & { isSpent: boolean },
): string | undefined {
  const isSome = (text: string | undefined): text is string => text !== undefined && /[1-9]/.test(text);
  const spent = (text: string): string => `-${text.replace(/^-/, "")}`;
  if (at("amount") !== "") {
    const amount = decimalText(at("amount"), mark);
    const side = [at("side"), at("kind")].find((cell) => OUT.test(cell) || INTO.test(cell));
    const isOut = isUnsigned && (side === undefined ? isSpent : OUT.test(side));
    return isOut && isSome(amount) ? spent(amount) : amount;
  }
  const [out, into] = [decimalText(at("debit"), mark), decimalText(at("credit"), mark)];
  if (isSome(out)) return spent(out);
  return isSome(into) ? into : (into ?? out);
}
