// Exact parsing of the amounts and dates that banks write: decimal text stays decimal text.
import { monthNumber } from "../../../core/month-names.ts";

export type DecimalMark = "." | ",";
export type DateOrder = "dmy" | "mdy" | "ymd";

/**
 * Returns canonical decimal text (with a decimal point, and without a plus sign, leading zeros or grouping), or
 * undefined if it is not an amount.
 */
export function decimalText(raw: string, mark: DecimalMark): string | undefined {
  let text = raw.trim().replace(/[\u2212\u2013]/g, "-");
  // Accountants write (12.50), 12.50-, 12.50 CR and 12.50 D.
  let negative = false;
  const bracketed = /^\((.*)\)$/.exec(text);
  if (bracketed) {
    negative = true;
    text = bracketed[1]!;
  }
  const side = /\s*(CR|DR|C|D|S|H)$/i.exec(text)?.[1]?.toUpperCase();
  if (side !== undefined) {
    text = text.slice(0, -side.length);
    if (side.startsWith("D") || side === "S") negative = !negative;
  }
  text = text
    .replace(/[\s\u00a0\u202f'’]/g, "")
    .replace(/^([+-]?)(?:[A-Z]{3}|[$€£¥₹])/, "$1")
    .replace(/(?:[A-Z]{3}|[$€£¥₹])$/, "");
  if (text.endsWith("-")) text = `-${text.slice(0, -1)}`;
  const grouping = mark === "." ? /,(?=\d{3}(?:\D|$)|\d{2},)/g : /\.(?=\d{3}(?:\D|$))/g;
  text = text.replace(grouping, "").replace(mark, ".");
  const parts = /^([+-]?)(\d{0,30})(?:\.(\d{0,20}))?$/.exec(text);
  if (!parts || (!parts[2] && !parts[3])) return undefined;
  const whole = parts[2]!.replace(/^0+(?=\d)/, "") || "0";
  const fraction = parts[3] ? `.${parts[3]}` : "";
  const isNegative = (parts[1] === "-") !== negative;
  const isZero = !/[1-9]/.test(whole + fraction);
  return `${isNegative && !isZero ? "-" : ""}${whole}${fraction}`;
}

/** Determines the decimal mark of these amounts, or returns undefined if it is ambiguous. */
export function decimalMarkOf(samples: readonly string[]): DecimalMark | undefined {
  let unsure = false;
  for (const raw of samples) {
    const text = raw.replace(/[^\d.,]/g, "");
    const [point, comma] = [text.lastIndexOf("."), text.lastIndexOf(",")];
    if (point !== -1 && comma !== -1) return point > comma ? "." : ",";
    const last = Math.max(point, comma);
    if (last === -1) continue;
    const mark = text[last] as DecimalMark;
    if (text.indexOf(mark) !== last) return mark === "." ? "," : ".";
    if (text.length - last - 1 !== 3) return mark;
    unsure = true;
  }
  return unsure ? undefined : ".";
}

/** Returns the three numbers of a date in written order. A month name determines the order. */
function partsOf(raw: string): { numbers: [number, number, number]; digits: string[]; order?: DateOrder } | undefined {
  const text = raw.trim();
  const compact = /^(\d{4})(\d\d)(\d\d)(?:\D|$)/.exec(text);
  if (compact) return { numbers: triple(compact), digits: compact.slice(1, 4), order: "ymd" };
  const named = /^(\d{1,2})[ .-]+([A-Za-z]{3})[a-z]*[ .,-]+(\d{4}|\d\d)\b/.exec(text);
  if (named) {
    const month = monthNumber(named[2]!);
    if (month === 0) return undefined;
    return { numbers: [Number(named[1]), month, Number(named[3])], digits: ["", "", named[3]!], order: "dmy" };
  }
  const found = /^(\d{1,4})\s?[./':-]\s?(\d{1,2})\s?[./':-]\s?(\d{1,4})(?:\D|$)/.exec(text);
  if (!found) return undefined;
  const order = found[1]!.length === 4 ? "ymd" : undefined;
  return { numbers: triple(found), digits: found.slice(1, 4), ...(order === undefined ? {} : { order }) };
}

const triple = (found: RegExpExecArray): [number, number, number] => [
  Number(found[1]),
  Number(found[2]),
  Number(found[3]),
];

/** Returns `YYYY-MM-DD`, or undefined if there is no such day. Two-digit years mean 1970 to 2069. */
export function dayOf(raw: string, order: DateOrder): string | undefined {
  const found = partsOf(raw);
  if (found === undefined) return undefined;
  const [one, two, three] = found.numbers;
  const own = found.order ?? order;
  let [year, month, day] = own === "ymd" ? [one, two, three] : own === "dmy" ? [three, two, one] : [three, one, two];
  const yearDigits = found.digits[own === "ymd" ? 0 : 2]!.length;
  if (yearDigits <= 2) year += year < 70 ? 2000 : 1900;
  if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const time = new Date(Date.UTC(year, month - 1, day));
  if (time.getUTCDate() !== day) return undefined;
  return time.toISOString().slice(0, 10);
}

/**
 * Determines the order of these dates from days above 12, from dots, or from the fact that statements are sorted by
 * date. Returns undefined if it is ambiguous.
 */
export function dateOrderOf(samples: readonly string[]): DateOrder | undefined {
  const found = samples.map(partsOf).filter((parts) => parts !== undefined);
  if (found.length > 0 && found.every(({ order }) => order !== undefined)) return found[0]!.order;
  const open = found.filter(({ order }) => order === undefined);
  if (open.some(({ numbers }) => numbers[0] > 12)) return "dmy";
  if (open.some(({ numbers }) => numbers[1] > 12)) return "mdy";
  if (samples.some((text) => /^\s*\d{1,2}\.\d{1,2}\./.test(text))) return "dmy";
  const [asDmy, asMdy] = [runsOneWay(samples, "dmy"), runsOneWay(samples, "mdy")];
  return asDmy === asMdy ? undefined : asDmy ? "dmy" : "mdy";
}

function runsOneWay(samples: readonly string[], order: DateOrder): boolean {
  const days = samples.map((text) => dayOf(text, order)).filter((day) => day !== undefined);
  if (new Set(days).size < 3) return false;
  const rises = days.every((day, index) => index === 0 || day >= days[index - 1]!);
  return rises || days.every((day, index) => index === 0 || day <= days[index - 1]!);
}
