// Times as web pages write them for people: "Jan 31, 2018, 10:54:50 PM CET", "31.01.2018, 22:54:50 MEZ", "2018/01/31
// 22:54:50 JST".
import { localMillis } from "./local-time.ts";

const LANGUAGES = "en de fr es it pt nl sv da nb pl cs fi tr hu ro ru uk el".split(" ");

let months: ReadonlyMap<string, number> | undefined;

/**
 * Month names, short and long, in these languages. Built on first use, because that takes 90 ms and most imports do not
 * need them.
 */
function monthNames(): ReadonlyMap<string, number> {
  months ??= new Map(LANGUAGES.flatMap((language) => [...monthsOf(language, "short"), ...monthsOf(language, "long")]));
  return months;
}

function monthsOf(language: string, month: "short" | "long"): [name: string, number: number][] {
  const format = new Intl.DateTimeFormat(language, { day: "numeric", month });
  return Array.from({ length: 12 }, (_none, index) => {
    const parts = format.formatToParts(Date.UTC(2001, index, 15));
    return [plainWord(parts.find(({ type }) => type === "month")?.value ?? ""), index + 1];
  });
}

function plainWord(text: string): string {
  return text.toLowerCase().replace(/\./g, "");
}

/**
 * The UTC offsets, in hours, of the abbreviations that pages use. If one has several meanings, the meaning on Google's
 * pages is used.
 */
const ZONES: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  MEZ: 1,
  CEST: 2,
  MESZ: 2,
  EET: 2,
  EEST: 3,
  SAST: 2,
  MSK: 3,
  IST: 5.5,
  HKT: 8,
  SGT: 8,
  JST: 9,
  KST: 9,
  AWST: 8,
  ACST: 9.5,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  BRT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
};

const HOUR = 3_600_000;
const CLOCK =
  /(下午|午後|오후|上午|午前|오전)?\s*(\d{1,2})[:.](\d\d)[:.](\d\d)(?:\s*([ap])\.?\s?m\.?)?(?:\s+(.{1,12}))?$/iu;
const NUMERIC = /^(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})/;
const EAST_ASIAN = /(\d{4})[年.]\s?(\d{1,2})[月.]\s?(\d{1,2})日?/u;

/** `clock` converts local time to the instant if the text contains no known zone. */
export function writtenTime(text: string, clock: (local: number) => string): string | undefined {
  const plain = text
    .replace(/[\u00a0\u202f\s]+/g, " ")
    .trim()
    .slice(0, 100);
  const time = CLOCK.exec(plain);
  if (time === null) return undefined;
  const [, before, hourText, minute, second, behind, zone] = time;
  const half = before ?? behind;
  const isLate = half !== undefined && /^(?:p|下午|午後|오후)$/i.test(half);
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (isLate ? 12 : 0);
  const day = dayIn(plain.slice(0, time.index));
  const local = day && localMillis(day[0], day[1], day[2], hour, Number(minute), Number(second));
  if (local === undefined) return undefined;
  const offset = zone === undefined ? undefined : offsetOf(zone);
  return offset === undefined ? clock(local) : new Date(local - offset * HOUR).toISOString();
}

type Day = [year: number, month: number, day: number];

function dayIn(text: string): Day | undefined {
  const asian = EAST_ASIAN.exec(text);
  if (asian !== null) return [Number(asian[1]), Number(asian[2]), Number(asian[3])];
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [first, second, third] = numeric.slice(1).map(Number) as [number, number, number];
    return numeric[1]!.length === 4 ? [first, second, third] : [third, second, first];
  }
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const month = words.map((word) => monthNames().get(plainWord(word))).find((found) => found !== undefined);
  const year = words.find((word) => /^\d{4}$/.test(word));
  const day = words
    .map((word) => /^(\d{1,2})(?:\.|st|nd|rd|th)?$/.exec(word)?.[1])
    .find((found) => found !== undefined);
  return month === undefined || year === undefined || day === undefined
    ? undefined
    : [Number(year), month, Number(day)];
}

function offsetOf(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^(?:GMT|UTC)?([+\-−])(\d{1,2}):?(\d\d)?$/i.exec(zone.trim()) ?? [];
  if (sign !== undefined) return (sign === "+" ? 1 : -1) * (Number(hours) + Number(minutes ?? 0) / 60);
  const name = zone.trim().toUpperCase();
  return Object.hasOwn(ZONES, name) ? ZONES[name] : undefined;
}
