// The calendar: meetings, rehearsals, dinners, doctors, journeys.
import type { JsonObject } from "../../contract/record.ts";
import { recordSchema } from "../../core/declare.ts";
import { DAY, days, dublin, hours, iso, isoDublin, minutes } from "../clock.ts";
import { declareSource, field } from "../declare.ts";
import { type DemoConnection, type DemoRecord, type DemoSource, stream } from "../home.ts";
import { occasions } from "../occasions.ts";
import { nameOf, type PersonKey, people } from "../people.ts";
import { OFFICE } from "../places.ts";
import { createRandom } from "../random.ts";
import { storyEvents } from "../story/index.ts";
import { words } from "../text/words.ts";
import { isHoliday } from "./slack.ts";

export const calendar: DemoSource = {
  connector_key: "calendar",
  declaration: declareSource("calendar", "Calendar", [
    {
      name: "events",
      description: "Appointments; cancelled ones are deleted.",
      display: { label: "Events", detail: "What, when, where and with whom" },
      schema: recordSchema("Calendar event", {
        id: field.text("Id", "Stable id of the event."),
        calendar: field.choice("Calendar", "Which of Nora's calendars.", ["personal", "work", "choir"]),
        title: field.text("Title", "What it is."),
        description: field.nullable(field.text("Description", "Notes on the event.")),
        location: field.nullable(field.text("Location", "Where it takes place.")),
        starts_at: field.instant("Starts", "Beginning, with Dublin's offset."),
        ends_at: field.instant("Ends", "End, with Dublin's offset."),
        all_day: field.flag("All day", "It has no hours."),
        status: field.choice("Status", "Whether it is certain.", ["confirmed", "tentative"]),
        organizer: field.text("Organizer", "Who set it up."),
        attendees: field.list(
          "Attendees",
          "Who else is invited.",
          field.object({
            name: field.text("Name", "Name of the person."),
            email: field.text("E-mail", "Address of the person."),
            response: field.choice("Response", "What the person answered.", ["accepted", "tentative", "declined"]),
          }),
        ),
        updated_at: field.instant("Updated", "Last change of the event."),
      }),
      time: "starts_at",
      views: [
        { id: "busy", label: "Busy times only", fields: ["id", "starts_at", "ends_at", "all_day", "status"] },
        {
          id: "agenda",
          label: "Titles and places",
          fields: ["id", "calendar", "title", "location", "starts_at", "ends_at"],
        },
      ],
      ranges: ["starts_at", "ends_at", "updated_at"],
      search: ["title", "description", "location"],
      aggregations: {
        count_distinct: ["location"],
        group_by: ["calendar", "status", "location", "organizer", "all_day"],
        group_by_time: ["starts_at"],
        min: ["starts_at"],
        max: ["starts_at"],
      },
    },
  ]),
};

export function calendarConnections(): DemoConnection[] {
  return [{ ...calendar, key: "calendar", display_name: "Calendar", streams: [stream("events", eventLines)] }];
}

interface DemoEvent {
  id: string;
  calendar: string;
  title: string;
  start: number;
  end: number;
  location?: string;
  description?: string;
  with: PersonKey[];
  allDay?: boolean;
}

function eventLines(): DemoRecord[] {
  const random = createRandom("calendar");
  const events: DemoEvent[] = [...fromStories(), ...fromOccasions(), ...weekly(), ...birthdays()];
  return events.flatMap((event) => {
    const asked = event.start - DAY * random.int(2, 16);
    const certain = { id: event.id, at: asked, data: data(event, asked, "confirmed") };
    const isRoutine = event.id.startsWith("ev-");
    if (isRoutine && random.chance(0.03)) return [certain, { id: event.id, at: event.start - hours(5) }];
    if (!random.chance(0.05)) return [certain];
    const tentative = { id: event.id, at: asked - DAY, data: data(event, asked - DAY, "tentative") };
    return [tentative, certain];

    function data(of: DemoEvent, updated: number, status: string): JsonObject {
      return {
        id: of.id,
        calendar: of.calendar,
        title: of.title,
        description: of.description ?? null,
        location: of.location ?? null,
        starts_at: isoDublin(of.start),
        ends_at: isoDublin(of.end),
        all_day: of.allDay ?? false,
        status,
        organizer: of.calendar === "choir" ? nameOf("dermot") : nameOf("nora"),
        attendees: of.with.map((key) => ({
          name: nameOf(key),
          email: people[key].email,
          response: status === "confirmed" ? "accepted" : "tentative",
        })),
        updated_at: iso(updated),
      };
    }
  });
}

function fromStories(): DemoEvent[] {
  return storyEvents.map((event) => ({
    ...event,
    with: event.with ?? [],
    start: dublin(event.start),
    end: dublin(event.end),
  }));
}

function fromOccasions(): DemoEvent[] {
  return occasions().map((occasion) => ({
    id: occasion.id,
    calendar: "personal",
    title: occasion.title,
    start: occasion.start,
    end: occasion.end,
    location: occasion.location,
    with: [occasion.with],
  }));
}

function weekly(): DemoEvent[] {
  const random = createRandom("weekly events");
  const found: DemoEvent[] = [];
  const add = (date: string, time: string, length: number, event: Omit<DemoEvent, "id" | "start" | "end">) => {
    const start = dublin(`${date} ${time}`);
    found.push({ id: `ev-${date}-${time.replace(":", "")}`, start, end: start + minutes(length), ...event });
  };
  for (const day of days()) {
    if (isHoliday(day.date)) continue;
    const colleagues: PersonKey[] = day.date < "2025-06-27" ? ["oisin", "hana", "raj"] : ["oisin", "lorcan"];
    if (day.weekday === 0)
      add(day.date, "09:15", 30, {
        calendar: "work",
        title: "Week start",
        location: OFFICE,
        with: ["grainne", ...colleagues],
      });
    if (day.weekday === 3 && random.chance(0.75))
      add(day.date, "14:00", 60, {
        calendar: "work",
        title: `Site meeting: ${random.pick(words.room).replace("the ", "")}`,
        location: random.pick(["On site", OFFICE, "Video call"]),
        with: [random.pick(colleagues)],
        description: `Agenda: ${random.pick(["door seals", "ceiling samples", "fan noise", "measurement dates", "programme"])}, then any other business.`,
      });
    if (day.weekday === 4 && day.index % 14 < 7)
      add(day.date, "12:30", 45, {
        calendar: "work",
        title: "Lunch talk",
        location: OFFICE,
        with: [random.pick(colleagues)],
      });
    if (day.weekday === 1 && day.month !== 7 && day.month !== 8)
      add(day.date, "19:30", 120, {
        calendar: "choir",
        title: `Rehearsal: ${random.pick(words.piece).replace("the ", "")}`,
        location: "St Werburgh's",
        with: ["dermot", "yuki"],
      });
    if (day.weekday === 2 && day.index % 28 < 7)
      add(day.date, "20:00", 120, {
        calendar: "personal",
        title: `Book club: ${random.pick(words.book)}`,
        location: "Sinéad's",
        with: ["sinead", "priya"],
      });
  }
  return found;
}

function birthdays(): DemoEvent[] {
  const found: DemoEvent[] = [];
  for (const [key, person] of Object.entries(people)) {
    const born = "birthday" in person ? person.birthday : undefined;
    if (born === undefined || key === "nora") continue;
    for (const year of [2023, 2024, 2025, 2026]) {
      const date = `${year}${born.slice(4)}`;
      if (date > "2026-06-30") continue;
      const start = dublin(`${date} 00:00`);
      found.push({
        id: `birthday-${key}-${year}`,
        calendar: "personal",
        title: `${person.name}'s birthday`,
        start,
        end: start + DAY,
        allDay: true,
        with: [],
      });
    }
  }
  return found;
}
