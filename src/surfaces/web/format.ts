// Formats counts and days for people. Days are in UTC.
import { lazy } from "../../core/lazy.ts";
import { SHORT_MONTHS } from "../../core/month-names.ts";

const numberFormat = lazy(() => new Intl.NumberFormat("en"));

export function formatNumber(value: number): string {
  return numberFormat().format(value);
}

/** "1 record", "2 records". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** Text that is not a date is shown unchanged. */
export function formatDay(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${date.getUTCDate()} ${SHORT_MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "1 Jan 2020 – 3 Mar 2024"; either end can be open. */
export function formatSpan(since: string | undefined, until: string | undefined): string | undefined {
  if (since === undefined && until === undefined) return undefined;
  if (since === undefined) return `until ${formatDay(until!)}`;
  if (until === undefined) return `since ${formatDay(since)}`;
  const [from, to] = [formatDay(since), formatDay(until)];
  return from === to ? from : `${from} – ${to}`;
}

/** Turns an engine message into a sentence for a page. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Formats the day as a date field expects it. */
export function dayValue(iso: string | undefined): string {
  return iso === undefined ? "" : iso.slice(0, 10);
}
