// Bank statements as CSV: which column is what, how dates and amounts are written, and what has to be asked.
import type { Answers, Question } from "../../importer.ts";
import { type CsvRow, csvRows } from "../csv-rows.ts";
import { digestOf } from "../replay.ts";
import { type DateOrder, type DecimalMark, dateOrderOf, dayOf, decimalMarkOf, decimalText } from "./amounts.ts";
import type { Booking, Stated, StatedAccount } from "./statement.ts";

/** Columns by the words that banks put above them (English, German, French, Spanish, Italian, Dutch, Portuguese). */
const WORDS = {
  date: /^(?:transaction |booking |posted |posting |post |trans\.? |completed |operation )?date(?: posted| booked| completed)?$|^(?:buchungstag|buchungsdatum|buchung|datum|date op[ée]ration|date (?:de )?comptabilisation|fecha(?: operaci[óo]n)?|data(?: contabile| operazione| mov\.?| lan[çc]amento)?|boekdatum|transactiedatum)$/,
  value:
    /^(?:value date|valutadatum|valuta|wertstellung(?:sdatum)?|date (?:de )?valeur|fecha valor|data valuta|rentedatum)$/,
  amount:
    /^(?:(?:transaction )?amount(?: \(?[a-z]{3}\)?)?|betrag(?: \(?(?:eur|€|[a-z]{3})\)?)?|umsatz|montant(?: \(?[a-z]{3}\)?)?|importe|importo|bedrag(?: \(?[a-z]{3}\)?)?|valor|sum|value)$/,
  debit:
    /^(?:debits?(?: amount)?|withdrawals?(?: amount)?|paid out|money out|soll|ausgaben?|belastung|d[ée]bit|cargo|dare|addebito|af|uitgaven)$/,
  credit:
    /^(?:credits?(?: amount)?|deposits?(?: amount)?|paid in|money in|haben|einnahmen?|gutschrift|cr[ée]dit|abono|avere|accredito|bij|inkomsten)$/,
  counterparty:
    /^(?:payee|merchant(?: name)?|counter ?party(?: name)?|name|beneficiary|auftraggeber\s?\/\s?beg[üu]nstigter|beg[üu]nstigter(?:\s?\/\s?zahlungspflichtiger)?|zahlungsempf[äa]nger|empf[äa]nger|name zahlungsbeteiligter|naam(?: tegenpartij| \/ omschrijving)?|tiers|beneficiario)$/,
  description:
    /^(?:description|details?|memo|narrative|particulars|reference|notes?|transaction(?: description)?|original description|verwendungszweck|buchungstext|libell[ée]|concepto|descrizione|causale|omschrijving|mededelingen|descri[çc][ãa]o)$/,
  balance: /^(?:(?:running |account )?balance|saldo|kontostand|saldo nach buchung|solde)$/,
  currency: /^(?:currency|w[äa]hrung|devise|divisa|valuta code|munt|moeda)$/,
  category: /^(?:category|kategorie|cat[ée]gorie|categor[íi]a|categoria)$/,
  kind: /^(?:type|transaction type|umsatzart|code|mutatiesoort|tipo)$/,
  account:
    /^(?:account(?: number| no\.?| name)?|iban|iban auftragskonto|auftragskonto|kontonummer|konto|compte|cuenta|rekening)$/,
  reference: /^(?:transaction id|reference (?:no\.?|number)|transaction reference|fitid)$/,
} as const;

export type Column = keyof typeof WORDS;
export type Columns = Partial<Record<Column, number>>;

export interface CsvLayout {
  delimiter: string;
  /** Rows above the header, and the header. */
  preamble: number;
  header: string[];
  columns: Columns;
  /** From the rows above the header, or the file's name. */
  accountNumber?: string;
}

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/;
const DELIMITERS = [",", ";", "\t", "|"];
const PREAMBLE_MAX = 30;
const CELL_MAX = 64 * 1024;

/** What the first kilobytes show; undefined: no row has a date and an amount in its header. */
export function layoutOf(head: string, path: string): CsvLayout | undefined {
  const lines = head.replace(/^\ufeff/, "").split(/\r\n|\n|\r/, PREAMBLE_MAX + 1);
  for (const [preamble, line] of lines.entries()) {
    for (const delimiter of DELIMITERS) {
      if (!line.includes(delimiter)) continue;
      const header = cellsOf(line, delimiter);
      const columns = columnsOf(header);
      const hasAmount = columns.amount !== undefined || (columns.debit !== undefined && columns.credit !== undefined);
      if (columns.date === undefined || !hasAmount) continue;
      const iban =
        IBAN.exec(lines.slice(0, preamble).join("\n").toUpperCase())?.[0] ??
        IBAN.exec(path.toUpperCase().replace(/[_]/g, " "))?.[0];
      return {
        delimiter,
        preamble,
        header,
        columns,
        ...(iban === undefined ? {} : { accountNumber: iban.replaceAll(" ", "") }),
      };
    }
  }
  return undefined;
}

const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim(),
  );

function columnsOf(header: readonly string[]): Columns {
  const columns: Columns = {};
  for (const [index, cell] of header.entries()) {
    const name = cell.toLowerCase();
    for (const column of Object.keys(WORDS) as Column[]) {
      if (columns[column] === undefined && WORDS[column].test(name)) {
        columns[column] = index;
        break;
      }
    }
  }
  return columns;
}

/** A CSV with a date and an amount can be many things; what else stands there makes it a statement. */
export const isStatement = ({ columns }: CsvLayout): boolean =>
  [columns.description, columns.counterparty, columns.balance, columns.value].some((index) => index !== undefined);

export const layoutIdentity = ({ header, accountNumber }: CsvLayout): string =>
  digestOf("csv", accountNumber ?? "", ...header);

type Row = Extract<CsvRow, { cells: string[] }>;

/** What stands below the header. */
export const rowsOf = (pieces: AsyncIterable<string>, { delimiter, preamble }: CsvLayout): AsyncGenerator<CsvRow> =>
  csvRows(pieces, delimiter, preamble + 2);

export interface CsvHabits {
  order?: DateOrder;
  mark?: DecimalMark;
}

/** How this file writes dates and amounts, as far as its rows tell. */
export function habitsOf(rows: readonly Row[], { columns, delimiter }: CsvLayout): CsvHabits {
  const at = (column: Column): string[] =>
    columns[column] === undefined
      ? []
      : rows.map(({ cells }) => cells[columns[column]!]?.trim() ?? "").filter((cell) => cell !== "");
  const amounts = [...at("amount"), ...at("debit"), ...at("credit"), ...at("balance")];
  // A comma between cells leaves the comma inside them to quotes; a semicolon is there because commas are decimal.
  const mark = decimalMarkOf(amounts) ?? (delimiter === ";" ? "," : undefined);
  const order = dateOrderOf(at("date"));
  return { ...(order === undefined ? {} : { order }), ...(mark === undefined ? {} : { mark }) };
}

export const DATE_ORDER: Question = {
  id: "date_order",
  text: "Dates such as 03/04/2024 could be read both ways. Which comes first?",
  options: [
    { value: "dmy", label: "day, month, year" },
    { value: "mdy", label: "month, day, year" },
    { value: "ymd", label: "year, month, day" },
  ],
};

export const DECIMAL_MARK: Question = {
  id: "decimal_mark",
  text: "Amounts such as 1,234 could be read both ways. Which mark stands before the cents?",
  options: [
    { value: ".", label: "a point: 1,234.56" },
    { value: ",", label: "a comma: 1.234,56" },
  ],
};

export const ACCOUNT: Question = {
  id: "account",
  text: "The statement does not name its account. What is it called? Statements with the same answer are of one account",
  default: "Account",
};

export function answeredHabits(answers: Answers): CsvHabits {
  const order = DATE_ORDER.options!.find(({ value }) => value === answers.date_order)?.value as DateOrder | undefined;
  const mark = DECIMAL_MARK.options!.find(({ value }) => value === answers.decimal_mark)?.value as
    | DecimalMark
    | undefined;
  return { ...(order === undefined ? {} : { order }), ...(mark === undefined ? {} : { mark }) };
}

export async function* csvStatement(
  pieces: AsyncIterable<string>,
  layout: CsvLayout,
  { order, mark }: Required<CsvHabits>,
  accountName: string,
): AsyncGenerator<Stated> {
  const { columns, accountNumber } = layout;
  for await (const row of rowsOf(pieces, layout)) {
    if ("problem" in row) {
      yield { problem: row.problem, offset: row.line };
      continue;
    }
    const { cells, line: offset } = row;
    const at = (column: Column): string =>
      columns[column] === undefined ? "" : (cells[columns[column]!] ?? "").trim().slice(0, CELL_MAX);
    if (cells.every((cell) => cell.trim() === "")) continue;
    const booked_on = dayOf(at("date"), order);
    const amount_text = amountOf(at, mark);
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

/** One column with a sign, or two without: what went out is negative whatever sign it has. */
function amountOf(at: (column: Column) => string, mark: DecimalMark): string | undefined {
  if (at("amount") !== "") return decimalText(at("amount"), mark);
  const [out, into] = [decimalText(at("debit"), mark), decimalText(at("credit"), mark)];
  const isSome = (text: string | undefined): text is string => text !== undefined && /[1-9]/.test(text);
  if (isSome(out)) return `-${out.replace(/^-/, "")}`;
  return isSome(into) ? into : (into ?? out);
}
