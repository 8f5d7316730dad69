// Parses the start of a message in a WhatsApp export: a date, a time and a separator, in the format of the phone's
// language.

export type ChatDateOrder = "dmy" | "mdy" | "ymd";

export interface MessageHeader {
  /** iOS puts the date and time in brackets, and Android adds a dash after them. */
  bracketed: boolean;
  /** The numbers of the date as written, and the separator between them. */
  numbers: readonly [string, string, string];
  separator: string;
  hour: number;
  minute: number;
  second?: number;
  /** True if a comma follows the date, or if the time has a.m. or p.m. Program logs have neither. */
  isByPhone: boolean;
  /** The rest of the line: sender and text, or an event. */
  rest: string;
}

/** Directional marks, which phones put around dates. */
const MARKS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/;
/** The digit zero in other scripts: Arabic, Persian, Devanagari, Bengali. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];
/** Longer than any date and time. */
const HEADER_CHARS = 80;

const MORNING = /^(?:a|上午|凌晨|早上|오전|午前|π|ص|ق|SA|de|vorm|पू|rg)/i;
const HALF =
  "[AaPp]\\.? ?[Mm]\\.?|上午|下午|凌晨|早上|中午|晚上|오전|오후|午前|午後|[πμ]\\.?μ\\.?|ص|م|ق\\.ظ\\.?|ب\\.ظ\\.?|SA|CH|d[eu]\\.|vorm\\.|nachm\\.|पूर्वाह्न|अपराह्न";
const HEADER = new RegExp(
  "^(\\[?)(\\d{1,4})(\\. ?|[/-]|年|년 ?)(\\d{1,2})(\\. ?|[/-]|月|월 ?)(\\d{1,4})(?:\\.|日|일)?" +
    `([,،]?) {0,2}(?:(?:klo|kl\\.?|à|at|alle|um|в) )?(?:(${HALF}) ?)?` +
    `(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(?: ?(${HALF}))?(\\]| [-–—](?= |$)|,(?= )) ?`,
  "u",
);

export function parseHeader(line: string): MessageHeader | undefined {
  if (!/^[\s\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]*[[\p{Nd}]/u.test(line.slice(0, 16))) return undefined;
  const { clean, places } = cleaned(line.slice(0, HEADER_CHARS));
  const match = HEADER.exec(clean);
  if (match === null) return undefined;
  const [whole, bracket, first, separator, second, , third, comma, early, hour, minute, seconds, late, end] = match;
  const bracketed = bracket === "[";
  if (bracketed !== (end === "]") || (end === "," && !separator!.startsWith("년"))) return undefined;
  const half = early ?? late;
  const hours = hourOf(Number(hour), half);
  if (hours === undefined || Number(minute) > 59 || Number(seconds ?? 0) > 59) return undefined;
  return {
    bracketed,
    numbers: [first!, second!, third!],
    separator: separator!.trim(),
    hour: hours,
    minute: Number(minute),
    ...(seconds === undefined ? {} : { second: Number(seconds) }),
    isByPhone: comma !== "" || half !== undefined,
    rest: line.slice(places[whole.length - 1]! + 1),
  };
}

const SAME_PLACES = Array.from({ length: HEADER_CHARS }, (_, index) => index);

/** Strips marks, normalises spaces and digits, and maps each character to its original position. */
function cleaned(text: string): { clean: string; places: number[] } {
  // The usual form needs no cleaning, and a chat can have a million lines.
  if (/^[ -~]{0,40}$/.test(text.slice(0, 40))) return { clean: text, places: SAME_PLACES };
  let clean = "";
  const places: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (MARKS.test(char)) continue;
    const code = char.charCodeAt(0);
    const zero = ZEROS.find((start) => code >= start && code < start + 10);
    clean += zero !== undefined ? String(code - zero) : /\s/.test(char) ? " " : char;
    places.push(index);
  }
  return { clean, places };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  // Some phones write 13:05 PM.
  if (hour > 12) return hour < 24 ? hour : undefined;
  const isMorning = MORNING.test(half);
  return isMorning ? hour % 12 : (hour % 12) + 12;
}

/** Returns true if the numbers alone show that the year comes first. */
export const isYearFirst = ({ numbers: [first], separator }: MessageHeader): boolean =>
  first.length === 4 || separator === "年" || separator === "년" || Number(first) > 31;

/** Returns year, month and day, given the order of the numbers. Two-digit years are in this century. */
export function dateOf({ numbers }: MessageHeader, order: ChatDateOrder): [year: number, month: number, day: number] {
  const [first, second, third] = numbers.map(Number) as [number, number, number];
  const [year, month, day] =
    order === "ymd" ? [first, second, third] : order === "dmy" ? [third, second, first] : [third, first, second];
  return [year < 100 ? 2000 + year : year, month, day];
}

/** Lines in a different style from the first are pasted text. */
export function isSameStyle(one: MessageHeader, other: MessageHeader): boolean {
  return (
    one.bracketed === other.bracketed &&
    (one.second === undefined) === (other.second === undefined) &&
    isYearFirst(one) === isYearFirst(other) &&
    (isYearFirst(one) || one.numbers[2].length === other.numbers[2].length)
  );
}
