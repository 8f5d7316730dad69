// Google location history: Records.json, Semantic Location History, and the Timeline exported by phones.
import type { JsonObject } from "../../../contract/json.ts";
import { type Entry, headOf } from "../../entry.ts";
import {
  type EntryPreview,
  HEAD_BYTES,
  type ImportContext,
  type ImportEvent,
  type Importer,
  type Recognition,
} from "../../importer.ts";
import { nameOf } from "../attached-file.ts";
import { type DayOfPoints, pointsByDay } from "../days.ts";
import { idIn, isObject, present, textIn } from "../json-fields.ts";
import { type JsonItem, type JsonPath, jsonItemRuns } from "../json-items.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { surveyCopies } from "../survey.ts";
import { googleLocationDeclaration } from "./declaration.ts";
import { type FoundItem, recordedIn, semanticItems, timelineItems } from "./items.ts";
import { writtenPosition } from "./values.ts";

type Form = "records" | "semantic" | "phone" | "list";

const FORMS: readonly [Form, RegExp, string][] = [
  [
    "records",
    /^\s*\{\s*"locations"\s*:\s*\[\s*\{[^[\]{}]*"(?:latitudeE7|timestampMs|deviceTag)"/,
    "Records.json from Takeout",
  ],
  ["semantic", /^\s*\{\s*"timelineObjects"\s*:\s*\[/, "Semantic Location History from Takeout"],
  ["phone", /^\s*\{\s*"(?:semanticSegments|rawSignals)"\s*:\s*\[/, "Timeline from an Android phone"],
  [
    "list",
    /^\s*\[\s*\{\s*(?:"(?:start|end)Time"\s*:\s*"[^"]{10,40}"\s*,\s*){2}"(?:visit|activity|timelinePath|timelineMemory)"\s*:/,
    "Timeline from an iPhone",
  ],
];

const STREAMS: Record<Form, readonly string[]> = {
  records: ["positions"],
  semantic: ["visits", "trips"],
  phone: ["visits", "trips", "positions", "frequent_places"],
  list: ["visits", "trips", "positions"],
};

export const googleLocationImporter: Importer = {
  name: "google-location",
  title: "Google location history (Records.json, Semantic Location History, Timeline of a phone)",
  from: [
    "Android: Settings → Location → Location services → Timeline → Export Timeline data",
    "iPhone: Google Maps → profile picture → Settings → Personal content → Export Timeline data",
    "Earlier exports: takeout.google.com, “Location History (Timeline)”",
  ],
  recognise,
  async plan({ entries }) {
    const streams = new Set<string>();
    for (const entry of entries)
      for (const stream of STREAMS[formOf(await headOf(entry, HEAD_BYTES)) ?? "records"]) streams.add(stream);
    return {
      account: { key: "google-location", name: "Google location history" },
      declaration: googleLocationDeclaration,
      // The count cannot be estimated from the size: a visit takes anything from 500 to 5,000 bytes.
      streams: [...streams].map((stream) => ({ stream })),
    };
  },
  async *run(input, context) {
    const events = (entry: Entry): AsyncIterable<ImportEvent> => eventsOf(entry, context);
    const settled = await surveyCopies(await clashing(input.entries), events);
    for await (const event of replayedRun(input, context, events)) yield settled(event);
  },
};

/**
 * Returns the files that can contain the same items. Takeout's Records.json, by far the largest file, is usually the
 * only one of its kind, and in that case it is read only once.
 */
async function clashing(entries: readonly Entry[]): Promise<Entry[]> {
  const records: Entry[] = [];
  const others: Entry[] = [];
  for (const entry of entries) (formOf(await headOf(entry, HEAD_BYTES)) === "records" ? records : others).push(entry);
  return records.length < 2 ? others : [...entries];
}

/** Google has often changed its exports, so the format is detected from the start of the file, whatever its name. */
function formOf(head: Uint8Array): Form | undefined {
  const start = textOf(head);
  return FORMS.find(([, pattern]) => pattern.test(start))?.[0];
}

const BESIDE: readonly [RegExp, RegExp, string, string][] = [
  [
    /\.json$/i,
    /^\s*\{\s*"timelineEdits"\s*:/,
    "Timeline Edits: signals behind your corrections",
    "Your visits and trips are in the Timeline that the phone exports.",
  ],
  [
    /\.json$/i,
    /^\s*\{[^[]*"deviceSettings"\s*:/,
    "settings of Google's location history",
    "It contains no places; nothing is lost.",
  ],
];

const textOf = (head: Uint8Array): string =>
  Buffer.from(head)
    .toString()
    .replace(/^\ufeff/, "");

function found(form: Form): Pick<Recognition, "reason" | "group"> {
  const [, , reason] = FORMS.find(([one]) => one === form)!;
  return { reason: `Google location history, ${reason}`, group: "Google location history" };
}

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  if (!/\.json$/i.test(path)) return undefined;
  const form = formOf(head);
  if (form !== undefined) return { score: 92, ...found(form) };
  const start = textOf(head);
  if (nameOf(path) === "Records.json" && /^\s*\{\s*"locations"\s*:/.test(start))
    return { score: 60, ...found("records") };
  const known = BESIDE.find(([name, content]) => name.test(nameOf(path)) && content.test(start));
  return known && { score: 90, reason: known[2], advice: known[3] };
}

/** Accepts the items of a list at the root, of lists one level below it, and of lists in the profile. */
function wanted(path: JsonPath): boolean {
  if (path.length === 1) return typeof path[0] === "number";
  if (path.length === 2) return typeof path[1] === "number" && typeof path[0] === "string";
  return path.length === 3 && path[0] === "userLocationProfile" && typeof path[2] === "number";
}

async function* eventsOf(entry: Entry, context: ImportContext): AsyncGenerator<ImportEvent> {
  const ordinal = ordinals();
  const left = new Map<string, number>();
  const days = pointsByDay();
  let failure: unknown;
  try {
    for await (const items of jsonItemRuns(entry, wanted)) {
      for (const item of items) {
        const { offset } = item;
        if ("problem" in item || !isObject(item.value)) {
          yield { kind: "error", entry, offset, message: "problem" in item ? item.problem : "it is not an object" };
          continue;
        }
        const { value } = item;
        const position = recordedIn(item.path, value);
        if (position !== undefined) {
          if ("left" in position) count(position.left);
          else if ("wrong" in position) yield { kind: "error", entry, offset, message: position.wrong };
          else yield* positions(days.add(position, offset));
        } else if (item.path[1] === "frequentPlaces") yield frequentPlace(value, offset);
        else for (const found of foundIn(item, value)) yield* event(found, offset);
      }
    }
  } catch (error) {
    failure = error;
  }
  yield* positions(days.end());
  for (const [reason, times] of left) yield { kind: "skip", entry, reason, count: times };
  if (failure !== undefined) throw failure;

  function count(reason: string): void {
    left.set(reason, (left.get(reason) ?? 0) + 1);
  }

  function* event(found: FoundItem, offset: number): Generator<ImportEvent> {
    if ("left" in found) count(found.left);
    else if ("wrong" in found) yield { kind: "error", entry, offset, message: found.wrong };
    else yield record(found.stream, `${found.stream} ${found.identity}`, found.fields, offset);
  }

  function record(
    stream: string,
    identity: string,
    fields: Parameters<typeof present>[0],
    offset: number,
  ): ImportEvent {
    const key = context.makeId(digestOf(identity, String(ordinal(identity))));
    return { kind: "record", stream, key, data: present({ id: key, ...fields }), entry, offset };
  }

  function* positions(day: DayOfPoints | undefined): Generator<ImportEvent> {
    if (day !== undefined) yield record("positions", `day ${day.start}`, day.fields, day.offset);
  }

  function frequentPlace(value: JsonObject, offset: number): ImportEvent {
    const label = textIn(value, "label");
    const place_id = idIn(value, "placeId");
    const place = writtenPosition(value.placeLocation);
    if (place === undefined && place_id === undefined)
      return { kind: "error", entry, offset, message: "a place without a position" };
    return record("frequent_places", `place ${place_id} ${label}`, { label, ...place, place_id }, offset);
  }
}

function foundIn({ path: [list, inner] }: JsonItem, value: JsonObject): Iterable<FoundItem> {
  if (list === "timelineObjects") return semanticItems(value);
  if (list === "semanticSegments" || typeof list === "number") return timelineItems(value);
  const name = list === "userLocationProfile" ? inner : list;
  return [{ left: `an item in ${String(name).slice(0, 100).toWellFormed()}, which is not imported` }];
}
