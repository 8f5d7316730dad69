// Describes an app's request in words: `Searched for “invoice” in emails`, `Read 25 transactions from Liffey Bank since
// 1 March 2026` (V-06).
import type { KeptQuery } from "../contract/activity.ts";
import { cleanDisplayName } from "./display-name.ts";
import { lowerFirst } from "./grant-sentence.ts";
import { listed } from "./kind-words.ts";
import { spokenTime } from "./spoken-time.ts";

/** The records that a request read, by their name and the name of their connection. */
export interface RequestPlace {
  what: string;
  connection?: string;
  /** True if the app requested something that does not exist here; `what` is then the app's own word. */
  unknown?: true;
}

export interface AskedRequest {
  action: string;
  query?: KeptQuery;
  places: readonly RequestPlace[];
  records: number;
}

/** Returns a field's title for people, or undefined if the field no longer exists. */
export type FieldTitle = (field: string) => string | undefined;

const NAMED = 3;
const VALUE_MAX = 60;

export function requestWords(asked: AskedRequest, zone: string, titleOf: FieldTitle = () => undefined): string {
  const { action, query = {}, records, places } = asked;
  const what = listed(some(places.map(whatWords)));
  const names = places.flatMap(({ connection }) => (connection === undefined ? [] : [cleanDisplayName(connection)]));
  const from = names.length === 0 ? "" : ` from ${listed(some(names))}`;
  const narrowed = conditions(query, zone, titleOf);
  switch (action) {
    case "search":
      return `Searched for ${quoted(query.q ?? "")}${what === "" ? "" : ` in ${what}`}${narrowed}`;
    case "records":
    case "timeline":
      if (query.changes) return `Asked what is new in ${what || "its streams"}${from}`;
      return `Read ${amount(records, what || "records", query)}${from}${narrowed}`;
    case "changes":
      return `Asked what is new${what === "" ? "" : ` in ${what}`}${from}`;
    case "record":
      return `Opened one record in ${what}${from}`;
    case "window":
      return `Read text in ${what}${from}`;
    case "blob":
    case "blobServed":
      return `Opened an attached file in ${what}${from}`;
    case "aggregate":
      return `${query.metric === undefined || query.metric === "count" ? "Counted" : "Calculated totals for"} ${what}${from}${grouped(query, titleOf)}${narrowed}`;
    case "schema":
    case "streams":
    case "stream":
    case "admit":
      return "Looked up what it may read";
    case "exportRows":
    case "exportServed":
    case "createExport":
      return `Downloaded ${what || "records"}${from} as a file`;
  }
  return "";
}

/** Describes a request that returned nothing: `Asked for transactions from Liffey Bank`. */
export function refusedWords(
  { places, field }: { places: readonly RequestPlace[]; field?: string },
  titleOf: FieldTitle = () => undefined,
): string {
  if (places.length === 0) return "";
  const what = listed(some(places.map(whatWords)));
  const names = places.flatMap(({ connection }) => (connection === undefined ? [] : [cleanDisplayName(connection)]));
  const detail = field === undefined ? "" : `${quoted(titleOf(field) ?? field)} of `;
  return `Asked for ${detail}${what}${names.length === 0 ? "" : ` from ${listed(some(names))}`}`;
}

const whatWords = ({ what, unknown }: RequestPlace): string =>
  unknown ? quoted(what) : lowerFirst(cleanDisplayName(what));

const quoted = (text: string): string => `“${cleanDisplayName(text, VALUE_MAX)}”`;

function amount(records: number, what: string, { sort, order }: KeptQuery): string {
  if (records === 0) return `no ${what}`;
  const newest = sort === undefined && order !== "asc" ? "newest " : "";
  return records === 1 ? `one record in ${what}` : `the ${records} ${newest}${what}`;
}

const grouped = ({ group_by }: KeptQuery, titleOf: FieldTitle): string => {
  const title = group_by === undefined ? undefined : titleOf(group_by);
  return title === undefined ? "" : ` by ${lowerFirst(title)}`;
};

/** Describes conditions in words, skipping fields that no longer exist. */
function conditions({ filter = {}, since, until }: KeptQuery, zone: string, titleOf: FieldTitle): string {
  const said = Object.entries(filter).flatMap(([field, condition]) => conditionWords(field, condition, zone, titleOf));
  return [...said, ...spanWords(since, until, zone)].map((words) => ` ${words}`).join("");
}

function conditionWords(field: string, condition: unknown, zone: string, titleOf: FieldTitle): string[] {
  if (condition === null || typeof condition !== "object") return equals(field, [condition], titleOf);
  const { eq, in: among, gte, gt, lt, lte } = condition as Record<string, unknown>;
  if (eq !== undefined) return equals(field, [eq], titleOf);
  if (Array.isArray(among)) return equals(field, among, titleOf);
  const [from, to] = [gte ?? gt, lt ?? lte];
  if (isTime(from) || isTime(to)) return spanWords(from as string | undefined, to as string | undefined, zone);
  const title = titleOf(field);
  if (title === undefined || (from === undefined && to === undefined)) return [];
  const words = [...(from === undefined ? [] : [`from ${from}`]), ...(to === undefined ? [] : [`up to ${to}`])];
  return [`with ${lowerFirst(title)} ${words.join(" ")}`];
}

function equals(field: string, values: readonly unknown[], titleOf: FieldTitle): string[] {
  const title = titleOf(field);
  if (title === undefined) return [];
  return [
    `where ${lowerFirst(title)} is ${values
      .slice(0, NAMED)
      .map((value) => quoted(String(value)))
      .join(" or ")}`,
  ];
}

const isTime = (value: unknown): boolean => typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);

function spanWords(since: string | undefined, until: string | undefined, zone: string): string[] {
  const day = (text: string, end: boolean): string =>
    // A date has no time of day and is the same day in every zone.
    spokenTime(text, /^\d{4}-\d\d-\d\d$/.test(text) ? "UTC" : zone, { end });
  if (since === undefined) return until === undefined ? [] : [`until ${day(until, true)}`];
  return [until === undefined ? `since ${day(since, false)}` : `from ${day(since, false)} to ${day(until, true)}`];
}

const some = (names: readonly string[]): string[] => {
  const own = [...new Set(names)];
  return own.length > NAMED + 1 ? [...own.slice(0, NAMED), `${own.length - NAMED} more`] : own;
};
