// MT940 and MT942, the SWIFT statement formats: tags at the start of lines, with one `:61:` per transaction.
import { decimalText } from "./amounts.ts";
import type { Booking, StatedAccount, StatementItem } from "./statement.ts";

export const isMt940 = (text: string): boolean =>
  /(?:^|\n):20:/.test(text) && /(?:^|\n):25:/.test(text) && /(?:^|\n):(?:60[FM]|61|34F|28C?):/.test(text);

/** The account of the first statement. */
export const mt940Account = (text: string): string | undefined =>
  /(?:^|\n):25:\s*([^\r\n]{1,50})/.exec(text)?.[1]?.trim();

const TEXT_MAX = 64 * 1024;

interface Tag {
  name: string;
  value: string;
  /** The line number, counted from 1. */
  line: number;
}

/** A value continues until the next tag or the end of the message. */
async function* tagsOf(text: AsyncIterable<string>): AsyncGenerator<Tag> {
  let held = "";
  let line = 0;
  let tag: Tag | undefined;
  const take = (raw: string): Tag | undefined => {
    line++;
    const one = raw.replace(/\r$/, "");
    const found = /^(?:\{[^\n]{0,200}\{4:)?:(\d{2}[A-Z]?):(.*)$/s.exec(one);
    const before = tag;
    if (found !== null) tag = { name: found[1]!, value: found[2]!, line };
    else if (/^-\}?|^\{[1-5]:/.test(one) && !/^-\S{3}/.test(one)) tag = undefined;
    else {
      if (tag !== undefined && tag.value.length < TEXT_MAX) tag.value += `\n${one}`;
      return undefined;
    }
    return before;
  };
  for await (const piece of text) {
    const lines = (held + piece).split("\n");
    held = lines.pop()!.slice(0, TEXT_MAX);
    for (const one of lines) {
      const done = take(one);
      if (done !== undefined) yield done;
    }
  }
  const done = held === "" ? undefined : take(held);
  if (done !== undefined) yield done;
  if (tag !== undefined) yield tag;
}

/** Value date, booking date, side, funds code, amount, type and references. The rest is on the next line. */
const LINE =
  /^(\d{6})(\d{4}|\s{4})?\s?(R?[CD]|E[CD])([A-Z])?\s?(\d{1,15}(?:,\d{0,5})?)\s?([A-Z][A-Z0-9]{3})?([^\n]*)(?:\n(.*))?$/s;

export async function* mt940Statement(text: AsyncIterable<string>): AsyncGenerator<StatementItem> {
  let account: StatedAccount = { identity: "mt940" };
  let open: { booking: Booking; account: StatedAccount; offset: number } | undefined;
  for await (const { name, value, line } of tagsOf(text)) {
    if (name === "86" && open !== undefined) {
      const { booking, ...rest } = open;
      open = undefined;
      yield { ...rest, booking: { ...booking, ...described(value, booking.description ?? "") } };
      continue;
    }
    if (open !== undefined) yield open;
    open = undefined;
    if (name === "25") {
      const number = value.split("\n")[0]!.trim();
      account = { identity: `mt940 ${number.replaceAll(" ", "")}`, number };
    } else if (/^6[02][FM]$/.test(name) || /^6[45]$/.test(name)) {
      const found = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,5})?)/.exec(value);
      const day = found === null ? undefined : dayOf(found[2]!);
      const amount = found === null ? undefined : decimalText(found[4]!, ",");
      if (found === null || day === undefined || amount === undefined) {
        yield { problem: `the balance ${JSON.stringify(value.slice(0, 40))} cannot be read`, offset: line };
        continue;
      }
      account = { ...account, currency: found[3]! };
      const kind = name.startsWith("60") ? "opening" : name.startsWith("62") ? "closing" : "available";
      // The pages of one statement repeat their balances.
      if (!name.endsWith("M"))
        yield {
          balance: { kind, day, amount_text: found[1] === "D" ? `-${amount}` : amount, currency: found[3]! },
          account,
          offset: line,
        };
    } else if (name === "61") {
      const booking = bookingOf(value, account.currency);
      if (booking === undefined)
        yield { problem: `the transaction ${JSON.stringify(value.slice(0, 60))} cannot be read`, offset: line };
      else open = { booking, account, offset: line };
    }
  }
  if (open !== undefined) yield open;
}

function bookingOf(value: string, currency: string | undefined): Booking | undefined {
  const found = LINE.exec(value);
  if (found === null) return undefined;
  const [, valued, booked, side, , amount, kind, references = "", rest = ""] = found;
  const value_on = dayOf(valued!);
  const amount_text = decimalText(amount!, ",");
  if (value_on === undefined || amount_text === undefined) return undefined;
  // A reversed credit is money out.
  const isOut = side === "D" || side === "RC" || side === "ED";
  const [own, bank] = references.split("//");
  const reference = bank?.trim() || undefined;
  return {
    booked_on: (booked === undefined || booked.trim() === "" ? undefined : bookedOn(value_on, booked)) ?? value_on,
    value_on,
    amount_text: isOut && /[1-9]/.test(amount_text) ? `-${amount_text}` : amount_text,
    ...(currency === undefined ? {} : { currency }),
    ...(kind === undefined ? {} : { kind }),
    ...(reference === undefined || /^NONREF$/i.test(reference) ? {} : { reference }),
    description: [/^NONREF$/i.test(own!.trim()) ? "" : own!, rest].map(oneLine).filter(Boolean).join(" "),
  };
}

/** The booking date has no year, so the year that brings it nearest to the value date is used. */
function bookedOn(value_on: string, monthDay: string): string | undefined {
  const year = Number(value_on.slice(0, 4));
  const near = [year - 1, year, year + 1].flatMap((one) => dayOf(`${String(one).slice(2)}${monthDay}`) ?? []);
  const apart = (day: string): number => Math.abs(Date.parse(day) - Date.parse(value_on));
  return near.sort((one, other) => apart(one) - apart(other))[0];
}

/** YYMMDD, for 1980 to 2079. Some banks write 30 February for the last day of that month. */
function dayOf(text: string): string | undefined {
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number) as [
    number,
    number,
    number,
  ];
  const full = year + (year < 80 ? 2000 : 1900);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const last = new Date(Date.UTC(full, month, 0)).getUTCDate();
  if (day > last && month !== 2) return undefined;
  return new Date(Date.UTC(full, month - 1, Math.min(day, last))).toISOString().slice(0, 10);
}

const oneLine = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, " ")
    .trim()
    .slice(0, TEXT_MAX)
    .toWellFormed();

/**
 * German banks split the text into numbered fields: the purpose is in 20 to 29 and 60 to 63, the name in 32 and 33, the
 * account in 31.
 */
function described(
  value: string,
  before: string,
): Pick<Booking, "description" | "counterparty" | "counterparty_account"> {
  const flat = value.replaceAll("\n", "");
  const sign = /^\d{3}([?>~<])\d{2}/.exec(flat)?.[1];
  if (sign === undefined) {
    const name = /\/NAME\/([^/\n]{1,140})/.exec(flat)?.[1]?.trim();
    return { description: [before, oneLine(value)].filter(Boolean).join(" "), ...(name ? { counterparty: name } : {}) };
  }
  const fields = flat
    .slice(3)
    .split(sign)
    .filter((part) => /^\d{2}/.test(part))
    .map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const);
  const joined = (is: (number: number) => boolean): string =>
    oneLine(fields.flatMap(([number, text]) => (is(number) ? [text] : [])).join(""));
  const counterparty = joined((number) => number === 32 || number === 33);
  const counterparty_account = joined((number) => number === 31);
  const purpose = joined((number) => (number >= 20 && number <= 29) || (number >= 60 && number <= 63));
  const rest = joined((number) => number === 0 || number === 10 || number === 30 || number === 34);
  return {
    description: [purpose, before, rest].filter(Boolean).join(" "),
    ...(counterparty === "" ? {} : { counterparty }),
    ...(counterparty_account === "" ? {} : { counterparty_account }),
  };
}
