// The state in the timeline's address: days, kinds, source and person.
import { isKind, type Kind } from "../../../../contract/kinds.ts";
import { parseDay } from "../../../../core/instant.ts";
import { type Pairs, pair, withPairs } from "../explore/addresses.ts";
import { type Period, periodOf } from "../explore/local-days.ts";

export const HOME = "/dashboard";

export interface HomeState {
  /** `2026`, `2026-06` or `2026-06-20`. If absent, from today backwards. */
  at?: string;
  kinds: Kind[];
  connection?: string;
  person?: string;
  cursor?: string;
  /** All parameters except the page. */
  pairs: Pairs;
}

export function homeState(search: URLSearchParams): HomeState {
  const text = (name: string): string | undefined => search.get(name)?.trim() || undefined;
  const asked = text("at");
  const at = asked !== undefined && isTime(asked) ? asked : undefined;
  const kinds = [...new Set(search.getAll("kind").filter(isKind))];
  const [connection, person, cursor] = [text("source"), text("with"), text("cursor")];
  return {
    kinds,
    ...(at === undefined ? {} : { at }),
    ...(connection === undefined ? {} : { connection }),
    ...(person === undefined ? {} : { person }),
    ...(cursor === undefined ? {} : { cursor }),
    pairs: [
      ...(at === undefined ? [] : [pair("at", at)]),
      ...kinds.map((kind) => pair("kind", kind)),
      ...(connection === undefined ? [] : [pair("source", connection)]),
      ...(person === undefined ? [] : [pair("with", person)]),
    ],
  };
}

const isTime = (text: string): boolean =>
  parseDay(text.length === 4 ? `${text}-01-01` : text.length === 7 ? `${text}-01` : text) !== undefined;

export const isFiltered = ({ kinds, connection, person }: HomeState): boolean =>
  kinds.length > 0 || connection !== undefined || person !== undefined;

/** Returns the days of a year, a month or a day. */
export function daysOf(at: string): Period {
  if (at.length === 4) return periodOf("year", at);
  return at.length === 7 ? periodOf("month", at) : { since: at, until: at };
}

export const homeAddress = (pairs: Pairs): string => withPairs(HOME, pairs);

/** Returns the same day in earlier years, starting with last year. A leap day exists only in leap years. */
export function sameDays(today: string, years: readonly string[]): string[] {
  return years
    .filter((year) => year < today.slice(0, 4))
    .map((year) => `${year}${today.slice(4)}`)
    .filter((day) => parseDay(day) !== undefined);
}

/** The usual name for a kind's records. */
export const KIND_WORDS: Record<Kind, string> = {
  account: "Accounts",
  book: "Books",
  bookmark: "Bookmarks",
  code: "Code",
  command: "Commands",
  conversation: "Conversations",
  email: "Mail",
  event: "Events",
  file: "Files",
  measurement: "Measurements",
  message: "Chats",
  note: "Notes",
  order: "Orders",
  page: "Web pages",
  person: "Contacts",
  photo: "Photos",
  play: "Listening",
  post: "Posts",
  task: "Tasks",
  track: "Tracks",
  transaction: "Payments",
  visit: "Places",
  workout: "Workouts",
};
