// Which column of a CSV statement is what, and where its header stands.
import type { ImportAnswers } from "../../importer.ts";
import { digestOf } from "../replay.ts";

/** Columns by the words that banks put above them (English, German, French, Spanish, Italian, Dutch, Portuguese). */
const WORDS = {
  date: /^(?:transaction |booking |posted |posting |post |trans\.? |completed |operation )?date(?: posted| booked| completed)?$|^(?:buchungstag|buchungsdatum|buchung|datum|date op[ée]ration|date (?:de )?comptabilisation|fecha(?: operaci[óo]n)?|data(?: contabile| operazione| mov\.?| lan[çc]amento)?|boekdatum|transactiedatum)$/,
  value:
    /^(?:value date|valutadatum|valuta|wertstellung(?:sdatum)?|date (?:de )?valeur|fecha valor|data valuta|rentedatum)$/,
  amount: /^(?:(?:transaction )?amount|betrag|umsatz|montant|importe|importo|bedrag|valor|sum|value)$/,
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
  side: /^(?:af bij|debit ?\/ ?credit|credit ?\/ ?debit|cr ?\/ ?dr|dr ?\/ ?cr|soll ?\/ ?haben|s\/h|sens)$/,
  category: /^(?:category|kategorie|cat[ée]gorie|categor[íi]a|categoria)$/,
  kind: /^(?:type|transaction type|umsatzart|code|mutatiesoort|tipo)$/,
  account:
    /^(?:account(?: number| no\.?| name)?|iban|iban auftragskonto|auftragskonto|kontonummer|konto|compte|cuenta|rekening)$/,
  reference: /^(?:transaction id|reference (?:no\.?|number)|transaction reference|fitid)$/,
} as const;

export type CsvColumn = keyof typeof WORDS;
export type CsvColumns = Partial<Record<CsvColumn, number>>;

export interface CsvLayout {
  delimiter: string;
  /** Rows above the header, and the header. */
  preamble: number;
  header: string[];
  columns: CsvColumns;
  /** From the rows above the header, or the file's name. */
  accountNumber?: string;
}

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/;
const DELIMITERS = [",", ";", "\t", "|"];
const PREAMBLE_MAX = 30;

/** What the first kilobytes show; undefined: no row has a date and an amount or a balance in its header. */
export function layoutOf(head: string, path: string): CsvLayout | undefined {
  const lines = head.replace(/^\ufeff/, "").split(/\r\n|\n|\r/, PREAMBLE_MAX + 1);
  for (const [preamble, line] of lines.entries()) {
    for (const delimiter of DELIMITERS) {
      if (!line.includes(delimiter)) continue;
      const header = cellsOf(line, delimiter);
      const columns = columnsOf(header);
      // A balance says that it is a statement; which column the amount is in can be asked.
      if (columns.date === undefined || (!hasAmount(columns) && columns.balance === undefined)) continue;
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

export const hasAmount = ({ amount, debit, credit }: CsvColumns): boolean =>
  amount !== undefined || (debit !== undefined && credit !== undefined);

const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim(),
  );

function columnsOf(header: readonly string[]): CsvColumns {
  const columns: CsvColumns = {};
  for (const [index, cell] of header.entries()) {
    // "Betrag (EUR)", "Debit USD" and "Amount in €" say the same without the currency.
    const name = cell
      .replace(/\([^)]{0,20}\)|\[[^\]]{0,20}\]/g, "")
      .replace(/(?<=\S)\s+(?:in\s+)?(?:[A-Z]{3}|[€$£])$/, "")
      .trim()
      .toLowerCase();
    for (const column of Object.keys(WORDS) as CsvColumn[]) {
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

/** The layout with the columns that were answered: by their headings. */
export function withAnswers(layout: CsvLayout, answers: ImportAnswers): CsvLayout {
  const columns = { ...layout.columns };
  for (const column of ["date", "amount", "debit", "credit", "description", "counterparty"] as const) {
    const index = layout.header.indexOf(answers[`${column}_column`] ?? "");
    if (index !== -1) columns[column] = index;
  }
  return { ...layout, columns };
}
