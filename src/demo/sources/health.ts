// Nora's phone and watch, as an Apple Health export: steps and resting pulse by day, her weight by week, walks and
// runs.
import { type Day, days, dublin, isAway, isoDay, isoDublin, minutes } from "../clock.ts";
import type { DemoExport } from "../home.ts";
import { createRandom, type Random } from "../random.ts";
import { stays } from "../stays.ts";

const PHONE = "Nora's iPhone";
const WATCH = "Nora's Watch";

export function healthExport(): DemoExport {
  return {
    key: "health",
    display_name: "Apple Health",
    *files() {
      const lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<!DOCTYPE HealthData>", '<HealthData locale="en_IE">'];
      yield {
        path: "apple_health_export/export.xml",
        content: [...lines, ...elements(), "</HealthData>\n"].join("\n"),
      };
    },
  };
}

function* elements(): Generator<string> {
  const random = createRandom("health");
  const walks = new Map(stays().flatMap((stay) => (stay.isWalk ? [[isoDay(stay.start), stay] as const] : [])));
  for (const day of days()) {
    const walk = walks.get(day.date);
    yield steps(day, walk !== undefined, random);
    yield sample("RestingHeartRate", WATCH, "count/min", at(day, "06:00"), restingPulse(day, random));
    if (day.weekday === 0) yield sample("BodyMass", PHONE, "kg", at(day, "07:30"), weight(day, random));
    if (walk !== undefined) yield workout("Walking", walk.start + minutes(10), walk.end, 4 + random.next() * 5, random);
    if (isRunDay(day) && random.chance(0.5)) {
      const start = at(day, "07:05");
      const km = 4 + random.next() * 4 + day.index / 500;
      yield workout("Running", start, start + minutes(Math.round(km * (6.4 - day.index / 2500))), km, random);
    }
  }
}

const at = (day: Day, clock: string): number => dublin(`${day.date} ${clock}`);
/** She starts running in spring 2024, after leaving the gym. */
const isRunDay = (day: Day): boolean => day.date >= "2024-04-01" && (day.weekday === 1 || day.weekday === 5);

function steps(day: Day, walked: boolean, random: Random): string {
  const usual = day.weekday < 5 ? 7200 : 5400;
  const count = usual + random.int(-2600, 3200) + (walked ? 9000 : 0) + (isAway(day.date) ? 8500 : 0);
  return sample("StepCount", PHONE, "count", at(day, "08:00"), String(count), at(day, "22:00"));
}

/** Her pulse falls slowly once she starts running, and is higher in winter. */
function restingPulse(day: Day, random: Random): string {
  const trained = Math.max(0, day.index - 455) / 140;
  return String(Math.round(64 - trained + 2 * Math.cos((day.index / 365.25) * 2 * Math.PI) + random.int(-2, 2)));
}

const weight = (day: Day, random: Random): string =>
  (66.8 - day.index / 900 + Math.cos((day.index / 365.25) * 2 * Math.PI) * 0.9 + random.next() * 0.6).toFixed(1);

/** Returns a time in Apple's format: `2025-05-16 11:02:09 +0100`. */
const written = (milliseconds: number): string => {
  const text = isoDublin(milliseconds);
  return `${text.slice(0, 10)} ${text.slice(11, 19)} ${text.slice(19).replace(":", "")}`;
};

const span = (source: string, start: number, end: number): string =>
  `sourceName="${source}" creationDate="${written(end)}" startDate="${written(start)}" endDate="${written(end)}"`;

const sample = (type: string, source: string, unit: string, start: number, value: string, end = start): string =>
  ` <Record type="HKQuantityTypeIdentifier${type}" ${span(source, start, end)} unit="${unit}" value="${value}"/>`;

function workout(activity: string, start: number, end: number, km: number, random: Random): string {
  const statistic = (type: string, sum: string, unit: string): string =>
    `  <WorkoutStatistics type="HKQuantityTypeIdentifier${type}" sum="${sum}" unit="${unit}"/>`;
  return [
    ` <Workout workoutActivityType="HKWorkoutActivityType${activity}" ${span(WATCH, start, end)} duration="${(end - start) / 60_000}" durationUnit="min">`,
    statistic("DistanceWalkingRunning", km.toFixed(2), "km"),
    statistic(
      "ActiveEnergyBurned",
      String(Math.round(km * (activity === "Running" ? 64 : 48) + random.int(-20, 20))),
      "kcal",
    ),
    " </Workout>",
  ].join("\n");
}
