// A first pass through calendar files. It collects names, time zones and moved occurrences, and determines how far to
// expand series.
import type { Entry } from "../../entry.ts";
import { componentsOf } from "../components.ts";
import { parseContentLine, unescaped } from "../content-line.ts";
import { createKeptCopies } from "../kept-copy.ts";
import { digestOf } from "../replay.ts";
import { type CalendarEvent, parseEvent, parseStamp } from "./event.ts";
import { type CalendarTask, parseTask } from "./task.ts";
import { instantOf, written } from "./when.ts";
import { type CalendarZone, definedZone, namedZone, zoneId } from "./zones.ts";

const HORIZON_MS = 2 * 366 * 86_400_000;
const ZONES_MAX = 500;

interface Calendar {
  /** The byte offset of the calendar's BEGIN line. */
  offset: number;
  name: string;
  /** The zone for times without one: Google's X-WR-TIMEZONE. */
  zone?: CalendarZone;
}

export interface CalendarSurvey {
  copies: ReturnType<typeof createKeptCopies>;
  /** For each series, the instants that are replaced by separate events. */
  instead: Map<string, Set<number>>;
  calendarAt(entry: number, offset: number): Calendar;
  zoneOf(entry: number, offset: number): (id: string) => CalendarZone | undefined;
  /** Names of unknown zones in the part of an entry that has been read. */
  unknownZones(entry: number): readonly string[];
  /**
   * The time up to which series of an entry are expanded. It is derived from the entry's own times, never from this
   * machine's clock.
   */
  horizonOf(entry: number): number;
}

export const seriesId = (calendar: string, uid: string): string =>
  [calendar, uid].filter((part) => part !== "").join("/");
export const eventId = (calendar: string, { uid, instead }: CalendarEvent): string =>
  [seriesId(calendar, uid), ...(instead === undefined ? [] : [written({ ...instead })])].join("/");

/** The same occurrence may be written in different zones, so it is identified by its instant. */
export const copyId = (calendar: string, { uid, instead }: CalendarEvent): string =>
  [seriesId(calendar, uid), ...(instead === undefined ? [] : [String(instantOf(instead))])].join("/");

/** The prefix is needed because an event may have the same UID. */
export const taskId = (calendar: string, { uid }: CalendarTask): string => `task:${seriesId(calendar, uid)}`;

/** Set for a calendar from a server. A file contains these values itself. */
interface ServerCollection {
  name: string;
  horizon: number;
}

export async function surveyed(entries: readonly Entry[], given?: ServerCollection): Promise<CalendarSurvey> {
  const calendars: Calendar[][] = entries.map(() => []);
  const zones: Map<string, CalendarZone>[] = entries.map(() => new Map());
  const copies = createKeptCopies();
  const instead = new Map<string, Set<number>>();
  const horizons: number[] = [];
  const unknown: Set<string>[] = entries.map(() => new Set());

  const calendarAt = (entry: number, offset: number): Calendar =>
    calendars[entry]?.findLast((one) => one.offset <= offset) ?? { offset: 0, name: given?.name ?? "" };
  const zoneOf = (entry: number, offset: number) => {
    const { zone } = calendarAt(entry, offset);
    return (id: string): CalendarZone | undefined => {
      if (id === "") return zone;
      const found = namedZone(id) ?? zones[entry]!.get(zoneId(id));
      if (found === undefined && unknown[entry]!.size < ZONES_MAX) unknown[entry]!.add(zoneId(id).slice(0, 200));
      return found ?? zone;
    };
  };

  for (const [index, entry] of entries.entries()) {
    let stamped = 0;
    let started = 0;
    try {
      let inner: string[] = [];
      for await (const { name, lines, offset } of componentsOf(entry)) {
        if (name === "STANDARD" || name === "DAYLIGHT") inner.push(`BEGIN:${name}`, ...lines, `END:${name}`);
        else if (name === "VTIMEZONE") {
          const id = lines.map(parseContentLine).find((line) => line?.name === "TZID")?.value ?? "";
          const zone =
            zones[index]!.size < ZONES_MAX && namedZone(id) === undefined
              ? definedZone(id, [`TZID:${id}`, ...inner])
              : undefined;
          if (zone !== undefined) zones[index]!.set(zoneId(id), zone);
          inner = [];
        } else if (name === "VCALENDAR")
          calendars[index]!.push({
            ...calendarOf(lines, offset),
            ...(given === undefined ? {} : { name: given.name }),
          });
      }
      calendars[index]!.sort((one, other) => one.offset - other.offset);
      for await (const component of componentsOf(entry)) {
        const isTask = component.name === "VTODO";
        if ((component.name !== "VEVENT" && !isTask) || component.broken !== undefined) continue;
        for (const line of component.lines) {
          const [, name, value] =
            /^(DTSTAMP|LAST-MODIFIED|CREATED|DTSTART)[^:]{0,200}:(\d{8}(?:T\d{4,6}Z?)?)/i.exec(line) ?? [];
          const time = value === undefined ? undefined : parseStamp(value);
          if (time === undefined) continue;
          if (name!.toUpperCase() === "DTSTART") started = Math.max(started, time);
          else stamped = Math.max(stamped, time);
        }
        const calendar = calendarAt(index, component.offset).name;
        if (isTask) {
          const task = parseTask(component, zoneOf(index, component.offset));
          copies.note(taskId(calendar, task), task.rank, index, component.offset);
          continue;
        }
        try {
          const event = parseEvent(component, zoneOf(index, component.offset));
          // Among equally new copies with different content, the same one is always kept, whichever file comes first.
          const rank = `${event.rank} ${digestOf(...component.lines)}`;
          copies.note(copyId(calendar, event), rank, index, component.offset);
          if (event.instead === undefined) continue;
          const series = seriesId(calendar, event.uid);
          const times = instead.get(series) ?? new Set();
          instead.set(series, times.add(instantOf(event.instead)));
        } catch {
          // The run reports the error.
        }
      }
      copies.settle(true);
    } catch {
      // The run reports the error.
      copies.settle(false);
    }
    horizons.push(given?.horizon ?? (stamped || started) + HORIZON_MS);
  }
  return {
    copies,
    instead,
    calendarAt,
    zoneOf,
    unknownZones: (entry) => [...unknown[entry]!].sort(),
    horizonOf: (entry) => horizons[entry]!,
  };
}

function calendarOf(lines: readonly string[], offset: number): Calendar {
  const properties = new Map(
    lines.map(parseContentLine).flatMap((line) => (line === undefined ? [] : [[line.name, line.value]])),
  );
  const zone = namedZone(properties.get("X-WR-TIMEZONE") ?? "");
  const name = unescaped(properties.get("X-WR-CALNAME") ?? properties.get("NAME") ?? "")
    .trim()
    .slice(0, 200)
    .toWellFormed();
  return { offset, name, ...(zone === undefined ? {} : { zone }) };
}
