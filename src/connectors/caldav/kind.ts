// Calendars over CalDAV. The code that imports .ics files converts each item to events, occurrences and tasks.
import { calendarRecords } from "../../collect/importers/calendar/importer.ts";
import { surveyed } from "../../collect/importers/calendar/survey.ts";
import { entryOf } from "../dav/item-entry.ts";
import type { DavKind, ItemRecord } from "../dav/kind.ts";

const CALDAV = "urn:ietf:params:xml:ns:caldav";

/**
 * Series are expanded to the end of the year after next. The horizon is the same all year, so that the passing of time
 * alone changes no record.
 */
const horizonOf = (now: Date): number => Date.UTC(now.getUTCFullYear() + 3, 0, 1);

export const caldav: DavKind = {
  wellKnown: "caldav",
  noun: { one: "calendar", many: "calendars" },
  setting: "calendars",
  homeSet: `{${CALDAV}}calendar-home-set`,
  collectionType: `{${CALDAV}}calendar`,
  multiget: `{${CALDAV}}calendar-multiget`,
  data: `{${CALDAV}}calendar-data`,
  streams: [
    { name: "events", timeField: "starts_at" },
    { name: "occurrences", timeField: "starts_at" },
    { name: "tasks", timeField: "created_at" },
  ],
  edition: (now) => new Date(horizonOf(now)).toISOString().slice(0, 10),
  keyOf: (mark, makeId) => makeId(mark),
  async read({ href, text, collection }, { makeId, now }) {
    const entry = entryOf(href, text);
    const survey = await surveyed([entry], { name: collection, horizon: horizonOf(now) });
    const marks = new Map<string, string>();
    const remembered = (identity: string): string => {
      const id = makeId(identity);
      marks.set(id, identity);
      return id;
    };
    const records: ItemRecord[] = [];
    const skipped: string[] = [];
    for await (const event of calendarRecords(entry, 0, survey, remembered)) {
      if (event.kind === "record") {
        const key = String(event.key);
        records.push({ stream: event.stream, key, mark: marks.get(key)!, data: event.data });
      } else if (event.kind === "skip") skipped.push(event.reason);
      else if (event.kind === "error") skipped.push(event.message);
    }
    return { records, skipped };
  },
};
