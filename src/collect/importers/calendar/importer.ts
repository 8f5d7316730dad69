// Imports calendars (.ics): events as entered, every occurrence, and tasks.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import type {
  EntryPreview,
  ImportContext,
  ImportEvent,
  Importer,
  ImportInput,
  ImportPlan,
  Recognition,
} from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { componentsOf, type TextComponent } from "../components.ts";
import { estimateItems } from "../estimates.ts";
import { replayedRun } from "../replay.ts";
import { calendarDeclaration } from "./declaration.ts";
import { type CalendarEvent, parseEvent, spanOf } from "./event.ts";
import { occurrencesOf } from "./occurrences.ts";
import { type CalendarSurvey, copyId, eventId, seriesId, surveyed, taskId } from "./survey.ts";
import { parseTask } from "./task.ts";
import { instantOf, written } from "./when.ts";

export const calendarImporter: Importer = {
  name: "calendar",
  title: "Calendar (ics)",
  from: [
    "Google: takeout.google.com, or calendar Settings → Export",
    "Apple Calendar: File → Export",
    "Outlook, Nextcloud, Thunderbird: export as .ics",
  ],
  recognise,
  plan,
  run,
};

function recognise({ path, head }: EntryPreview): Recognition | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (/^(?:ï»¿)?\s*BEGIN:VCALENDAR/i.test(text)) {
    if (/^VERSION:1\.0/im.test(text)) {
      return {
        score: 90,
        reason: "calendar in the old vCalendar format",
        advice: "export again as iCalendar (.ics, version 2.0)",
      };
    }
    return { score: 95, reason: "calendar" };
  }
  if (/\.(?:ics|ical|ifb)$/i.test(path) && /^BEGIN:[A-Z]/im.test(text))
    return { score: 70, reason: "calendar, judging by its name" };
  return undefined;
}

async function plan(input: ImportInput): Promise<ImportPlan> {
  const estimate = await estimateItems(input.entries, /^BEGIN:VEVENT/gim);
  return {
    account: { key: "calendar", name: "Calendar" },
    declaration: calendarDeclaration,
    streams: [{ stream: "events", ...estimate }, { stream: "occurrences" }, { stream: "tasks" }],
  };
}

async function* run(input: ImportInput, context: ImportContext): AsyncGenerator<ImportEvent> {
  const survey = await surveyed(input.entries);
  yield* replayedRun(input, context, (entry) =>
    calendarRecords(entry, input.entries.indexOf(entry), survey, context.makeId),
  );
}

/** Components that contain no events. */
const SURROUNDING = new Set(["VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM"]);
const SKIPPED: Record<string, string> = {
  VJOURNAL: "journal entries are not imported from calendars",
  VFREEBUSY: "free and busy times are not imported: they follow from the events",
};

/** Yields the records of one file, or of one item on a calendar server. */
export async function* calendarRecords(
  entry: Entry,
  index: number,
  survey: CalendarSurvey,
  makeId: MakeId,
): AsyncGenerator<ImportEvent> {
  let known = 0;
  for await (const component of componentsOf(entry)) {
    const { name, offset, broken } = component;
    if (name === "VCALENDAR" || name === "VEVENT" || name === "VTODO") known++;
    if (broken !== undefined && !SURROUNDING.has(name)) yield { kind: "error", entry, offset, message: broken };
    else if (name === "VEVENT") yield* recordsOf(component, entry, index, survey, makeId);
    else if (name === "VTODO") yield taskOf(component, entry, index, survey, makeId);
    else if (SKIPPED[name] !== undefined) yield { kind: "skip", entry, offset, reason: SKIPPED[name]! };
  }
  for (const zone of survey.unknownZones(index)) {
    const reason = `the time zone ${JSON.stringify(zone)} is unknown and is not defined in the file: times that use it are interpreted in the calendar's own zone, or in UTC`;
    yield { kind: "skip", entry, reason, count: 0 };
  }
  if (known === 0) yield { kind: "error", entry, offset: 0, message: "it contains no calendar" };
}

function taskOf(
  component: TextComponent,
  entry: Entry,
  index: number,
  survey: CalendarSurvey,
  makeId: MakeId,
): ImportEvent {
  const { offset } = component;
  const task = parseTask(component, survey.zoneOf(index, offset));
  const calendar = survey.calendarAt(index, offset).name;
  const identity = taskId(calendar, task);
  if (!survey.copies.isKept(identity, index, offset))
    return { kind: "skip", entry, offset, reason: "another copy of an imported task" };
  const id = makeId(identity);
  const uid = task.hasUid ? task.uid : makeId(task.uid);
  const data: JsonObject = { id, uid, ...(calendar === "" ? {} : { calendar }), ...task.fields };
  return { kind: "record", stream: "tasks", key: id, entry, offset, data };
}

function* recordsOf(
  component: TextComponent,
  entry: Entry,
  index: number,
  survey: CalendarSurvey,
  makeId: MakeId,
): Generator<ImportEvent> {
  const { offset } = component;
  let event: CalendarEvent;
  try {
    event = parseEvent(component, survey.zoneOf(index, offset));
  } catch (error) {
    yield { kind: "error", entry, offset, message: (error as Error).message };
    return;
  }
  const calendar = survey.calendarAt(index, offset).name;
  const identity = eventId(calendar, event);
  if (!survey.copies.isKept(copyId(calendar, event), index, offset)) {
    yield { kind: "skip", entry, offset, reason: "another copy of an imported event" };
    return;
  }
  const id = makeId(identity);
  const series = seriesId(calendar, event.uid);
  const own = event.instead === undefined ? (survey.instead.get(series) ?? new Set<number>()) : new Set<number>();
  const { starts, left } = occurrencesOf(event, survey.horizonOf(index), own);
  const { start, length, fields, rules, instead } = event;
  const named: JsonObject = calendar === "" ? {} : { calendar };
  yield {
    kind: "record",
    stream: "events",
    key: id,
    entry,
    offset,
    data: {
      id,
      uid: event.hasUid ? event.uid : makeId(event.uid),
      ...named,
      ...fields,
      ...spanOf(start, length),
      ...(start.zone === undefined ? {} : { time_zone: start.zone.name }),
      ...(rules.length === 0 ? {} : { rrule: rules.join("\n") }),
      ...(instead === undefined ? {} : { replaces: written(instead) }),
      occurrence_count: starts.length,
    },
  };
  if (left !== undefined) yield { kind: "skip", entry, offset, reason: left };
  const shown: JsonObject = Object.fromEntries(
    ["title", "location", "status", "busy"].flatMap((name) =>
      fields[name] === undefined ? [] : [[name, fields[name]]],
    ),
  );
  for (const one of starts) {
    // A moved occurrence keeps the id of the one that it replaces.
    const of = instead !== undefined && instantOf(one) === instantOf(start) ? instead : one;
    const key = makeId(`${series}/${new Date(instantOf(of)).toISOString().slice(0, 19)}Z`);
    yield {
      kind: "record",
      stream: "occurrences",
      key,
      entry,
      offset,
      data: { id: key, event_id: id, ...named, ...shown, ...spanOf(one, one.length ?? length) },
    };
  }
}
