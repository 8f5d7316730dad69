// Yields CSV rows as objects keyed by column name, for exports with known columns. Lines before the header are skipped.
import type { JsonObject } from "../../contract/json.ts";
import type { Entry } from "../entry.ts";
import { csvRows, type QuoteEscape } from "./csv-rows.ts";
import { textOf } from "./decode.ts";

export type CsvObject = { row: JsonObject; line: number } | { problem: string; line: number };

/** `first` is a column name that occurs only in the header. */
export async function* csvObjects(entry: Entry, first: string, quoteEscape?: QuoteEscape): AsyncGenerator<CsvObject> {
  let names: string[] | undefined;
  for await (const found of csvRows(() => textOf(entry), ",", 1, quoteEscape)) {
    if ("problem" in found) yield found;
    else if (names !== undefined) yield { row: named(names, found.cells), line: found.line };
    else {
      const cells = found.cells.map((cell) => cell.replace(/^\ufeff/, "").trim());
      if (cells.includes(first)) names = cells;
    }
  }
}

const named = (names: readonly string[], cells: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name, at) => (cells[at] === undefined ? [] : [[name, cells[at].toWellFormed()]])));

/** `2024-03-15 09:30:00 UTC`. Some versions omit the zone, but all times are UTC. */
export function utcInstant(text: string | undefined): string | undefined {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(?: UTC|Z|\+00:00)?$/.exec(text?.trim() ?? "") ?? [];
  if (day === undefined) return undefined;
  const millis = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}
