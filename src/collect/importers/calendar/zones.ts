// Time zones of calendars: the names of IANA, those of Windows, and what a file defines itself.
import ICAL from "ical.js";

export interface CalendarZone {
  /** What it is called: an IANA name where there is one. */
  name: string;
  /** Minutes east of UTC, when clocks there show this time. `wall` is that time as if it were UTC, in milliseconds. */
  offsetAt(wall: number): number;
}

export const UTC: CalendarZone = { name: "UTC", offsetAt: () => 0 };

/** Exchange and Outlook name zones so; they define them in the file too, most of the time. */
const WINDOWS: Record<string, string> = {
  "dateline standard time": "Etc/GMT+12",
  "hawaiian standard time": "Pacific/Honolulu",
  "alaskan standard time": "America/Anchorage",
  "pacific standard time": "America/Los_Angeles",
  "us mountain standard time": "America/Phoenix",
  "mountain standard time": "America/Denver",
  "central standard time": "America/Chicago",
  "central america standard time": "America/Guatemala",
  "canada central standard time": "America/Regina",
  "eastern standard time": "America/New_York",
  "us eastern standard time": "America/Indiana/Indianapolis",
  "sa pacific standard time": "America/Bogota",
  "atlantic standard time": "America/Halifax",
  "newfoundland standard time": "America/St_Johns",
  "e. south america standard time": "America/Sao_Paulo",
  "argentina standard time": "America/Buenos_Aires",
  "azores standard time": "Atlantic/Azores",
  "gmt standard time": "Europe/London",
  "greenwich standard time": "Atlantic/Reykjavik",
  "w. europe standard time": "Europe/Berlin",
  "central europe standard time": "Europe/Budapest",
  "romance standard time": "Europe/Paris",
  "central european standard time": "Europe/Warsaw",
  "w. central africa standard time": "Africa/Lagos",
  "gtb standard time": "Europe/Bucharest",
  "e. europe standard time": "Europe/Chisinau",
  "fle standard time": "Europe/Kiev",
  "turkey standard time": "Europe/Istanbul",
  "israel standard time": "Asia/Jerusalem",
  "egypt standard time": "Africa/Cairo",
  "south africa standard time": "Africa/Johannesburg",
  "arab standard time": "Asia/Riyadh",
  "russian standard time": "Europe/Moscow",
  "e. africa standard time": "Africa/Nairobi",
  "iran standard time": "Asia/Tehran",
  "arabian standard time": "Asia/Dubai",
  "pakistan standard time": "Asia/Karachi",
  "india standard time": "Asia/Calcutta",
  "nepal standard time": "Asia/Katmandu",
  "se asia standard time": "Asia/Bangkok",
  "china standard time": "Asia/Shanghai",
  "singapore standard time": "Asia/Singapore",
  "taipei standard time": "Asia/Taipei",
  "tokyo standard time": "Asia/Tokyo",
  "korea standard time": "Asia/Seoul",
  "w. australia standard time": "Australia/Perth",
  "cen. australia standard time": "Australia/Adelaide",
  "e. australia standard time": "Australia/Brisbane",
  "aus eastern standard time": "Australia/Sydney",
  "new zealand standard time": "Pacific/Auckland",
  utc: "UTC",
};

const byName = new Map<string, CalendarZone | undefined>();

/** "Europe/Berlin", "/freeassociation.sourceforge.net/Europe/Berlin", "W. Europe Standard Time". */
export function namedZone(id: string): CalendarZone | undefined {
  if (byName.has(id)) return byName.get(id);
  const parts = id.trim().split("/");
  const candidates = [
    WINDOWS[id.trim().toLowerCase()],
    id.trim(),
    parts.slice(-3).join("/"),
    parts.slice(-2).join("/"),
  ];
  const zone = candidates.flatMap((name) => (name === undefined || name === "" ? [] : (ianaZone(name) ?? [])))[0];
  // Names come from files: a hostile one has many.
  if (byName.size < 1000) byName.set(id, zone);
  return zone;
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
      // An hour that comes twice is the first one, one that is missing is read with the offset before: as RFC 5545, 3.3.5 says.
      const before = offsetOf(wall - 86_400_000);
      const after = offsetOf(wall + 86_400_000);
      if (before === after) return offsetOf(wall - before * 60_000);
      if (offsetOf(wall - before * 60_000) === before) return before;
      return offsetOf(wall - after * 60_000) === after ? after : before;
    },
  };
}

/** A VTIMEZONE of the file. Only yearly rules: others are no clock's, and would not end. */
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
