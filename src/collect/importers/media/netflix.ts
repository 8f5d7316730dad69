// Netflix histories: ViewingActivity.csv from the full export, and the short list of titles and days from the account
// page. Spreadsheets that open and save these files change the separator, the dates and the durations.
import type { ImportAnswers, ImporterQuestion } from "../../importer.ts";
import { localMillis } from "../local-time.ts";
import type { MediaFound } from "./found.ts";

export type NetflixReader = (cells: readonly string[]) => MediaFound;

export type WatchDateOrder = "dmy" | "mdy";

export const netflixQuestion: ImporterQuestion = {
  id: "netflix_date_order",
  text: "In Netflix's list of titles, is 3/4/24 the 3rd of April or the 4th of March?",
  options: [
    { value: "dmy", label: "day first: 3rd of April" },
    { value: "mdy", label: "month first: 4th of March" },
  ],
};

export function answeredOrder(answers: ImportAnswers): WatchDateOrder | undefined {
  const answer = answers[netflixQuestion.id];
  return answer === "dmy" || answer === "mdy" ? answer : undefined;
}

/** Selects a reader by the column names. Returns undefined if they are not Netflix's. */
export function netflixReader(header: readonly string[], order: WatchDateOrder | undefined): NetflixReader | undefined {
  const names = header.map((name) => name.trim());
  const column = new Map(names.map((name, index) => [name, index]));
  const cellOf = (cells: readonly string[], name: string): string | undefined =>
    cells[column.get(name) ?? -1]?.trim() || undefined;
  if (["Profile Name", "Start Time", "Title"].every((name) => column.has(name))) {
    return (cells) => activity((name) => cellOf(cells, name), order);
  }
  // A spreadsheet may add empty columns.
  if (names.every((name) => ["Title", "Date", ""].includes(name)) && column.has("Title") && column.has("Date")) {
    return (cells) => listed(cellOf(cells, "Title"), cellOf(cells, "Date"), order);
  }
  return undefined;
}

/** Finds the date column. Returns -1 if the file is not from Netflix. */
export const dateColumn = (header: readonly string[]): number =>
  header.findIndex((name) => ["Start Time", "Date"].includes(name.trim()));

/** `0:43:12`, or `43:12` if a spreadsheet omitted the hours. */
const DURATION = /^(?:(\d{1,3}):)?(\d\d):(\d\d)(?:[.,]\d+)?$/;
const SERIES =
  /^(.{1,300}?): (?:Season|Series|Staffel|Saison|Temporada|Stagione|Seizoen|Sæson|Säsong|Sezon|Part|Teil|Partie|Parte|Chapter|Book|Volume|Limited Series|Miniserie|Mini-série)\b/;

function activity(cell: (name: string) => string | undefined, order: WatchDateOrder | undefined): MediaFound {
  const start = cell("Start Time");
  const title = cell("Title");
  if (start === undefined || title === undefined) return { error: "it has no start time or no title" };
  const read = timeIn(start, order);
  if ("error" in read) return read;
  const at = new Date(read.millis).toISOString();
  const [, hours = "0", minutes, seconds] = DURATION.exec(cell("Duration") ?? "") ?? [];
  const supplement = cell("Supplemental Video Type");
  return {
    stream: "views",
    parts: ["netflix", at, cell("Profile Name") ?? "", title],
    fields: {
      service: "netflix",
      kind: supplement === undefined ? "title" : "trailer",
      title,
      series: SERIES.exec(title)?.[1],
      watched_at: at,
      seconds: minutes === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      profile: cell("Profile Name"),
      device: cell("Device Type"),
      country: cell("Country"),
      is_autoplayed: /Autoplayed/.test(cell("Attributes") ?? "") ? true : undefined,
    },
  };
}

const CLOCK = "(?:[ T]+(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?)?";
/** `2024-01-15 21:03:11`, or with slashes if a spreadsheet saved it. */
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${CLOCK}$`);
/** `1/15/24`, `15/01/2024 21:03`, `15.01.24`. */
const YEAR_LAST = new RegExp(`^(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{2}|\\d{4})${CLOCK}$`);

function timeIn(text: string, order: WatchDateOrder | undefined): { millis: number } | { error: string } {
  const [, year, ...rest] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return timeAt(Number(year), rest);
  const [, first, second, short, ...clock] = YEAR_LAST.exec(text) ?? [];
  if (short === undefined) return { error: `${JSON.stringify(text.slice(0, 40))} is not a known date format` };
  if (order === undefined) return { error: "the order of day and month is not known" };
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  return timeAt(Number(short) + (short.length === 2 ? 2000 : 0), [month, day, ...clock]);
}

function timeAt(year: number, rest: readonly (string | undefined)[]): { millis: number } | { error: string } {
  const [month = 0, day = 0, hour, minute, second] = rest.map((part) => Number(part ?? 0));
  const millis = localMillis(year, month, day, hour, minute, second);
  return millis === undefined ? { error: "this date does not exist" } : { millis };
}

function listed(title: string | undefined, text: string | undefined, order: WatchDateOrder | undefined): MediaFound {
  if (title === undefined || text === undefined) return { error: "it has no title or no date" };
  const read = timeIn(text, order);
  if ("error" in read) return read;
  const { millis } = read;
  const at = new Date(millis).toISOString();
  return {
    stream: "views",
    parts: ["netflix", at.slice(0, 10), title],
    fields: {
      service: "netflix",
      kind: "title",
      title,
      series: SERIES.exec(title)?.[1],
      watched_at: at,
      is_day_only: true,
    },
  };
}

/** Returns the order if the date can be read in only one way, or "any" if it does not depend on the order. */
export function dateOrderOf(text: string): WatchDateOrder | "any" | undefined {
  const [, first, second] = YEAR_LAST.exec(text.trim()) ?? [];
  if (first === undefined) return "any";
  if (Number(first) > 12) return "dmy";
  return Number(second) > 12 ? "mdy" : undefined;
}
