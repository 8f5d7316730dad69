// Time zones in calendars: IANA names, Windows and Outlook names, and definitions in the file.
import ICAL from "ical.js";
import { unescaped } from "../content-line.ts";
import { DISPLAYED, REGIONS, WINDOWS } from "./zone-names.ts";

export interface CalendarZone {
  /** The IANA name, if there is one. */
  name: string;
  /**
   * Minutes east of UTC when the zone's clocks show this time. `wall` is that time in milliseconds, as if it were UTC.
   */
  offsetAt(wall: number): number;
}

export const UTC: CalendarZone = { name: "UTC", offsetAt: () => 0 };

const byName = new Map<string, CalendarZone | undefined>();

/**
 * A zone may be spelled differently in its definition and in a time that refers to it: escaped, with a space before it,
 * or with a space after a comma.
 */
export const zoneId = (id: string): string => unescaped(id).trim().replace(/,\s+/g, ",");

/**
 * Accepts "Europe/Berlin", "/freeassociation.sourceforge.net/Europe/Berlin", "W. Europe Standard Time", "(UTC-05:00)
 * Eastern Time (US & Canada)".
 */
export function namedZone(id: string): CalendarZone | undefined {
  if (byName.has(id)) return byName.get(id);
  const plain = zoneId(id);
  const parts = plain.split("/");
  const zone =
    first([
      WINDOWS[plain.toLowerCase()],
      offsetName(plain),
      plain,
      plain.replace("_", "/"),
      parts.slice(-3).join("/"),
      parts.slice(-2).join("/"),
    ]) ?? displayedZone(plain);
  // The cache is limited because names come from files, and a hostile file can contain many.
  if (byName.size < 1000) byName.set(id, zone);
  return zone;
}

/** "UTC+11", "GMT-5" */
function offsetName(id: string): string | undefined {
  const [, sign, hours, minutes = "00"] = /^(?:UTC|GMT)([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(id) ?? [];
  return sign === undefined ? undefined : `${sign}${hours!.padStart(2, "0")}:${minutes}`;
}

function first(names: readonly (string | undefined)[]): CalendarZone | undefined {
  for (const name of names) {
    const zone = name === undefined || name === "" ? undefined : ianaZone(name);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Recognises a display name by its words, or by a city in an IANA name, or else by its offset alone. */
function displayedZone(id: string): CalendarZone | undefined {
  const [, sign, hours, minutes, words] =
    /^(?:\((?:UTC|GMT)\s*(?:([+-])\s*(\d{1,2})[:.](\d{2}))?\)\s*)?(.{0,200})$/i.exec(id) ?? [];
  const name = (words ?? "").replace(/ ?& ?/g, " and ").trim();
  const cities = name
    .split(/[,;]/)
    .slice(0, 8)
    .map((city) => city.trim().replace(/\.$/, "").replace(/ /g, "_"))
    .filter((city) => /^[A-Z][A-Za-z_]{2,30}$/.test(city));
  return (
    first([DISPLAYED[name.toLowerCase()]]) ??
    first(cities.flatMap((city) => REGIONS.map((region) => `${region}/${city}`))) ??
    (sign === undefined ? undefined : ianaZone(`${sign}${hours!.padStart(2, "0")}:${minutes!}`))
  );
}

function ianaZone(name: string): CalendarZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  const offsetOf = (instant: number): number => {
    const text = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const found = /([+-])(\d{2}):(\d{2})/.exec(text);
    return found === null ? 0 : (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3]));
  };
  return {
    name,
    offsetAt(wall) {
      // As in RFC 5545, 3.3.5: an hour that occurs twice means the first one, and a skipped hour uses the earlier
      // offset.
      const before = offsetOf(wall - 86_400_000);
      const after = offsetOf(wall + 86_400_000);
      if (before === after) return offsetOf(wall - before * 60_000);
      if (offsetOf(wall - before * 60_000) === before) return before;
      return offsetOf(wall - after * 60_000) === after ? after : before;
    },
  };
}

/**
 * A zone defined by a VTIMEZONE in the file. Only yearly rules are used. Real time zones have no others, and expanding
 * any other rule could go on forever.
 */
export function definedZone(name: string, lines: readonly string[]): CalendarZone | undefined {
  const sound = lines.filter((line) => !/^RRULE/i.test(line) || /FREQ=YEARLY/i.test(line));
  try {
    const component = new ICAL.Component(
      ICAL.parse(["BEGIN:VTIMEZONE", ...sound, "END:VTIMEZONE"].join("\r\n")) as unknown[],
    );
    const zone = new ICAL.Timezone({ component, tzid: name });
    const offsetAt = (wall: number): number => {
      const time = ICAL.Time.fromJSDate(new Date(wall), true);
      time.zone = zone;
      return Math.round(zone.utcOffset(time) / 60);
    };
    const sample = offsetAt(Date.UTC(2024, 0, 1));
    return Number.isFinite(sample) && Math.abs(sample) <= 18 * 60 ? { name, offsetAt } : undefined;
  } catch {
    return undefined;
  }
}
