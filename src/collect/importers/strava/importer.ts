// Strava's account export: activities.csv, and the activity files next to it.
import type { JsonValue } from "../../../contract/json.ts";
import { formatInstant } from "../../../core/instant.ts";
import { type Entry, headOf } from "../../entry.ts";
import { entriesFrom, HEAD_BYTES, type ImportEvent, type Importer } from "../../importer.ts";
import { folderOf, joinPath, nameOf } from "../attached-file.ts";
import { csvRows } from "../csv-rows.ts";
import { decodeHead, textOf } from "../decode.ts";
import { present } from "../json-fields.ts";
import { writtenMillis } from "../local-time.ts";
import { replayedEntries } from "../replay.ts";
import { surveyCopies } from "../survey.ts";
import { numberOf, POINTS_MAX, rounded, type TrackPoint, trackOf } from "../track.ts";
import { formOf } from "../tracks/forms.ts";
import { stravaDeclaration } from "./declaration.ts";

const HEADER = /^\ufeff?"?Activity ID"?,"?Activity Date"?,"?Activity Name"?,"?Activity Type"?,/;
const TEXT_MAX = 100_000;

export const stravaImporter: Importer = {
  name: "strava",
  title: "Strava (export of an account)",
  from: ["strava.com: Settings → My Account → Download or Delete Your Account → Request Your Archive"],
  recognise: ({ path, head }) =>
    /\.csv$/i.test(path) && HEADER.test(decodeHead(head))
      ? { score: 95, reason: "Strava activities", group: "Strava" }
      : undefined,
  /** Files that the activities refer to belong to them, even if another importer could read them. */
  async claims({ entries }, others) {
    const named = new Set<string>();
    for (const entry of entries.filter(isList)) {
      try {
        for await (const { cells } of activitiesIn(entry)) {
          const file = cells.get("Filename");
          if (file) named.add(joinPath(folderOf(entry.path), file));
        }
      } catch {
        // The run reports what is wrong with the file.
      }
    }
    return others.map(({ entry }) => entry.path).filter((path) => named.has(path) || named.has(folderOf(path)));
  },
  async plan({ entries }) {
    const lists = entries.filter(isList);
    for (const entry of lists)
      if (!HEADER.test(decodeHead(await headOf(entry, HEAD_BYTES)))) throw new Error("it is not a list of activities");
    const files = [];
    for (const entry of lists) {
      let count = 0;
      for await (const _row of activitiesIn(entry)) count++;
      files.push({ path: entry.path, count });
    }
    return {
      account: { key: "strava", name: "Strava" },
      declaration: stravaDeclaration,
      streams: [{ stream: "activities", count: files.reduce((sum, { count }) => sum + count, 0), files }],
    };
  },
  async *run(input, context) {
    const files = new Map(input.entries.filter((entry) => !isList(entry)).map((entry) => [entry.path, entry]));
    const lists = [...entriesFrom(input, context)].filter(({ entry }) => isList(entry));
    const events = (entry: Entry): AsyncIterable<ImportEvent> => eventsOf(entry, files);
    const settled = await surveyCopies(input.entries.filter(isList), events);
    for await (const event of replayedEntries(lists, events)) yield settled(event);
  },
};

const isList = ({ path }: Entry): boolean => /\.csv$/i.test(path);

interface ActivityRow {
  /** Some columns occur twice. The second one is exact, in metres and seconds. */
  cells: Map<string, string>;
  all: { heading: string; value: string }[];
  line: number;
}

async function* activitiesIn(entry: Entry): AsyncGenerator<ActivityRow & { problem?: string }> {
  let headings: string[] | undefined;
  for await (const row of csvRows(() => textOf(entry), ",")) {
    if ("problem" in row) {
      yield { cells: new Map(), all: [], line: row.line, problem: row.problem };
      continue;
    }
    if (headings === undefined) {
      headings = row.cells.map((cell) => plain(cell.replace(/^\ufeff/, "")));
      continue;
    }
    const all = headings.flatMap((heading, index) => {
      const value = plain(row.cells[index] ?? "");
      return value === "" ? [] : [{ heading, value }];
    });
    yield { cells: new Map(all.map(({ heading, value }) => [heading, value])), all, line: row.line };
  }
}

/** A heading that Strava failed to translate contains HTML. */
const plain = (cell: string): string =>
  cell
    .replace(/^<span [^<>]{0,500}>([^<>]{0,200})<\/span>$/, "$1")
    .trim()
    .slice(0, TEXT_MAX)
    .toWellFormed();

const MAPPED_HEADINGS = new Set([
  "Activity ID",
  "Activity Date",
  "Activity Name",
  "Activity Type",
  "Activity Description",
  "Activity Private Note",
  "Activity Gear",
  "Elapsed Time",
  "Moving Time",
  "Calories",
  "Average Heart Rate",
  "Max Heart Rate",
  "Elevation Gain",
  "Average Watts",
  "Commute",
]);

async function* eventsOf(entry: Entry, files: ReadonlyMap<string, Entry>): AsyncGenerator<ImportEvent> {
  for await (const { cells, all, line, problem } of activitiesIn(entry)) {
    const id = cells.get("Activity ID");
    const at = dateOf(cells.get("Activity Date") ?? "");
    if (problem !== undefined || id === undefined || at === undefined) {
      yield { kind: "error", entry, offset: line, message: problem ?? "an activity without an id or a date" };
      continue;
    }
    const number = (heading: string): number | undefined => numberOf(cells.get(heading));
    const minutes = (heading: string): number | undefined => {
      const seconds = number(heading);
      return seconds === undefined ? undefined : rounded(seconds / 60, 2);
    };
    const named = cells.get("Filename");
    const track = named === undefined ? undefined : yield* trackOfFile(joinPath(folderOf(entry.path), named), files);
    const isTwice = all.filter(({ heading }) => heading === "Distance").length > 1;
    const metres = isTwice ? number("Distance") : undefined;
    const elapsed = number("Elapsed Time");
    const other_columns = all.filter(
      ({ heading }) => !MAPPED_HEADINGS.has(heading) && !(isTwice && heading === "Distance"),
    );
    const fields: Record<string, JsonValue | undefined> = {
      id,
      ...track,
      name: cells.get("Activity Name"),
      activity: cells.get("Activity Type"),
      description: cells.get("Activity Description"),
      private_note: cells.get("Activity Private Note"),
      duration_minutes: minutes("Moving Time") ?? minutes("Elapsed Time"),
      elapsed_minutes: minutes("Elapsed Time"),
      energy_kcal: number("Calories"),
      heart_rate_average: number("Average Heart Rate"),
      heart_rate_maximum: number("Max Heart Rate"),
      ascent_m: number("Elevation Gain"),
      power_average_w: number("Average Watts"),
      gear: cells.get("Activity Gear"),
      is_commute: /^(?:true|1(?:\.0)?)$/i.test(cells.get("Commute") ?? "") || undefined,
      start: formatInstant(at),
      end: elapsed === undefined ? undefined : formatInstant(at + elapsed * 1000),
      distance_m: metres === undefined ? track?.distance_m : rounded(metres, 1),
      other_columns: other_columns.length === 0 ? undefined : other_columns,
    };
    yield { kind: "record", stream: "activities", key: id, data: present(fields), entry, offset: line };
  }
}

/** Compressed files are in a folder of the same name: `activities/1.fit.gz/1.fit`. */
async function* trackOfFile(
  path: string,
  files: ReadonlyMap<string, Entry>,
): AsyncGenerator<ImportEvent, Record<string, JsonValue | undefined> | undefined> {
  const file = files.get(path) ?? files.get(joinPath(path, nameOf(path).replace(/\.gz$/i, "")));
  if (file === undefined) return undefined;
  const form = formOf(file.path, await headOf(file, HEAD_BYTES));
  if (form === undefined) {
    yield { kind: "error", entry: file, message: "it is not in a format that Strava exports" };
    return undefined;
  }
  const segments: TrackPoint[][] = [];
  let count = 0;
  try {
    for await (const item of form.read(file)) {
      if ("problem" in item) yield { kind: "error", entry: file, offset: item.offset, message: item.problem };
      if (!("segments" in item)) continue;
      for (const segment of item.segments) {
        if (count < POINTS_MAX) segments.push(segment.slice(0, POINTS_MAX - count));
        count += segment.length;
      }
    }
  } catch (error) {
    yield { kind: "error", entry: file, message: (error as Error).message };
  }
  if (count > POINTS_MAX)
    yield { kind: "skip", entry: file, reason: `points beyond the first ${POINTS_MAX} of an activity`, count: 0 };
  return segments.length === 0 ? undefined : trackOf(segments);
}

const DATE =
  /^(?<month>[A-Z][a-z]{2})[a-z]*\s(?<day>\d{1,2}),\s(?<year>\d{4}),\s(?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)\s?(?<half>[AP]M)?$/;

/** `Jan 4, 2020, 2:57:37 PM`. Strava uses UTC. */
const dateOf = (text: string): number | undefined =>
  writtenMillis(DATE.exec(text.replace(/[\u00a0\u202f]/g, " "))?.groups);
