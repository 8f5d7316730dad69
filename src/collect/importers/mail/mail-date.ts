// Parses dates in the formats that messages have used since 1982. Date.parse would interpret some of them in this
// machine's time zone.
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = MONTHS.join("|");

/** Zone names from RFC 822. Military letters mean UTC, as RFC 5322 requires. */
const ZONES: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  MET: 1,
  MEST: 2,
  BST: 1,
  JST: 9,
};

const DAY_FIRST = new RegExp(
  `(\\d{1,2})[ \\t-]+(${MONTH})[a-z]{0,6}\\.?,?[ \\t-]+(\\d{2,4})[ \\t,]+(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(.{0,40})`,
  "i",
);
const ASCTIME = new RegExp(
  `(${MONTH})[a-z]{0,6}[ \\t]+(\\d{1,2})[ \\t]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?[ \\t]+(?:([+-]\\d{4}|[A-Z]{1,5})[ \\t]+)?(\\d{4})(.{0,40})`,
  "i",
);
const ISO = /^\s*(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?[ ]?(.{0,40})/;

/** Returns RFC 3339, or undefined if it is not a date. A date without a zone is read as UTC. */
export function mailDate(text: string): string | undefined {
  const line = text.slice(0, 200);
  const day = DAY_FIRST.exec(line);
  if (day !== null) return instant(year(day[3]!), month(day[2]!), day[1]!, day[4]!, day[5]!, day[6], day[7]!);
  const asctime = ASCTIME.exec(line);
  if (asctime !== null) {
    return instant(
      Number(asctime[7]),
      month(asctime[1]!),
      asctime[2]!,
      asctime[3]!,
      asctime[4]!,
      asctime[5],
      asctime[6] ?? asctime[8]!,
    );
  }
  const iso = ISO.exec(line);
  return iso === null
    ? undefined
    : instant(Number(iso[1]), Number(iso[2]) - 1, iso[3]!, iso[4]!, iso[5]!, iso[6], iso[7]!);
}

const month = (name: string): number => MONTHS.indexOf(name.toLowerCase().slice(0, 3));

/** RFC 5322, 4.3: two digits up to 49 are in this century, and three digits count from 1900. */
function year(digits: string): number {
  const value = Number(digits);
  return digits.length === 4 ? value : digits.length === 3 || value >= 50 ? 1900 + value : 2000 + value;
}

function instant(
  year: number,
  monthIndex: number,
  day: string,
  hour: string,
  minute: string,
  second: string | undefined,
  zone: string,
): string | undefined {
  if (year < 1 || monthIndex < 0 || monthIndex > 11 || Number(day) < 1 || Number(day) > 31) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(year, monthIndex, Number(day));
  time.setUTCHours(Number(hour), Number(minute) - zoneMinutes(zone), Math.min(59, Number(second ?? 0)));
  const text = time.toISOString();
  return /^\d{4}-/.test(text) ? `${text.slice(0, 19)}Z` : undefined;
}

function zoneMinutes(text: string): number {
  const digits = /^\s*(?:GMT|UTC)?\s*([+-])(\d{2}):?(\d{2})/i.exec(text);
  if (digits !== null) {
    const minutes = Number(digits[2]) * 60 + Number(digits[3]);
    return minutes > 18 * 60 ? 0 : digits[1] === "-" ? -minutes : minutes;
  }
  const name = /^\s*([A-Z]{2,5})\b/i.exec(text)?.[1]?.toUpperCase();
  return (name === undefined ? 0 : (ZONES[name] ?? 0)) * 60;
}
