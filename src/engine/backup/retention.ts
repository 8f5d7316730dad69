// Which backups are kept: the newest of each of the last days, weeks and months, and always the newest of all.
import { PdppError } from "../../contract/errors.ts";

export interface Retention {
  days: number;
  weeks: number;
  months: number;
}

export const DEFAULT_RETENTION = "7d,4w,12m";

const DAY_MS = 86_400_000;
const NAMES = { d: "days", w: "weeks", m: "months" } as const;

/** Parses `7d,4w,12m`, where an omitted part is 0. Returns undefined for "all". */
export function parseRetention(text: string): Retention | undefined {
  if (text === "all") return undefined;
  const kept: Retention = { days: 0, weeks: 0, months: 0 };
  for (const part of text.split(",")) {
    const [, count, unit] = /^\s*(\d{1,4})\s*([dwm])\s*$/.exec(part) ?? [];
    if (unit === undefined) throw wrongRetention(text);
    kept[NAMES[unit as keyof typeof NAMES]] = Number(count);
  }
  if (kept.days + kept.weeks + kept.months === 0) throw wrongRetention(text);
  return kept;
}

const wrongRetention = (text: string): PdppError =>
  new PdppError("invalid_request", `${JSON.stringify(text)} does not say how many backups to keep`, {
    param: "keep",
    next_step: `Use numbers of days, weeks and months, such as ${DEFAULT_RETENTION}, or all.`,
  });

export function keptSnapshots<T extends { created_at: string }>(snapshots: readonly T[], retention: Retention): T[] {
  const newest = [...snapshots].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  const kept = new Set<T>(newest.slice(0, 1));
  const keepNewestOf = (count: number, period: (at: number) => string | number): void => {
    const seen = new Set<string | number>();
    for (const snapshot of newest) {
      const name = period(Date.parse(snapshot.created_at));
      if (seen.has(name)) continue;
      if (seen.size === count) return;
      seen.add(name);
      kept.add(snapshot);
    }
  };
  keepNewestOf(retention.days, (at) => Math.floor(at / DAY_MS));
  // Weeks begin on Monday: the first day of 1970 was a Thursday.
  keepNewestOf(retention.weeks, (at) => Math.floor((at / DAY_MS + 3) / 7));
  keepNewestOf(retention.months, (at) => new Date(at).toISOString().slice(0, 7));
  return newest.filter((snapshot) => kept.has(snapshot));
}
