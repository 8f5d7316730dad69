// Track, place and workout files: GPX, KML and KMZ, TCX, FIT, GeoJSON, OwnTracks, Overland and Polarsteps.
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { type DayOfPoints, pointsByDay } from "../days.ts";
import { present } from "../json-fields.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { surveyCopies } from "../survey.ts";
import { trackOf } from "../track.ts";
import { tracksDeclaration } from "./declaration.ts";
import { formOf } from "./forms.ts";
import type { TrackItem } from "./item.ts";

/**
 * Formats of devices and logs: two such files can contain the same workout or day. Everything else is identified by its
 * content.
 */
const HAS_IDS = /\.(?:fit|rec|json|geojson)$/i;

export const tracksImporter: Importer = {
  name: "tracks",
  title: "Tracks and workouts (GPX, KML, KMZ, TCX, FIT, GeoJSON, OwnTracks, Overland, Polarsteps)",
  from: [
    "Garmin Connect: an activity → Export original, or Account → Export your data",
    "Most apps for walks and rides: Share or Export → GPX, TCX or FIT",
    "OwnTracks: the recorder's rec folder",
    "Polarsteps: Account → Download my data",
  ],
  recognise({ path, head }: EntryPreview): Recognition | undefined {
    const found = formOf(path, head);
    return found && { score: found.score, reason: found.reason, group: "Tracks and workouts" };
  },
  async plan({ entries }) {
    const streams = new Set<string>();
    for (const entry of entries)
      for (const stream of formOf(entry.path, await headOf(entry, HEAD_BYTES))?.streams ?? []) streams.add(stream);
    return {
      account: { key: "tracks", name: "Tracks and workouts" },
      declaration: tracksDeclaration,
      // The number of records is known only after the run.
      streams: [...streams].map((stream) => ({ stream })),
    };
  },
  async *run(input, context) {
    const events = (entry: Entry): AsyncIterable<ImportEvent> => eventsOf(entry, context);
    const settled = await surveyCopies(
      input.entries.filter(({ path }) => HAS_IDS.test(path)),
      events,
    );
    for await (const event of replayedRun(input, context, events)) yield settled(event);
  },
};

async function* eventsOf(entry: Entry, { makeId }: ImportContext): AsyncGenerator<ImportEvent> {
  const found = formOf(entry.path, await headOf(entry, HEAD_BYTES));
  if (found === undefined) throw new Error("it is not in the format that its name suggests");
  const ordinal = ordinals();
  const days = pointsByDay();
  const left = new Map<string, number>();
  let failure: unknown;
  try {
    for await (const item of found.read(entry)) yield* eventsOfItem(item);
  } catch (error) {
    failure = error;
  }
  yield* day(days.end());
  for (const [reason, count] of left) yield { kind: "skip", entry, reason, count };
  if (failure !== undefined) throw failure;

  function* eventsOfItem(item: TrackItem): Generator<ImportEvent> {
    const { offset } = item;
    if ("problem" in item) yield { kind: "error", entry, offset, message: item.problem };
    else if ("left" in item) left.set(item.left, (left.get(item.left) ?? 0) + (item.count ?? 1));
    else if ("logged" in item) yield* day(days.add(item.logged, offset));
    else if ("segments" in item) {
      const fields = { ...trackOf(item.segments), ...item.facts };
      const identity = item.identity ?? digestOf(JSON.stringify(fields));
      yield record(item.stream, identity, fields, offset);
    } else yield record(item.stream, digestOf(JSON.stringify(item.facts)), item.facts, offset);
  }

  function* day(ended: DayOfPoints | undefined): Generator<ImportEvent> {
    if (ended !== undefined)
      yield record("tracks", `day ${ended.start} ${ended.fields.latitude}`, ended.fields, ended.offset);
  }

  function record(
    stream: string,
    identity: string,
    fields: Parameters<typeof present>[0],
    offset: number,
  ): ImportEvent {
    const whole = `${stream} ${identity}`;
    const key = makeId(digestOf(whole, String(ordinal(whole))));
    return { kind: "record", stream, key, data: present({ id: key, ...fields }), entry, offset };
  }
}
