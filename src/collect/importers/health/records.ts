// Converts Apple Health elements to records.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type { ImportEvent } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { digestOf } from "../replay.ts";
import type { HealthElement } from "./elements.ts";

export function* eventsOfElement(
  element: HealthElement,
  entry: Entry,
  offset: number,
  makeId: MakeId,
): Generator<ImportEvent> {
  const build = BUILDERS[element.name];
  if (build === undefined) {
    if (element.name !== "ExportDate")
      yield { kind: "skip", entry, offset, reason: `${element.name}: this kind is not imported` };
    return;
  }
  const { stream, data, problem } = build(element, makeId);
  if (problem !== undefined) {
    yield { kind: "error", entry, offset, message: problem };
    return;
  }
  yield { kind: "record", stream, key: data.id as string, data, entry, offset };
  if (element.passedOver > 0) {
    yield {
      kind: "skip",
      entry,
      offset,
      count: element.passedOver,
      reason: `points or beats inside a ${element.name} are not imported`,
    };
  }
}

interface BuiltRecord {
  stream: string;
  data: JsonObject;
  problem?: string;
}

const BUILDERS: Record<string, (element: HealthElement, makeId: MakeId) => BuiltRecord> = {
  Record: (element, makeId) => spanned("records", element, makeId, measurement(element)),
  Correlation: (element, makeId) =>
    spanned("correlations", element, makeId, {
      type: short(element.attributes.type ?? ""),
      records: element.children.filter(({ name }) => name === "Record").map((part) => makeId(recordId(part))),
    }),
  Workout: (element, makeId) => spanned("workouts", element, makeId, workout(element)),
  ActivitySummary: activityDay,
  Me: profile,
};

/** Reads the attributes that every record with a start and an end has. */
function spanned(
  stream: string,
  element: HealthElement,
  makeId: MakeId,
  own: Record<string, JsonObject[string] | undefined>,
): BuiltRecord {
  const { attributes } = element;
  const start = instantOf(attributes.startDate);
  if (start === undefined) {
    return {
      stream,
      data: {},
      problem: `${element.name} starts at ${JSON.stringify(attributes.startDate ?? "")}, which is not a time`,
    };
  }
  const metadata = metadataOf(element);
  const data = clean({
    id: makeId(recordId(element)),
    ...own,
    start,
    end: instantOf(attributes.endDate),
    created: instantOf(attributes.creationDate),
    source: attributes.sourceName,
    source_version: attributes.sourceVersion,
    // Remove the object's address in the phone's memory, because it differs in every export.
    device: attributes.device?.replace(/^<<HKDevice: 0x[0-9a-f]+>,? ?/i, "").replace(/>$/, ""),
    ...(metadata.length > 0 ? { metadata } : {}),
  });
  return { stream, data };
}

/**
 * The id is derived from everything that an export repeats unchanged. Two equal records count as one, because Apple
 * lists parts of correlations twice.
 */
function recordId(element: HealthElement): string {
  const { attributes } = element;
  const names = [
    "type",
    "workoutActivityType",
    "sourceName",
    "startDate",
    "endDate",
    "creationDate",
    "value",
    "unit",
    "duration",
  ];
  // Use the instant, because the text of a time contains the phone's zone at the time of the export.
  const parts = names.map((name) =>
    name.endsWith("Date") ? String(Date.parse(instantOf(attributes[name]) ?? "")) : (attributes[name] ?? ""),
  );
  return digestOf(element.name, ...parts, ...metadataOf(element).flatMap(({ key, value }) => [key, value]));
}

function measurement({ attributes }: HealthElement): Record<string, JsonObject[string] | undefined> {
  const { type = "", value, unit } = attributes;
  const number = numberOf(value);
  return {
    type: short(type),
    kind: type.startsWith("HKCategory") ? "category" : type.startsWith("HKQuantity") ? "quantity" : "other",
    ...(number === undefined ? {} : { value: number }),
    value_text: number === undefined && value !== undefined ? short(value) : value,
    unit,
  };
}

const MINUTES: Record<string, number> = { min: 1, s: 1 / 60, sec: 1 / 60, hr: 60, h: 60 };

function workout({ attributes, children }: HealthElement): Record<string, JsonObject[string] | undefined> {
  const duration = numberOf(attributes.duration);
  const factor = MINUTES[attributes.durationUnit ?? "min"];
  const statistics = children
    .filter(({ name }) => name === "WorkoutStatistics")
    .map(({ attributes: { type = "", ...one } }) =>
      clean({
        type: short(type),
        sum: numberOf(one.sum),
        average: numberOf(one.average),
        minimum: numberOf(one.minimum),
        maximum: numberOf(one.maximum),
        unit: one.unit,
      }),
    );
  const events = children
    .filter(({ name }) => name === "WorkoutEvent")
    .map(({ attributes: one }) =>
      clean({ type: short(one.type ?? ""), at: instantOf(one.date), duration: numberOf(one.duration) }),
    );
  const sumOf = (kinds: RegExp): JsonObject | undefined =>
    statistics.find(({ type, sum }) => kinds.test(String(type)) && sum !== undefined);
  const [distance, energy] = [sumOf(/^Distance/), sumOf(/^ActiveEnergyBurned$/)];
  const route = children
    .find(({ name }) => name === "WorkoutRoute")
    ?.children.find(({ name }) => name === "FileReference");
  return {
    activity: short(attributes.workoutActivityType ?? ""),
    duration_minutes: duration === undefined || factor === undefined ? undefined : duration * factor,
    // Newer exports contain the sums only as statistics.
    distance: numberOf(attributes.totalDistance) ?? (distance?.sum as number | undefined),
    distance_unit: attributes.totalDistanceUnit ?? (distance?.unit as string | undefined),
    energy: numberOf(attributes.totalEnergyBurned) ?? (energy?.sum as number | undefined),
    energy_unit: attributes.totalEnergyBurnedUnit ?? (energy?.unit as string | undefined),
    ...(statistics.length > 0 ? { statistics } : {}),
    ...(events.length > 0 ? { events } : {}),
    route_file: route?.attributes.path,
  };
}

function activityDay({ attributes }: HealthElement, makeId: MakeId): BuiltRecord {
  const day = attributes.dateComponents ?? "";
  if (!isDay(day))
    return {
      stream: "activity_days",
      data: {},
      problem: `an activity summary for ${JSON.stringify(day)}, which is not a date`,
    };
  const data = clean({
    id: makeId(day),
    day,
    energy: numberOf(attributes.activeEnergyBurned),
    energy_goal: numberOf(attributes.activeEnergyBurnedGoal),
    energy_unit: attributes.activeEnergyBurnedUnit,
    move_minutes: numberOf(attributes.appleMoveTime),
    exercise_minutes: numberOf(attributes.appleExerciseTime),
    exercise_goal: numberOf(attributes.appleExerciseTimeGoal),
    stand_hours: numberOf(attributes.appleStandHours),
    stand_goal: numberOf(attributes.appleStandHoursGoal),
  });
  return { stream: "activity_days", data };
}

function profile({ attributes }: HealthElement): BuiltRecord {
  const own = (name: string): string | undefined => {
    const value = attributes[`HKCharacteristicTypeIdentifier${name}`];
    return value === undefined || /NotSet$/.test(value)
      ? undefined
      : value.replace(/^HK(?:BiologicalSex|BloodType|FitzpatrickSkinType|WheelchairUse)/, "");
  };
  const birth = own("DateOfBirth") ?? "";
  const data = clean({
    id: "me",
    ...(isDay(birth) ? { birth_date: birth } : {}),
    sex: own("BiologicalSex"),
    blood_type: own("BloodType"),
    skin_type: own("FitzpatrickSkinType"),
  });
  return { stream: "profile", data };
}

const metadataOf = ({ children }: HealthElement): { key: string; value: string }[] =>
  children
    .filter(({ name }) => name === "MetadataEntry")
    .map(({ attributes }) => ({ key: attributes.key ?? "", value: attributes.value ?? "" }));

/** Shortens `HKQuantityTypeIdentifierHeartRate` to HeartRate for display. */
const short = (type: string): string =>
  type.replace(
    /^HK(?:(?:Quantity|Category|Correlation|Data)Type(?:Identifier)?|CategoryValue|WorkoutActivityType|WorkoutEventType)(?=.)/,
    "",
  );

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Converts `2019-07-19 10:36:11 -0700` to RFC 3339. */
function instantOf(text: string | undefined): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(text ?? "");
  if (!found) return undefined;
  const instant = `${found[1]}T${found[2]}${found[3]}:${found[4]}`;
  return isDay(found[1]!) && !Number.isNaN(Date.parse(instant)) ? instant : undefined;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

function clean(fields: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, JsonObject[string]] => field[1] !== undefined && field[1] !== "",
    ),
  );
}
