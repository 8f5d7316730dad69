// Netflix's histories: ViewingActivity.csv of the full export, and the short list of titles and days from the account page.
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

/** By the names of its columns; undefined when they are not Netflix's. */
export function netflixReader(header: readonly string[], order: WatchDateOrder | undefined): NetflixReader | undefined {
  const column = new Map(header.map((name, index) => [name.trim(), index]));
  if (["Profile Name", "Start Time", "Title"].every((name) => column.has(name))) {
    return (cells) => activity((name) => cells[column.get(name) ?? -1]?.trim() || undefined);
  }
  if (header.length === 2 && column.has("Title") && column.has("Date")) {
    return ([title = "", day = ""]) => listed(title.trim(), day.trim(), order);
  }
  return undefined;
}

const START = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
const DURATION = /^(\d{1,3}):(\d\d):(\d\d)$/;
const SERIES =
  /^(.{1,300}?): (?:Season|Series|Staffel|Saison|Temporada|Stagione|Seizoen|Sæson|Säsong|Sezon|Part|Teil|Partie|Parte|Chapter|Book|Volume|Limited Series|Miniserie|Mini-série)\b/;

function activity(cell: (name: string) => string | undefined): MediaFound {
  const [, ...digits] = START.exec(cell("Start Time") ?? "") ?? [];
  const [year = 0, month = 0, day = 0, hour, minute, second] = digits.map(Number);
  const millis = digits.length === 0 ? undefined : localMillis(year, month, day, hour, minute, second);
  const title = cell("Title");
  if (millis === undefined || title === undefined) return { error: "it has no start time or no title" };
  const at = new Date(millis).toISOString();
  const [, hours, minutes, seconds] = DURATION.exec(cell("Duration") ?? "") ?? [];
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
      seconds: hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      profile: cell("Profile Name"),
      device: cell("Device Type"),
      country: cell("Country"),
      is_autoplayed: /Autoplayed/.test(cell("Attributes") ?? "") ? true : undefined,
    },
  };
}

/** `1/15/24`, `15/01/2024`, `15.01.24`. */
const DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/;

function listed(title: string, text: string, order: WatchDateOrder | undefined): MediaFound {
  const [, first, second, year] = DAY.exec(text) ?? [];
  if (title === "" || first === undefined) return { error: "it has no title or no date" };
  if (order === undefined) return { error: "the order of day and month is not known" };
  const [day, month] = order === "dmy" ? [first, second] : [second, first];
  const millis = localMillis(Number(year) + (year!.length === 2 ? 2000 : 0), Number(month), Number(day));
  if (millis === undefined) return { error: "its date is none" };
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

/** Told by a date that can be read in one way only. */
export function dateOrderOf(days: Iterable<string>): WatchDateOrder | undefined {
  for (const text of days) {
    const [, first, second] = DAY.exec(text.trim()) ?? [];
    if (Number(first) > 12) return "dmy";
    if (Number(second) > 12) return "mdy";
  }
  return undefined;
}
