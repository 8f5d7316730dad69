// Parses one VEVENT line by line, so that one invalid property does not discard the whole event.
import type { JsonObject } from "../../../contract/json.ts";
import type { TextComponent } from "../components.ts";
import { type ContentLine, parseContentLine, splitEscaped, unescaped } from "../content-line.ts";
import { digestOf } from "../replay.ts";
import { dayOf, durationOf, instantOf, parseWhen, type When, whensOf, written } from "./when.ts";
import { type CalendarZone, UTC } from "./zones.ts";

const DAY = 86_400_000;
const TEXT_MAX = 200_000;
const ATTENDEES_MAX = 1000;

export interface CalendarEvent {
  /** False if `uid` was derived from the event's content. */
  hasUid: boolean;
  uid: string;
  start: When;
  /** The duration from start to end. */
  length: number;
  /** The occurrence of the series that this event replaces. */
  instead?: When;
  rules: string[];
  added: When[];
  except: When[];
  /** Greater for a newer version of the same event. */
  rank: string;
  cancelled: boolean;
  /** Fields of the record, except its times and its place. */
  fields: JsonObject;
}

export type ZoneOf = (id: string) => CalendarZone | undefined;

/** Reads the fields of a component, property by property. */
export function readProperties({ lines }: TextComponent, zoneOf: ZoneOf) {
  const properties = new Map<string, ContentLine[]>();
  for (const text of lines) {
    const line = parseContentLine(text);
    if (line === undefined) continue;
    const known = properties.get(line.name);
    if (known === undefined) properties.set(line.name, [line]);
    else if (known.length < ATTENDEES_MAX) known.push(line);
  }
  const all = (name: string): ContentLine[] => properties.get(name) ?? [];
  const say = (name: string): string =>
    unescaped(all(name)[0]?.value ?? "")
      .slice(0, TEXT_MAX)
      .trim()
      .toWellFormed();
  const whens = (name: string): When[] => all(name).flatMap((line) => whensOf(line, zoneOf));
  const stamp = (name: string): string | undefined => {
    const [when] = whens(name);
    return when === undefined ? undefined : new Date(instantOf(when)).toISOString();
  };
  const categories = all("CATEGORIES").flatMap(({ value }) =>
    splitEscaped(value, ",")
      .map((one) => unescaped(one).trim())
      .filter((one) => one !== ""),
  );
  return { all, say, whens, stamp, categories };
}

/** Throws with a reason if the event has no start. */
export function parseEvent(component: TextComponent, zoneOf: ZoneOf): CalendarEvent {
  const { lines } = component;
  const { all, say, whens, stamp, categories } = readProperties(component, zoneOf);
  const [start] = whens("DTSTART");
  if (start === undefined)
    throw new Error(
      all("DTSTART").length === 0
        ? "an event without DTSTART"
        : `DTSTART is not a time: ${say("DTSTART").slice(0, 60)}`,
    );
  const modifiedAt = stamp("LAST-MODIFIED") ?? stamp("CREATED");
  const status = say("STATUS").toLowerCase();
  const [instead] = whens("RECURRENCE-ID");
  const organizer = all("ORGANIZER")[0];
  const fields: JsonObject = {
    title: say("SUMMARY"),
    ...optional("description", say("DESCRIPTION")),
    ...optional("location", say("LOCATION")),
    ...optional("url", say("URL")),
    ...(["confirmed", "tentative", "cancelled"].includes(status) ? { status } : {}),
    busy: say("TRANSP").toUpperCase() !== "TRANSPARENT",
    ...optional("visibility", ["private", "confidential"].find((one) => one === say("CLASS").toLowerCase()) ?? ""),
    ...(organizer === undefined ? {} : { organizer: person(organizer) }),
    attendees: all("ATTENDEE").map((line) => ({ ...person(line), ...response(line) })),
    categories,
    ...(stamp("CREATED") === undefined ? {} : { created_at: stamp("CREATED")! }),
    ...(modifiedAt === undefined ? {} : { updated_at: modifiedAt }),
  };
  return {
    hasUid: say("UID") !== "",
    uid: say("UID").slice(0, 500) || contentUid(lines),
    start,
    length: lengthOf(start, whens("DTEND")[0], durationOf(say("DURATION"))),
    ...(instead === undefined ? {} : { instead }),
    rules: all("RRULE").map(({ value }) => value.replace(/\s+/g, "")),
    added: whens("RDATE"),
    except: whens("EXDATE"),
    rank: rankOf(say("SEQUENCE"), modifiedAt),
    cancelled: status === "cancelled",
    fields,
  };
}

/** Derives an id for a component without a UID. */
export const contentUid = (lines: readonly string[]): string =>
  `sha256:${digestOf(...lines.filter((line) => !/^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE)[;:]/i.test(line)))}`;

/** Sorts versions of the same component by sequence number, then by modification time. */
export function rankOf(sequence: string, modifiedAt: string | undefined): string {
  const number = Math.min(Math.max(Number.parseInt(sequence, 10) || 0, 0), 99_999_999);
  return `${String(number).padStart(8, "0")} ${modifiedAt ?? ""}`;
}

/**
 * RFC 5545, 3.6.1: by default, an event with only a date lasts that whole day, and an event with a time has no
 * duration.
 */
function lengthOf(start: When, end: When | undefined, duration: number | undefined): number {
  const given = end === undefined ? duration : start.isDay ? end.wall - start.wall : instantOf(end) - instantOf(start);
  const least = start.isDay ? DAY : 0;
  return given === undefined || given < least || given > 3660 * DAY ? least : given;
}

export const optional = (name: string, value: string): JsonObject => (value === "" ? {} : { [name]: value });

function person({ value, parameters }: ContentLine): { name: string; email: string } {
  const email = value
    .trim()
    .replace(/^mailto:/i, "")
    .slice(0, 500)
    .toLowerCase();
  return { name: (parameters.get("CN")?.[0] ?? "").slice(0, 500).toWellFormed() || email, email };
}

const RESPONSES = ["accepted", "declined", "tentative", "needs-action", "delegated"];
function response({ parameters }: ContentLine): { response?: string } {
  const value = (parameters.get("PARTSTAT")?.[0] ?? "").toLowerCase();
  return RESPONSES.includes(value) ? { response: value } : {};
}

/** The start and end of one occurrence. */
export function spanOf(start: When, length: number): JsonObject {
  if (start.isDay) {
    const last = { ...start, wall: start.wall + length - DAY };
    return {
      starts_at: written(start),
      ends_at: written({ ...start, wall: start.wall + length }),
      all_day: true,
      start_date: dayOf(start),
      end_date: dayOf(last),
    };
  }
  const end = instantOf(start) + length;
  // The end is shown in the same time zone, whose offset may have changed by then.
  const zone = start.zone ?? UTC;
  let wall = end + zone.offsetAt(start.wall) * 60_000;
  wall = end + zone.offsetAt(wall) * 60_000;
  return { starts_at: written(start), ends_at: written({ ...start, wall }), all_day: false };
}

export const parseStamp = (value: string): number | undefined => {
  const when = parseWhen(value, UTC);
  return when === undefined ? undefined : instantOf(when);
};
