// Parses front matter, the properties before a note's text, and reads the properties that any note can have.
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { parseInstant } from "../../../core/instant.ts";
import { writtenMillis } from "../local-time.ts";
import { parseYaml } from "./yaml.ts";

/** Anything longer is part of the text. */
const FRONT_MATTER_CHARS_MAX = 256 * 1024;

export function splitFrontMatter(text: string): { properties: JsonObject; body: string; unread: number } {
  const start = /^---[ \t]*\r?\n/.exec(text);
  if (start === null) return { properties: {}, body: text, unread: 0 };
  const rest = text.slice(start[0].length, start[0].length + FRONT_MATTER_CHARS_MAX);
  const end = /^(?:---|\.\.\.)[ \t]*\r?$/m.exec(rest);
  if (end === null) return { properties: {}, body: text, unread: 0 };
  const { value, unread } = parseYaml(rest.slice(0, end.index));
  const body = text.slice(start[0].length + end.index + end[0].length).replace(/^\r?\n/, "");
  return { properties: value, body, unread };
}

const plainName = (name: string): string => name.toLowerCase().replace(/[ _-]/g, "");

/** Returns the first property with one of these names, in any spelling. */
export function property(properties: JsonObject, names: readonly string[]): JsonValue | undefined {
  for (const name of names) {
    for (const [own, value] of Object.entries(properties)) {
      if (plainName(own) === name && value !== null && value !== "") return value;
    }
  }
  return undefined;
}

export const CREATED = ["created", "createdat", "createdtime", "datecreated", "creationdate", "created_time", "date"];
export const UPDATED = [
  "updated",
  "updatedat",
  "modified",
  "modifiedat",
  "datemodified",
  "lastmodified",
  "lastmod",
  "lastedited",
  "lasteditedtime",
];

/** Accepts a list, or a string with commas: `tags: a, b`. */
export function namesIn(value: JsonValue | undefined): string[] {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return parts.flatMap((part) =>
    typeof part === "string" || typeof part === "number" ? String(part).trim() || [] : [],
  );
}

/**
 * Converts a date or time to an instant. Without an offset it is read as UTC, because a note does not state its time
 * zone.
 */
export function instantIn(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text);
  if (iso !== null) {
    const [, day, time = "00:00", seconds = ":00", offset = "Z"] = iso;
    const colon = offset.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
    return toIso(parseInstant(`${day}T${time}${seconds}${colon}`));
  }
  // The format that Notion writes: December 4, 2024 8:45 AM.
  const named =
    /^(?<month>[A-Za-z]{3,9}) (?<day>\d{1,2}), (?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d\d)(?: ?(?<half>[AP])M)?)?$/i.exec(
      text,
    );
  return toIso(writtenMillis(named?.groups));
}

const toIso = (millis: number | undefined): string | undefined =>
  millis === undefined ? undefined : new Date(millis).toISOString();
