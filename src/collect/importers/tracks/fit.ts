// FIT, the binary format of Garmin, Wahoo and others: workouts, courses and weights. Decoded by fit-file-parser.
import type { JsonValue } from "../../../contract/json.ts";
import { type Entry, wholeEntry } from "../../entry.ts";
import { numberOf, POINTS_MAX, positionOf, rounded, type TrackPoint } from "../track.ts";
import { activityOf, type TrackItem, wordsOf } from "./item.ts";

/** A watch that records every second produces 4 MB a day. The decoder keeps all of it in memory. */
const FILE_BYTES_MAX = 24 * 1024 * 1024;
const HEADER_BYTES_MIN = 12;

type Message = Readonly<Record<string, unknown>>;
type Messages = Readonly<Record<string, readonly Message[] | undefined>>;

export async function* fitItems(entry: Entry): AsyncGenerator<TrackItem> {
  const bytes = await wholeEntry(entry, FILE_BYTES_MAX);
  // Devices can concatenate several files into one.
  for (let from = 0; from < bytes.length; ) {
    const file = bytes.subarray(from);
    if (file.length < HEADER_BYTES_MIN || file.toString("latin1", 8, 12) !== ".FIT") {
      if (from === 0) throw new Error("it is not a FIT file");
      return;
    }
    const { end, isWhole } = recordsEnd(file);
    const whole = Buffer.from(file.subarray(0, end));
    whole.writeUInt32LE(end - file[0]!, 4);
    yield* messageItems(await decoded(whole), from);
    if (!isWhole) {
      yield { problem: "it is truncated: everything before that point is imported", offset: from + end };
      return;
    }
    // The records are followed by a checksum.
    from += end + 2;
  }
}

async function decoded(bytes: Buffer): Promise<Messages> {
  // The parser is loaded on first use, because its tables are a third of the code of all importers.
  const { default: FitParser } = await import("fit-file-parser");
  const parser = new FitParser({ force: true, mode: "list", lengthUnit: "m", speedUnit: "m/s" });
  const { messages } = (await parser.parseAsync(bytes as Buffer<ArrayBuffer>)) as { messages?: Messages };
  return messages ?? {};
}

/** Finds where the last complete record ends, because the decoder refuses a truncated file entirely. */
function recordsEnd(file: Buffer): { end: number; isWhole: boolean } {
  const header = file[0]!;
  const said = header + file.readUInt32LE(4);
  const sizes = new Map<number, number>();
  let at = header;
  while (at < said) {
    const next = recordEnd(file, at, sizes);
    if (next === undefined || next > Math.min(said, file.length)) return { end: at, isWhole: false };
    at = next;
  }
  return { end: at, isWhole: true };
}

/** Returns undefined if the record's type was never defined, or if the record is truncated. */
function recordEnd(file: Buffer, at: number, sizes: Map<number, number>): number | undefined {
  const head = file[at];
  if (head === undefined) return undefined;
  const isCompressed = (head & 0x80) !== 0;
  const type = isCompressed ? (head >> 5) & 0x03 : head & 0x0f;
  if (isCompressed || (head & 0x40) === 0) {
    const size = sizes.get(type);
    return size === undefined ? undefined : at + 1 + size;
  }
  if (at + 6 > file.length) return undefined;
  const fields = file[at + 5]!;
  let end = at + 6 + fields * 3;
  const hasOwnFields = (head & 0x20) !== 0;
  const ownFields = hasOwnFields ? file[end] : 0;
  if (ownFields === undefined || end > file.length) return undefined;
  let size = 0;
  for (let field = 0; field < fields; field++) size += file[at + 7 + field * 3]!;
  if (hasOwnFields) {
    const own = end + 1;
    end = own + ownFields * 3;
    if (end > file.length) return undefined;
    for (let field = 0; field < ownFields; field++) size += file[own + 1 + field * 3]!;
  }
  sizes.set(type, size);
  return end;
}

function* messageItems(messages: Messages, offset: number): Generator<TrackItem> {
  const [file = {}] = messages.file_id ?? [];
  const { session = [], record = [], weight_scale = [], monitoring = [], lap = [] } = messages;
  const points = record.map(pointOf);
  const device = [wordsOf(file.manufacturer), wordsOf(file.product_name)].filter(Boolean).join(" ") || undefined;
  if (file.type === "course") {
    if (points.length > 0)
      yield {
        segments: [points.slice(0, POINTS_MAX)],
        stream: "tracks",
        facts: { is_planned: true, recorded_by: device },
        offset,
      };
  } else {
    const sessions = session.length > 0 || points.length === 0 ? session : [{}];
    for (const [index, one] of sessions.entries()) {
      yield* workout(one, sessions.length === 1 ? points : within(points, one), {
        device,
        laps: sessions.length === 1 ? lap.length : numberOf(one.num_laps),
        identity: identityOf(file, index),
        offset,
      });
    }
  }
  for (const one of weight_scale) yield { ...weightOf(one), offset };
  const kept = session.length + record.length + weight_scale.length;
  if (monitoring.length > 0)
    yield { left: "steps and heart rate of a day, which are not imported", count: monitoring.length, offset };
  else if (kept === 0)
    yield { left: `a FIT file of the type ${wordsOf(file.type) ?? "unknown"}, not a workout`, offset };
}

/** Combines the device and the file's creation time, which are the same in every copy of the file. */
function identityOf({ serial_number: serial, time_created: created }: Message, index: number): { identity?: string } {
  return typeof serial === "number" && created instanceof Date
    ? { identity: `fit ${serial} ${+created} ${index}` }
    : {};
}

const timeOf = (value: unknown): number | undefined =>
  value instanceof Date && !Number.isNaN(+value) ? +value : undefined;
const instantOf = (value: unknown): string | undefined => {
  const at = timeOf(value);
  return at === undefined ? undefined : new Date(at).toISOString();
};

function pointOf(record: Message): TrackPoint {
  return {
    at: timeOf(record.timestamp),
    ...positionOf(record.position_lat, record.position_long),
    altitude: numberOf(record.enhanced_altitude ?? record.altitude),
    heartRate: numberOf(record.heart_rate),
  };
}

function within(points: readonly TrackPoint[], session: Message): TrackPoint[] {
  const [from, until] = [timeOf(session.start_time), timeOf(session.timestamp)];
  return points.filter(({ at }) => at !== undefined && at >= (from ?? 0) && at <= (until ?? Number.POSITIVE_INFINITY));
}

interface WorkoutContext {
  device: string | undefined;
  laps: number | undefined;
  identity: { identity?: string };
  offset: number;
}

function* workout(
  session: Message,
  points: readonly TrackPoint[],
  { device, laps, identity, offset }: WorkoutContext,
): Generator<TrackItem> {
  const [seconds, metres] = [numberOf(session.total_timer_time), numberOf(session.total_distance)];
  const sports = [activityOf(session.sport), activityOf(session.sub_sport)];
  const facts: Record<string, JsonValue | undefined> = {
    name: wordsOf(session.sport_profile_name),
    activity: sports.filter((one) => one !== undefined && one !== "generic").join(", ") || undefined,
    duration_minutes: seconds === undefined ? undefined : rounded(seconds / 60, 2),
    energy_kcal: numberOf(session.total_calories),
    heart_rate_average: numberOf(session.avg_heart_rate),
    heart_rate_maximum: numberOf(session.max_heart_rate),
    ascent_m: numberOf(session.total_ascent),
    lap_count: laps,
    recorded_by: device,
    ...present("start", instantOf(session.start_time)),
    ...present("end", instantOf(session.timestamp)),
    ...present("distance_m", metres === undefined ? undefined : rounded(metres, 1)),
  };
  yield { segments: [points.slice(0, POINTS_MAX)], stream: "workouts", facts, offset, ...identity };
  for (let from = POINTS_MAX; from < points.length; from += POINTS_MAX) {
    const more = { name: `${facts.name ?? "Workout"}, continued`, activity: facts.activity, recorded_by: device };
    yield { segments: [points.slice(from, from + POINTS_MAX)], stream: "tracks", facts: more, offset };
  }
}

const present = (name: string, value: JsonValue | undefined) => (value === undefined ? {} : { [name]: value });

function weightOf(message: Message) {
  const facts = {
    time: instantOf(message.timestamp),
    metric: "Weight",
    value: numberOf(message.weight),
    unit: "kg",
    body_fat_percent: numberOf(message.percent_fat),
  };
  return facts.time === undefined || facts.value === undefined
    ? { problem: "a weight without a value or a time" }
    : { stream: "measurements" as const, facts };
}
