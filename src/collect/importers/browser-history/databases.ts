// The database of each browser family: how to recognise it, the query for its visits, and the meaning of its numbers.
import type { SQLInputValue } from "node:sqlite";
import type { ForeignDatabase, ForeignRow } from "../foreign-sqlite.ts";
import type { TRANSITIONS } from "./declaration.ts";

type Transition = (typeof TRANSITIONS)[number];

/**
 * The query selects rowid, time, url, title, transition, redirect, referrer and duration, with null for columns that a
 * family lacks.
 */
interface Family {
  name: "chrome" | "firefox" | "firefox-legacy" | "safari" | "qutebrowser";
  /** The name shown if nothing identifies the browser. */
  browser: string;
  /** Tables and columns that the family requires. */
  needs: Record<string, readonly string[]>;
  /** `has` returns true if an optional column exists. */
  select: (has: (table: string, column: string) => boolean) => string;
  from: string;
  /** The time column. Rows are sorted by it, and a resumed run continues after the time and row of its checkpoint. */
  time: string;
  rowid: string;
  /** Converts a time to microseconds since 1970. */
  micros: (time: bigint | number) => bigint | undefined;
  transition: (row: ForeignRow) => Transition | undefined;
}

const WEBKIT_EPOCH = 11_644_473_600_000_000n;
const CHROME_REDIRECTS = 0xc0000000n;
const CHROME_TRANSITIONS: readonly Transition[] = [
  "link",
  "typed",
  "bookmark",
  "frame",
  "frame",
  "generated",
  "start_page",
  "form",
  "reload",
  "keyword",
  "keyword",
];
const FIREFOX_TRANSITIONS: readonly (Transition | undefined)[] = [
  undefined,
  "link",
  "typed",
  "bookmark",
  "embed",
  "redirect",
  "redirect",
  "download",
  "frame",
  "reload",
];

const whole = (time: bigint | number): bigint | undefined =>
  typeof time === "bigint" ? time : Number.isFinite(time) ? BigInt(Math.round(time)) : undefined;

/** Desktop browsers store microseconds, and Android stores milliseconds. No realistic year is ambiguous. */
const firefoxMicros = (time: bigint | number): bigint | undefined => {
  const number = whole(time);
  return number === undefined ? undefined : number > 100_000_000_000_000n ? number : number * 1000n;
};
const firefoxTransition = ({ transition }: ForeignRow): Transition | undefined =>
  FIREFOX_TRANSITIONS[Number(transition)];

const FAMILIES: readonly Family[] = [
  {
    name: "chrome",
    browser: "Chrome",
    needs: { urls: ["id", "url", "title"], visits: ["id", "url", "visit_time", "from_visit", "transition"] },
    select: (has) => `u.url AS url, u.title AS title, v.transition AS transition, f.url AS referrer,
      ${has("visits", "visit_duration") ? "v.visit_duration" : "NULL"} AS duration`,
    from: `visits v LEFT JOIN urls u ON u.id = v.url LEFT JOIN visits p ON p.id = v.from_visit AND v.from_visit > 0
      LEFT JOIN urls f ON f.id = p.url`,
    time: "v.visit_time",
    rowid: "v.id",
    micros: (time) => (typeof time === "bigint" ? time - WEBKIT_EPOCH : undefined),
    transition({ transition }) {
      if (typeof transition !== "bigint") return undefined;
      return (transition & CHROME_REDIRECTS) !== 0n ? "redirect" : CHROME_TRANSITIONS[Number(transition & 0xffn)];
    },
  },
  {
    name: "firefox",
    browser: "Firefox",
    needs: {
      moz_places: ["id", "url", "title"],
      moz_historyvisits: ["id", "from_visit", "place_id", "visit_date", "visit_type"],
    },
    select: () => "u.url AS url, u.title AS title, v.visit_type AS transition, f.url AS referrer, NULL AS duration",
    from: `moz_historyvisits v LEFT JOIN moz_places u ON u.id = v.place_id
      LEFT JOIN moz_historyvisits p ON p.id = v.from_visit AND v.from_visit > 0 LEFT JOIN moz_places f ON f.id = p.place_id`,
    time: "v.visit_date",
    rowid: "v.id",
    micros: firefoxMicros,
    transition: firefoxTransition,
  },
  {
    name: "firefox-legacy",
    browser: "Firefox for Android",
    needs: { history: ["guid", "url", "title"], visits: ["_id", "history_guid", "visit_type", "date"] },
    select: () => "u.url AS url, u.title AS title, v.visit_type AS transition, NULL AS referrer, NULL AS duration",
    from: "visits v LEFT JOIN history u ON u.guid = v.history_guid",
    time: "v.date",
    rowid: "v._id",
    micros: firefoxMicros,
    transition: firefoxTransition,
  },
  {
    name: "safari",
    browser: "Safari",
    needs: {
      history_items: ["id", "url"],
      history_visits: ["id", "history_item", "visit_time", "title", "redirect_source"],
    },
    select: () => "u.url AS url, v.title AS title, NULL AS duration, v.redirect_source AS redirect, f.url AS referrer",
    from: `history_visits v LEFT JOIN history_items u ON u.id = v.history_item
      LEFT JOIN history_visits p ON p.id = v.redirect_source LEFT JOIN history_items f ON f.id = p.history_item`,
    time: "v.visit_time",
    rowid: "v.id",
    // Seconds since 2001, with a fraction.
    micros: (time) =>
      Number.isFinite(Number(time)) ? BigInt(Math.round((Number(time) + 978_307_200) * 1e6)) : undefined,
    transition: ({ redirect }) => (redirect === null || redirect === undefined ? undefined : "redirect"),
  },
  {
    name: "qutebrowser",
    browser: "qutebrowser",
    needs: { History: ["url", "title", "atime", "redirect"] },
    select: () => "v.url AS url, v.title AS title, v.redirect AS redirect, NULL AS referrer, NULL AS duration",
    from: "History v",
    time: "v.atime",
    rowid: "v.rowid",
    micros: (time) => (whole(time) === undefined ? undefined : whole(time)! * 1_000_000n),
    transition: ({ redirect }) => (redirect === 1n ? "redirect" : undefined),
  },
];

/** Matches tables that the first pages of a database describe. */
const SCHEMA =
  /CREATE TABLE (?:moz_historyvisits|history_visits)\b|history_visits__|History \(url NOT NULL, title NOT NULL, atime|history_guid TEXT NOT NULL|CREATE TABLE visits\s*\(id INTEGER PRIMARY KEY[^)]*visit_time INTEGER NOT NULL,\s*from_visit/;

export const showsHistory = (head: Uint8Array): boolean => SCHEMA.test(Buffer.from(head).toString("latin1"));

export function familyOf({ tables }: ForeignDatabase): Family | undefined {
  return FAMILIES.find(({ needs }) =>
    Object.entries(needs).every(([table, columns]) => columns.every((column) => tables.get(table)?.includes(column))),
  );
}

/**
 * The position of a run: the time and row of the last visit. Text, because a time can exceed the precision of a double.
 */
export interface VisitPosition {
  time: string;
  rowid: string;
}

export function visitsOf(
  database: ForeignDatabase,
  family: Family,
  after?: VisitPosition,
): IterableIterator<ForeignRow> {
  const { select, from, time, rowid } = family;
  const has = (table: string, column: string): boolean => database.tables.get(table)?.includes(column) ?? false;
  const parameters: SQLInputValue[] = after === undefined ? [] : [numberOf(after.time), numberOf(after.rowid)];
  return database.rows(
    `SELECT ${rowid} AS rowid, ${time} AS time, ${select(has)} FROM ${from}
     ${after === undefined ? "" : `WHERE (${time}, ${rowid}) > (?, ?)`} ORDER BY ${time}, ${rowid}`,
    ...parameters,
  );
}

const numberOf = (text: string): bigint | number => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text));

/** Returns the number of visits, and the times of the first and the last. */
export function extentOf(
  database: ForeignDatabase,
  family: Family,
): { count: number; first: bigint | undefined; last: bigint | undefined } {
  const { time, from, micros } = family;
  const table = from.split(" LEFT JOIN ")[0]!.trim();
  const [row] = [
    ...database.rows(`SELECT count(*) AS count, min(${time}) AS first, max(${time}) AS last FROM ${table}`),
  ];
  const at = (value: unknown): bigint | undefined =>
    typeof value === "bigint" || typeof value === "number" ? micros(value) : undefined;
  return { count: Number(row?.count ?? 0), first: at(row?.first), last: at(row?.last) };
}
