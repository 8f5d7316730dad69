// Times as the owner reads them: in the zone of the browser, which a script tells in a cookie, else in the server's own.
import { html } from "hono/html";
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
  /** "5 minutes ago"; the instant itself is its tooltip. */
  ago(iso: string): Html;
}

const ZONE_COOKIE = "pdpp_zone";

export function zoneOf({ request }: Exchange): string {
  const told = new RegExp(`(?:^|;\\s*)${ZONE_COOKIE}=([A-Za-z0-9_+%/-]{1,64})`).exec(
    request.headers.get("cookie") ?? "",
  );
  const zone = told === null ? undefined : knownZone(told[1]!);
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function knownZone(told: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(told) }).resolvedOptions().timeZone;
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
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const formats = new Map<string, { day: Intl.DateTimeFormat; instant: Intl.DateTimeFormat }>();

export function timesIn(zone: string, now: number): Times {
  const format = formatsOf(zone);
  const shown = (iso: string, of: "day" | "instant"): string => {
    const at = Date.parse(iso);
    return Number.isNaN(at) ? iso : format[of].format(at);
  };
  const day = (iso: string): string => shown(iso, "day");
  return {
    zone,
    day,
    instant: (iso) => html`<time datetime="${iso}">${shown(iso, "instant")}</time>`,
    span: (since, until) => (day(since) === day(until) ? day(since) : `${day(since)} – ${day(until)}`),
    ago: (iso) =>
      html`<time datetime="${iso}" title="${shown(iso, "instant")}">${relative(Date.parse(iso) - now)}</time>`,
  };
}

function formatsOf(zone: string) {
  let format = formats.get(zone);
  if (format === undefined) {
    const day = { timeZone: zone, day: "numeric", month: "short", year: "numeric" } as const;
    format = {
      day: new Intl.DateTimeFormat("en-GB", day),
      instant: new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit" }),
    };
    formats.set(zone, format);
  }
  return format;
}

function relative(ms: number): string {
  let value = ms / 1000;
  if (Math.abs(value) < 10) return "just now";
  for (const [unit, count] of STEPS) {
    // What rounds up to the whole is the next unit: "1 minute ago", never "60 seconds ago".
    if (Math.abs(Math.round(value)) < count) return RELATIVE.format(Math.round(value), unit);
    value /= count;
  }
  return RELATIVE.format(Math.round(value), "year");
}
