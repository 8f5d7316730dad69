// Times for the owner, in the time zone and language from Settings. If no time zone is chosen there, the browser's is
// used, which a script stores in a cookie. Without that cookie, the server's own is used.
import { html } from "hono/html";
import { lazy } from "../../core/lazy.ts";
import type { Exchange } from "../http/respond.ts";
import type { Html } from "./layout.ts";

export interface Times {
  zone: string;
  /** "3 Mar 2024, 14:05" */
  instant(iso: string): Html;
  /** "3 Mar 2024" */
  day(iso: string): string;
  /** "3 Mar 2024 – 5 Jun 2026" */
  span(since: string, until: string): string;
  /** "5 minutes ago", with the exact instant as the tooltip. */
  ago(iso: string): Html;
  /** Shows an instant with its time, and a day without one. */
  when(when: ItemTime): Html;
  /** The same, in the local time of the place where it happened, if that is known. */
  wall(when: ItemTime): Html;
  /** "30 Jun", or "30 Jun 2024" in another year, with the full date as the tooltip. */
  short(when: ItemTime): Html;
  /** "14:05" */
  clock(iso: string): string;
  /** `YYYY-MM-DD` in the owner's calendar. */
  dayKey(iso: string): string;
  /** "Saturday, 20 June 2026", from `YYYY-MM-DD`. */
  dayWords(day: string): string;
  /** "June 2026", from `YYYY-MM`. */
  monthWords(month: string): string;
  /** "2 June 1989", or "2 June" without a year. Text that is not a date is returned unchanged. */
  birthday(text: string): string;
}

/** The time of something: an instant, or a day that is the same everywhere. */
export interface ItemTime {
  at: string;
  isDay: boolean;
}

const ZONE_COOKIE = "pdpp_zone";

export function zoneOf({ request }: { request: { headers: Pick<Exchange["request"]["headers"], "get"> } }): string {
  const cookie = new RegExp(`(?:^|;\\s*)${ZONE_COOKIE}=([A-Za-z0-9_+%/-]{1,64})`).exec(
    request.headers.get("cookie") ?? "",
  );
  const zone = cookie === null ? undefined : knownZone(cookie[1]!);
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function knownZone(cookie: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(cookie) }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
] as const;
const relativeFormat = lazy(() => new Intl.RelativeTimeFormat("en", { numeric: "auto" }));
const formats = new Map<string, Formats>();
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The default date language. */
export const DATE_LANGUAGE = "en-GB";

/** `language` is a BCP 47 tag. The words around a date, and relative times, stay English. */
export function timesIn(zone: string, now: number, language: string = DATE_LANGUAGE): Times {
  const format = formatsOf(zone, language);
  const utc = formatsOf("UTC", language);
  const lang = language === DATE_LANGUAGE ? "" : html` lang="${language}"`;
  const shown = (iso: string, of: keyof Formats): string => {
    const at = Date.parse(iso);
    if (Number.isNaN(at)) return iso;
    // A date has no time, and is the same day in every zone.
    if (DAY.test(iso)) return utc[of === "instant" ? "day" : of].format(at);
    return format[of].format(at);
  };
  const day = (iso: string): string => shown(iso, "day");
  const dayKey = (iso: string): string => (DAY.test(iso) ? iso : shown(iso, "key"));
  const thisYear = dayKey(new Date(now).toISOString()).slice(0, 4);
  const when = ({ at, isDay }: ItemTime): Html =>
    html`<time datetime="${at}"${lang}>${shown(at, isDay ? "day" : "instant")}</time>`;
  return {
    zone,
    day,
    dayKey,
    when,
    instant: (iso) => html`<time datetime="${iso}"${lang}>${shown(iso, "instant")}</time>`,
    span: (since, until) => (day(since) === day(until) ? day(since) : `${day(since)} – ${day(until)}`),
    ago: (iso) =>
      html`<time datetime="${iso}" title="${shown(iso, "instant")}">${relative(Date.parse(iso) - now)}</time>`,
    wall({ at, isDay }) {
      if (isDay || !/[+-]\d\d:\d\d$/.test(at)) return when({ at, isDay });
      return html`<time datetime="${at}"${lang}>${utc.instant.format(Date.parse(`${at.slice(0, 19)}Z`))}</time>`;
    },
    short({ at, isDay }) {
      const words = shown(at, dayKey(at).startsWith(thisYear) ? "dayMonth" : "day");
      return html`<time datetime="${at}" title="${shown(at, isDay ? "day" : "instant")}"${lang}>${words}</time>`;
    },
    clock: (iso) => shown(iso, "clock"),
    dayWords: (text) => shown(text, "long"),
    monthWords: (month) => shown(`${month}-01`, "month"),
    birthday(text) {
      const yearless = /^-{1,2}(\d\d)-?(\d\d)$/.exec(text);
      if (yearless !== null) return shown(`2000-${yearless[1]}-${yearless[2]}`, "dayMonthLong");
      return DAY.test(text.slice(0, 10)) ? shown(text.slice(0, 10), "date") : text;
    },
  };
}

type Formats = Record<
  "day" | "instant" | "dayMonth" | "clock" | "long" | "month" | "date" | "dayMonthLong" | "key",
  Intl.DateTimeFormat
>;

function formatsOf(zone: string, language: string): Formats {
  const place = `${language} ${zone}`;
  const known = formats.get(place);
  if (known !== undefined) return known;
  const made = (options: Intl.DateTimeFormatOptions, locale = language) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  const date = { day: "numeric", month: "long", year: "numeric" } as const;
  const clock = { hour: "2-digit", minute: "2-digit" } as const;
  const format: Formats = {
    day: made(day),
    instant: made({ ...day, ...clock }),
    dayMonth: made({ day: "numeric", month: "short" }),
    clock: made(clock),
    long: made({ weekday: "long", ...date }),
    month: made({ month: "long", year: "numeric" }),
    date: made(date),
    dayMonthLong: made({ day: "numeric", month: "long" }),
    // Swedish writes dates like ISO 8601.
    key: made({ year: "numeric", month: "2-digit", day: "2-digit" }, "sv-SE"),
  };
  formats.set(place, format);
  return format;
}

function relative(ms: number): string {
  let value = ms / 1000;
  if (Math.abs(value) < 10) return "just now";
  for (const [unit, count] of STEPS) {
    // A value that rounds up becomes the next unit: "1 minute ago", never "60 seconds ago".
    if (Math.abs(Math.round(value)) < count) return relativeFormat().format(Math.round(value), unit);
    value /= count;
  }
  return relativeFormat().format(Math.round(value), "year");
}
