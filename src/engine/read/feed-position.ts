// Where in the feed a reader starts: at a token from an earlier read, at a time, at the beginning or now.
import { PdppError } from "../../contract/errors.ts";
import { parseDay, parseInstant } from "../../core/instant.ts";
import type { Plan } from "../../core/plan.ts";
import type { Era, ReadView } from "../../store/store.ts";

/** Either a feed version or a time in ms. */
export type FeedStart = { version: number } | { time: number };

/** Parses `changes_since`. Returns undefined if it is a token. */
export function startOf(changesSince: string, head: number): FeedStart | undefined {
  if (changesSince === "beginning") return { version: 0 };
  if (changesSince === "now") return { version: head };
  if (!/^\d{4}-/.test(changesSince)) return undefined;
  const time = parseDay(changesSince) ?? parseInstant(changesSince);
  if (time !== undefined) return { time };
  throw new PdppError("invalid_request", `changes_since is not a date: ${JSON.stringify(changesSince)}`, {
    param: "changes_since",
    next_step:
      "Use an RFC 3339 time such as 2026-11-16T08:00:00Z, a day such as 2026-11-16, now, beginning, or a next_changes_since.",
  });
}

/**
 * How long one import, connector run or push may take. All its records carry its start time, so they can follow records
 * with a later time that were written in the meantime.
 */
const LONGEST_WRITE_MS = 24 * 3_600_000;

/**
 * Finds a record of the stream before which everything is older than the given time. Versions ascend, and so do times
 * except during long writes, so a binary search finds it in about twenty steps, even in a long feed. A record that is
 * older than the given time by more than the longest write was written before that time, so no later record, hidden or
 * not, makes a reader miss a change (G-01). Records after it may still be older than the given time, so a reader checks
 * the time of each change.
 */
export async function versionBefore(view: ReadView, plan: Plan, time: number, head: number): Promise<number> {
  const early = time - LONGEST_WRITE_MS;
  let [low, high, found] = [0, head, 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [row] = await view.newest(plan, { after: low, before: middle + 1, limit: 1, changed: false });
    if (row !== undefined && row.ingestedAt >= early) high = row.version - 1;
    else {
      low = middle;
      found = row?.version ?? found;
    }
  }
  return found;
}

/** Fixed width, because the length of a sealed token must not reveal how much the home has changed. */
export const padded = (version: number): string => String(version).padStart(DIGITS, "0");
const DIGITS = 16;

export const placeFrom = (position: unknown): [number, string] => [
  Number(String(position).slice(0, DIGITS)),
  String(position).slice(DIGITS),
];

export const spanFrom = (eras: readonly Era[], position: unknown): [from: number, horizon: number] => {
  const [from, rest] = placeFrom(position);
  return [from, validVersion(eras, ...placeFrom(rest))];
};

/** A version stays valid unless a restore went back to an earlier one. A reader would then silently miss changes. */
export function validVersion(eras: readonly Era[], version: number, name: string): number {
  const era = eras.find((candidate) => candidate.name === name);
  if (era === undefined || (era.until !== null && version > era.until)) throw lost();
  return version;
}

export function lost(): PdppError {
  return new PdppError("cursor_expired", "the token is newer than the data: the home was restored from a backup", {
    param: "changes_since",
  });
}
