// QIF: each line is a letter and a value, and a caret ends a transaction. Accounts are identified by name, and the date
// order has to be inferred.
import type { Entry } from "../../entry.ts";
import { textOf } from "../decode.ts";
import { type DateOrder, type DecimalMark, dateOrderOf, dayOf, decimalMarkOf, decimalText } from "./amounts.ts";
import type { Booking, BookingPart, StatedAccount, StatementItem } from "./statement.ts";

const BOOKED = /^(?:bank|cash|ccard|oth a|oth l|oth s)$/i;
const LINE_MAX = 16 * 1024;
const FIELDS_MAX = 5000;

export interface QifConventions {
  order: DateOrder;
  mark: DecimalMark;
}

interface QifLine {
  text: string;
  offset: number;
}

/** Counts characters rather than bytes, because the text may have had any encoding. */
async function* qifLines(entry: Entry): AsyncGenerator<QifLine> {
  let held = "";
  let offset = 0;
  for await (const piece of textOf(entry)) {
    held += piece;
    let begin = 0;
    for (let end = held.indexOf("\n"); end !== -1; end = held.indexOf("\n", begin)) {
      yield { text: held.slice(begin, Math.min(end, begin + LINE_MAX)).trimEnd(), offset: offset + begin };
      begin = end + 1;
    }
    offset += begin;
    held = held.slice(begin);
    if (held.length > 4 * LINE_MAX) {
      offset += held.length - LINE_MAX;
      held = held.slice(0, LINE_MAX);
    }
  }
  if (held !== "") yield { text: held.slice(0, LINE_MAX).trimEnd(), offset };
}

/** Collects dates and amounts of transactions, to detect how they are written. */
export async function qifSamples(entry: Entry, most = 2000): Promise<{ dates: string[]; amounts: string[] }> {
  const dates: string[] = [];
  const amounts: string[] = [];
  let section = "";
  for await (const { text } of qifLines(entry)) {
    if (text.startsWith("!")) section = sectionOf(text) ?? section;
    else if (BOOKED.test(section) || section === "invst") {
      if (text.startsWith("D")) dates.push(text.slice(1));
      else if (text.startsWith("T")) amounts.push(text.slice(1));
    }
    if (dates.length >= most) break;
  }
  return { dates, amounts };
}

export async function qifConventions(entry: Entry, answered: Partial<QifConventions>): Promise<QifConventions> {
  const { dates, amounts } = await qifSamples(entry);
  // Only Quicken writes `'` before the year, and it uses the American order.
  const quicken = dates.some((text) => text.includes("'"));
  return {
    order: dateOrderOf(dates) ?? (quicken ? "mdy" : (answered.order ?? "mdy")),
    mark: decimalMarkOf(amounts) ?? answered.mark ?? ".",
  };
}

const sectionOf = (line: string): string | undefined =>
  line.toLowerCase().startsWith("!account") ? "account" : /^!type:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase();

/** `unnamed` is the account name to use if the file has none. */
export async function* qifStatement(
  entry: Entry,
  conventions: QifConventions,
  unnamed: string,
): AsyncGenerator<StatementItem> {
  let section = "";
  let account: StatedAccount | undefined;
  let fields: QifLine[] = [];

  const settle = function* (): Generator<StatementItem> {
    const own = fields;
    fields = [];
    if (own.length === 0) return;
    const offset = own[0]!.offset;
    if (section === "account") {
      const name = own
        .find(({ text }) => text.startsWith("N"))
        ?.text.slice(1)
        .trim();
      if (!name) return;
      account = qifAccount(
        name,
        own
          .find(({ text }) => text.startsWith("T"))
          ?.text.slice(1)
          .trim(),
      );
      yield { account };
    } else if (BOOKED.test(section)) {
      account ??= qifAccount(unnamed, section);
      yield booked(own, account, conventions);
    } else if (section === "invst")
      yield { skipped: "an investment transaction: QIF does not state its amount reliably", offset };
    else yield { skipped: `${section || "unnamed"} list: not a payment`, offset };
  };

  let last = 0;
  for await (const line of qifLines(entry)) {
    last = line.offset;
    if (line.text.startsWith("!")) {
      yield* settle();
      const next = sectionOf(line.text);
      if (next !== undefined) section = next;
    } else if (line.text.startsWith("^")) yield* settle();
    else if (line.text !== "" && section !== "" && fields.length < FIELDS_MAX) fields.push(line);
  }
  if (fields.length > 0) {
    // Some programs omit the last caret. A transaction with a date and an amount is complete.
    const whole = fields.some(({ text }) => text.startsWith("D")) && fields.some(({ text }) => text.startsWith("T"));
    if (whole || !BOOKED.test(section)) yield* settle();
    else yield { problem: "the file ends inside a transaction", offset: last };
  }
}

const qifAccount = (name: string, type = ""): StatedAccount => ({ identity: `qif ${name}`, name, type });

function booked(fields: readonly QifLine[], account: StatedAccount, { order, mark }: QifConventions): StatementItem {
  const offset = fields[0]!.offset;
  const values = new Map<string, string>();
  const parts: (BookingPart & { amount_text: string })[] = [];
  let part: Partial<BookingPart> | undefined;
  for (const { text } of fields) {
    const [letter, value] = [text[0]!, text.slice(1).trim()];
    if (letter === "S") {
      if (part?.amount_text !== undefined) parts.push(part as BookingPart);
      part = { category: value };
    } else if (letter === "E" && part !== undefined) part.description = value;
    else if (letter === "$" && part !== undefined) part.amount_text = decimalText(value, mark);
    else if (!values.has(letter)) values.set(letter, value);
  }
  if (part?.amount_text !== undefined) parts.push(part as BookingPart);
  const [rawDate, rawAmount] = [values.get("D") ?? "", values.get("T") ?? values.get("U") ?? ""];
  const booked_on = dayOf(rawDate, order);
  const amount_text = decimalText(rawAmount, mark);
  if (booked_on === undefined) return { problem: `${JSON.stringify(rawDate)} is not a date`, offset };
  if (amount_text === undefined) return { problem: `${JSON.stringify(rawAmount)} is not an amount`, offset };
  const cleared = values.get("C")?.toUpperCase();
  const booking: Booking = {
    booked_on,
    amount_text,
    counterparty: values.get("P") ?? "",
    description: values.get("M") ?? "",
    category: values.get("L") ?? "",
    check_number: values.get("N") ?? "",
    status: cleared === undefined || cleared === "" ? "" : /^[XR]/.test(cleared) ? "reconciled" : "cleared",
    parts,
  };
  return { booking, account, offset };
}
