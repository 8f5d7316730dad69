// Bank statements as CSV: detects how dates and amounts are written, asks about anything ambiguous, and reads the
// transactions.
import type { ImportAnswers, ImporterQuestion } from "../../importer.ts";
import { type CsvRow, csvRows } from "../csv-rows.ts";
import { digestOf } from "../replay.ts";
import { type DateOrder, type DecimalMark, dateOrderOf, dayOf, decimalMarkOf, decimalText } from "./amounts.ts";
import { type CsvLayout, currencyIn } from "./csv-layout.ts";
import type { CsvColumn } from "./csv-words.ts";
import type { Booking, StatedAccount, StatementItem } from "./statement.ts";

const CELL_MAX = 64 * 1024;

type CellRow = Extract<CsvRow, { cells: string[] }>;

/** The rows below the header. */
export const rowsOf = (text: () => AsyncIterable<string>, { delimiter, preamble }: CsvLayout): AsyncGenerator<CsvRow> =>
  csvRows(text, delimiter, preamble + 2);

/**
 * How the direction of a payment is shown: by the sign of the amount, by another column, by an inverted sign, or not at
 * all.
 */
type SignConvention = "as written" | "by side" | "inverted" | "unknown";

export interface CsvConventions {
  order?: DateOrder;
  mark?: DecimalMark;
  sign: SignConvention;
  /** True if negative amounts are payments to a card, or positive amounts are called purchases. */
  looksLikeCard: boolean;
}

const OUT = /^(?:debit|dbit|dr|d|af|soll|s|out|outflow|withdrawal|belastung)$/i;
const INTO = /^(?:credit|crdt|cr|c|k|bij|haben|h|in|inflow|deposit|gutschrift)$/i;
const PURCHASE = /^(?:purchase|sale|kauf|achat)$/i;
const PENDING = /^(?:pending|vorgemerkt|en attente|pendiente|in behandeling|authori[sz]ed)$/i;
const CARD_PAYMENT = /payment|thank you|autopay|zahlung|paiement/i;

/** Detects the date and amount formats of this file, as far as its rows reveal them. */
export function conventionsOf(rows: readonly CellRow[], { columns, texts, delimiter }: CsvLayout): CsvConventions {
  const cell = ({ cells }: CellRow, column: CsvColumn): string =>
    columns[column] === undefined ? "" : (cells[columns[column]!]?.trim() ?? "");
  const at = (column: CsvColumn): string[] => rows.map((row) => cell(row, column)).filter((text) => text !== "");
  const amounts = [...at("amount"), ...at("debit"), ...at("credit"), ...at("balance")];
  // If commas separate the cells, a comma inside a cell needs quotes. Semicolons suggest that the comma is the decimal
  // mark.
  const mark = decimalMarkOf(amounts) ?? (delimiter === ";" ? "," : undefined);
  const order = dateOrderOf(at("date"));
  const signed = rows.flatMap((row) => {
    const amount = Number(decimalText(cell(row, "amount"), mark ?? ".") ?? 0);
    const text = texts.map((index) => row.cells[index] ?? "").join(" ");
    return amount === 0
      ? []
      : [
          {
            amount,
            side: sideOf(cell(row, "side"), cell(row, "kind")),
            kind: cell(row, "kind"),
            text,
            hasPlus: cell(row, "amount").startsWith("+"),
          },
        ];
  });
  const balances = rows.map((row) => Number(decimalText(cell(row, "balance"), mark ?? ".") ?? Number.NaN));
  const confirmed = rows.some((row, index) => {
    const amount = Number(decimalText(cell(row, "amount"), mark ?? ".") ?? 0);
    const before = [balances[index - 1], balances[index + 1]];
    return amount !== 0 && before.some((other) => Math.abs(balances[index]! - amount - other!) < 0.005);
  });
  return {
    ...(order === undefined ? {} : { order }),
    ...(mark === undefined ? {} : { mark }),
    sign: signOf(signed, confirmed),
    looksLikeCard: signed.some(({ amount, kind, text }) =>
      amount > 0 ? PURCHASE.test(kind) : CARD_PAYMENT.test(`${kind} ${text}`),
    ),
  };
}

const sideOf = (...cells: string[]): "out" | "into" | undefined => {
  const side = cells.find((text) => OUT.test(text) || INTO.test(text));
  return side === undefined ? undefined : OUT.test(side) ? "out" : "into";
};

function signOf(
  rows: readonly { amount: number; side: "out" | "into" | undefined; hasPlus: boolean }[],
  isConfirmedByBalance: boolean,
): SignConvention {
  const negative = rows.filter(({ amount }) => amount < 0).length;
  const positive = rows.filter(({ amount }) => amount > 0);
  if (positive.length > 0 && positive.every(({ hasPlus }) => hasPlus)) return "as written";
  const sided = rows.filter(({ side }) => side !== undefined);
  if (sided.length > 0) {
    if (negative === 0) return "by side";
    const against = sided.filter(({ amount, side }) => amount > 0 === (side === "out")).length;
    return against * 2 > sided.length ? "inverted" : "as written";
  }
  // Most transactions of an account are money spent. If most are positive, the file may be from a card, where charges
  // are positive.
  return rows.length > 0 && negative * 2 < rows.length && !isConfirmedByBalance ? "unknown" : "as written";
}

export const DATE_ORDER: ImporterQuestion = {
  id: "date_order",
  text: "Dates such as 03/04/2024 are ambiguous. Which comes first?",
  options: [
    { value: "dmy", label: "day, month, year" },
    { value: "mdy", label: "month, day, year" },
    { value: "ymd", label: "year, month, day" },
  ],
};

export const DECIMAL_MARK: ImporterQuestion = {
  id: "decimal_mark",
  text: "Amounts such as 1,234 are ambiguous. Which character comes before the cents?",
  options: [
    { value: ".", label: "a point: 1,234.56" },
    { value: ",", label: "a comma: 1.234,56" },
  ],
};

export const signQuestion = ({ looksLikeCard }: CsvConventions): ImporterQuestion => ({
  id: "sign",
  text: "Most amounts are positive. What does a positive amount mean?",
  options: [
    { value: "received", label: "money received" },
    { value: "spent", label: "money spent, as on a card" },
  ],
  default: looksLikeCard ? "spent" : "received",
});

export const amountColumn = ({ header }: CsvLayout): ImporterQuestion => ({
  id: "amount_column",
  text: "Which column has the amount? If there are two, answer debit_column and credit_column instead",
  options: header.map((name) => ({ value: name, label: name })),
});

export const ACCOUNT: ImporterQuestion = {
  id: "account",
  text: "The statement does not say which account it is for. What should the account be called? Statements with the same name belong to one account",
  default: "Account",
};

export function answeredConventions(answers: ImportAnswers): Pick<CsvConventions, "order" | "mark"> {
  const order = DATE_ORDER.options!.find(({ value }) => value === answers.date_order)?.value as DateOrder | undefined;
  const mark = DECIMAL_MARK.options!.find(({ value }) => value === answers.decimal_mark)?.value as
    | DecimalMark
    | undefined;
  return { ...(order === undefined ? {} : { order }), ...(mark === undefined ? {} : { mark }) };
}

export async function* csvStatement(
  text: () => AsyncIterable<string>,
  layout: CsvLayout,
  conventions: Required<CsvConventions>,
  accountName: string,
): AsyncGenerator<StatementItem> {
  let last: { booking: Booking; account: StatedAccount; offset: number } | undefined;
  for await (const row of rowsOf(text, layout)) {
    if ("problem" in row) {
      yield { problem: row.problem, offset: row.line };
      continue;
    }
    if (row.cells.every((cell) => cell.trim() === "")) continue;
    // Some banks put the rest of a description below its transaction, in a row without a date or an amount.
    const rest = last === undefined ? undefined : detailLine(row.cells, layout);
    if (rest !== undefined) {
      const { description, ...booking } = last!.booking;
      last = { ...last!, booking: { ...booking, description: joined([description ?? "", ...rest]) } };
      continue;
    }
    if (last !== undefined) yield last;
    last = undefined;
    const stated = bookingOf(row, layout, conventions, accountName);
    if ("booking" in stated) last = stated;
    else yield stated;
  }
  if (last !== undefined) yield last;
}

/** Returns the cells of a row that contains only text about a transaction. */
function detailLine(cells: readonly string[], { texts }: CsvLayout): string[] | undefined {
  const filled = cells.flatMap((cell, index) => (cell.trim() === "" ? [] : [index]));
  return filled.every((index) => texts.includes(index)) ? filled.map((index) => cells[index]!) : undefined;
}

const joined = (texts: readonly string[]): string =>
  [...new Set(texts.map((one) => one.trim()).filter((one) => one !== ""))].join(" ").slice(0, CELL_MAX);

type StatedBooking = Extract<StatementItem, { booking: Booking }>;

function bookingOf(
  { cells, line: offset }: CellRow,
  layout: CsvLayout,
  conventions: Required<CsvConventions>,
  accountName: string,
): StatedBooking | Extract<StatementItem, { problem: string } | { skipped: string }> {
  const { columns, texts, accountNumber, header } = layout;
  const { order, mark } = conventions;
  // Columns whose cell is stored in a field. The others are kept under their headings.
  const used = new Set<number>(texts);
  const at = (column: CsvColumn): string =>
    columns[column] === undefined ? "" : (cells[columns[column]!] ?? "").trim().slice(0, CELL_MAX);
  const use = (column: CsvColumn): string => {
    const cell = at(column);
    if (cell !== "") used.add(columns[column]!);
    return cell;
  };
  const day = (column: "date" | "value"): string | undefined => {
    const found = dayOf(at(column), order);
    // If the cell also has a time of day, it is kept with the other columns as well.
    if (found !== undefined && !/\d\D?:\d\d/.test(at(column))) use(column);
    return found;
  };
  const booked_on = day("date");
  const amount_text = amountOf(at, conventions);
  if (booked_on === undefined && amount_text === undefined)
    return { skipped: "it has neither a date nor an amount: a heading or a total", offset };
  if (amount_text === undefined && (at("amount") || at("debit") || at("credit")) === "")
    return { skipped: "it has no amount: nothing was booked", offset };
  const isPending = PENDING.test(at("date")) || (at("date") === "" && at("status") !== "");
  if (booked_on === undefined && isPending) return { skipped: "not booked yet", offset };
  if (booked_on === undefined || amount_text === undefined) {
    const raw = booked_on === undefined ? at("date") : at("amount") || at("debit") || at("credit");
    return { problem: `${JSON.stringify(raw)} is not ${booked_on === undefined ? "a date" : "an amount"}`, offset };
  }
  if (conventions.sign === "by side") use("side");
  if (at("amount") !== "") use("amount");
  else for (const column of ["debit", "credit"] as const) use(column);
  const own = use("account") || accountNumber;
  const currency =
    (/^[A-Za-z]{3}$/.test(at("currency")) ? use("currency").toUpperCase() : undefined) ??
    layout.currency ??
    currencyIn(at("amount") || at("debit") || at("credit"));
  const account: StatedAccount = {
    ...(own
      ? { identity: `csv ${own.replaceAll(" ", "")}`, number: own }
      : { identity: `csv ${digestOf(...header)} ${accountName}`, name: accountName }),
    ...(currency === undefined ? {} : { currency }),
  };
  const value_on = day("value");
  const balance_text = decimalText(at("balance"), mark);
  if (balance_text !== undefined) use("balance");
  const isOut = amount_text.startsWith("-");
  const [payee, payer] = [at("payee"), at("payer")];
  const named = use("counterparty");
  const counterparty = named || (isOut ? use("payee") || payer : use("payer") || payee);
  const description = joined(texts.map((index) => cells[index] ?? ""));
  const given = { reference: "reference", status: "status", check_number: "checkNumber" } as const;
  const booking: Booking = {
    booked_on,
    amount_text,
    ...(value_on === undefined ? {} : { value_on }),
    ...(balance_text === undefined ? {} : { balance_text }),
    ...(currency === undefined ? {} : { currency }),
    counterparty,
    counterparty_account: use("counterpartyAccount"),
    description,
    category: use("category"),
    kind: use("kind"),
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, column]) => (at(column) === "" ? [] : [[name, use(column)]])),
    ),
  };
  const other_columns = cells.flatMap((cell, index) => {
    const value = cell.trim().slice(0, CELL_MAX);
    return used.has(index) || value === "" ? [] : [{ heading: header[index] || `Column ${index + 1}`, value }];
  });
  return { booking: { ...booking, ...(other_columns.length === 0 ? {} : { other_columns }) }, account, offset };
}

/**
 * Amounts come in one signed column, in one unsigned column plus one that says debit or credit, or in two columns.
 * Money out is negative.
 */
function amountOf(at: (column: CsvColumn) => string, { mark, sign }: Required<CsvConventions>): string | undefined {
  const isSome = (text: string | undefined): text is string => text !== undefined && /[1-9]/.test(text);
  const spent = (text: string): string => `-${text.replace(/^-/, "")}`;
  if (at("amount") !== "") {
    const amount = decimalText(at("amount"), mark);
    if (!isSome(amount)) return amount;
    if (sign === "by side") return sideOf(at("side"), at("kind")) === "out" ? spent(amount) : amount;
    return sign === "inverted" ? (amount.startsWith("-") ? amount.slice(1) : spent(amount)) : amount;
  }
  const [out, into] = [decimalText(at("debit"), mark), decimalText(at("credit"), mark)];
  if (isSome(out)) return spent(out);
  return isSome(into) ? into : (into ?? out);
}
