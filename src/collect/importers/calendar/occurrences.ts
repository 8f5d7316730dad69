// Expands an event into its occurrences up to a horizon, from its rules, additions and exceptions.
import ICAL from "ical.js";
import type { CalendarEvent } from "./event.ts";
import { instantOf, parseWhen, type When } from "./when.ts";

/** The maximum per event: eight years of daily occurrences. */
export const OCCURRENCES_MAX = 3000;
/**
 * How many occurrences are checked per event, including exceptions and repeats, because rules can repeat themselves
 * endlessly.
 */
const TRIES_MAX = 10 * OCCURRENCES_MAX;
/** The maximum number of different rules per event. More than one is rare. */
const RULES_MAX = 20;
/** How many steps the rules of one event may take without finding a time. Some rules never find one. */
const STEPS_MAX = 100_000;

export interface Occurrences {
  /** Sorted, without duplicates. */
  starts: When[];
  /** The parts of the series that were omitted, and the reason. */
  left?: string;
}

/** `instead` contains the instants of the series that are replaced by other events. */
export function occurrencesOf(event: CalendarEvent, horizon: number, instead: ReadonlySet<number>): Occurrences {
  const { start, rules, added, except } = event;
  const without = new Set([...except.map(instantOf), ...instead]);
  // An excluded day excludes every time on that day.
  const withoutDays = new Set(except.filter(({ isDay }) => isDay).map(({ wall }) => wall));
  const found = new Map<number, When>();
  let left: string | undefined;
  const add = (when: When): void => {
    const instant = instantOf(when);
    if (!without.has(instant) && !withoutDays.has(Math.floor(when.wall / 86_400_000) * 86_400_000))
      found.set(instant, when);
  };
  add(start);
  for (const one of added) if (instantOf(one) <= horizon) add(one);
  const different = [...new Set(rules)];
  if (different.length > RULES_MAX) left = `only the first ${RULES_MAX} rules of a series are applied`;
  let tries = 0;
  const steps = { left: STEPS_MAX };
  for (const rule of different.slice(0, RULES_MAX)) {
    try {
      for (const when of timesOf(rule, start, horizon, steps)) {
        if (found.size >= OCCURRENCES_MAX || ++tries > TRIES_MAX) {
          left = `only the first ${OCCURRENCES_MAX} occurrences of a series are listed`;
          break;
        }
        add(when);
      }
    } catch {
      left = "a recurrence rule that cannot be evaluated: later occurrences of its series are not listed";
    }
  }
  return {
    starts: [...found.entries()].sort(([one], [other]) => one - other).map(([, when]) => when),
    ...(left === undefined ? {} : { left }),
  };
}

function* timesOf(rule: string, start: When, horizon: number, steps: { left: number }): Generator<When> {
  const until = /(?:^|;)UNTIL=([^;]+)/i.exec(rule)?.[1];
  const last = until === undefined ? undefined : parseWhen(until, start.zone);
  // If UNTIL is a day, all of that day is included.
  const end = Math.min(
    horizon,
    last === undefined
      ? Infinity
      : last.isDay
        ? instantOf({ ...start, wall: last.wall + 86_399_000 })
        : instantOf(last),
  );
  const recur = ICAL.Recur.fromString(rule.replace(/(?:^|;)UNTIL=[^;]*/i, "").replace(/^;/, ""));
  if (recur.interval < 1) recur.interval = 1;
  // Rules follow the event's local clock: two in the afternoon stays two in the afternoon when the clocks change.
  const clock = (wall: number): ICAL.Time => {
    const date = new Date(wall);
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const time = start.isDay
      ? { isDate: true }
      : { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() };
    return new ICAL.Time({ ...day, ...time }, ICAL.Timezone.localTimezone);
  };
  recur.until = clock(Math.max(end, start.wall) + 2 * 86_400_000);
  const iterator = recur.iterator(clock(start.wall)) as ICAL.RecurIterator & { check_contracting_rules(): boolean };
  const check = iterator.check_contracting_rules.bind(iterator);
  const months = (recur.parts as { BYMONTH?: number[] }).BYMONTH;
  iterator.check_contracting_rules = () => {
    if (--steps.left < 0) throw new Error("it has no further occurrences");
    return check();
  };
  for (let time = iterator.next(); time !== null && time !== undefined; time = iterator.next()) {
    const when = { ...start, wall: Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second) };
    if (instantOf(when) > end) return;
    // The iterator turns 30 February into 1 March, so skip months that the rule does not list.
    if (months !== undefined && !months.includes(time.month)) continue;
    yield when;
  }
}
