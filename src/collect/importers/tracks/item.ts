// The common form of items that the track file readers yield.
import type { JsonValue } from "../../../contract/json.ts";
import type { LoggedPoint } from "../days.ts";
import type { TrackPoint } from "../track.ts";

type Facts = Record<string, JsonValue | undefined>;

export type TrackItem = { offset: number } & (
  | {
      segments: readonly (readonly TrackPoint[])[];
      stream: "tracks" | "workouts";
      facts: Facts;
      /** Present if the file has its own id. Otherwise the points identify the item. */
      identity?: string;
    }
  /** One position in a log. The positions of a day become one track. */
  | { logged: LoggedPoint }
  | { stream: "places" | "measurements"; facts: Facts }
  | { left: string; count?: number }
  | { problem: string }
);

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;
const LATEST = Date.UTC(10_000, 0);

/** Returns milliseconds. A time without a zone is UTC in all of these formats. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return millisOf(value);
  const text = typeof value === "string" ? value.trim().replace(" ", "T") : "";
  if (/^\d{9,13}(?:\.\d{1,9})?$/.test(text)) return millisOf(Number(text));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return within(Date.parse(`${text}T00:00:00Z`));
  if (!ZONED.test(text)) return undefined;
  const hasZone = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text.slice(11));
  const zoned = hasZone
    ? text.replace(/([+-]\d\d):?(\d\d)?$/, (_all, hours, minutes) => `${hours}:${minutes ?? "00"}`)
    : `${text}Z`;
  return within(Date.parse(zoned.replace(",", ".").toUpperCase()));
}

const within = (millis: number): number | undefined =>
  millis >= 0 && millis < LATEST ? Math.floor(millis) : undefined;

/** Numbers up to the year 5138 are seconds; larger ones are milliseconds. */
const millisOf = (value: number): number | undefined => within(value < 1e11 ? value * 1000 : value);

const TEXT_MAX = 100_000;
export function wordsOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const plain = text.trim().slice(0, TEXT_MAX).toWellFormed();
  return plain === "" ? undefined : plain;
}

/** `IN_VEHICLE`, `Running` → words in lower case. */
export const activityOf = (text: unknown): string | undefined =>
  wordsOf(text)?.slice(0, 200).replaceAll("_", " ").toLowerCase();
