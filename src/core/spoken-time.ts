// Writes an instant in words in a time zone: only the date if it is midnight, otherwise the date and time.

const formats = new Map<
  string,
  { day: Intl.DateTimeFormat; instant: Intl.DateTimeFormat; clock: Intl.DateTimeFormat }
>();

function formatsOf(zone: string) {
  let found = formats.get(zone);
  if (found === undefined) {
    const date = { timeZone: zone, day: "numeric", month: "long", year: "numeric" } as const;
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    found = {
      day: new Intl.DateTimeFormat("en-GB", date),
      instant: new Intl.DateTimeFormat("en-GB", { ...date, ...clock }),
      clock: new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...clock, second: "2-digit" }),
    };
    formats.set(zone, found);
  }
  return found;
}

/**
 * Returns `1 January 2026` or `1 January 2026 at 14:30`. The end of a range is exclusive, so midnight is shown as the
 * day before.
 */
export function spokenTime(iso: string, zone: string, { end = false } = {}): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const { day, instant, clock } = formatsOf(zone);
  const midnight = at % 1000 === 0 && clock.format(at) === "00:00:00";
  return midnight ? day.format(end ? at - 1 : at) : instant.format(at);
}

/** The time zone of this process. */
export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
