// The calendar: meetings, rehearsals, dinners, doctors, journeys and tasks, as iCalendar files.
import { DAY, days, dublin, isoDublin, minutes } from "../clock.ts";
import { component, fileOf, line, quoted, textLine, utcStamp } from "../formats/content-lines.ts";
import type { DemoExport } from "../home.ts";
import { occasions } from "../occasions.ts";
import { nameOf, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { OFFICE } from "../places.ts";
import { createRandom } from "../random.ts";
import { storyEvents } from "../story/index.ts";
import { words } from "../text/words.ts";
import { isHoliday } from "./slack.ts";
import { taskLines } from "./tasks.ts";

const CALENDARS = { personal: "Personal", work: "Work", choir: "Choir" } as const;

export function calendarExport(): DemoExport {
  return {
    key: "calendar",
    display_name: "Calendar",
    *files() {
      const events = demoEvents();
      for (const [id, name] of Object.entries(CALENDARS)) {
        const own = events.filter((event) => event.calendar === id).flatMap(eventLines);
        yield { path: `${name}.ics`, content: calendarFile(name, own) };
      }
      yield { path: "Tasks.ics", content: calendarFile("Tasks", taskLines()) };
    },
  };
}

const calendarFile = (name: string, lines: string[]): string =>
  fileOf(
    component("VCALENDAR", [
      "VERSION:2.0",
      "PRODID:-//Wren//Calendar 4.2//EN",
      "CALSCALE:GREGORIAN",
      ...textLine("X-WR-CALNAME", name),
      "X-WR-TIMEZONE:Europe/Dublin",
      ...lines,
    ]),
  );

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

/** Routine meetings are sometimes cancelled; cancelled ones are not in the export. */
function demoEvents(): (DemoEvent & { created: number; updated: number })[] {
  const random = createRandom("calendar");
  const events: DemoEvent[] = [...fromStories(), ...fromOccasions(), ...weekly(), ...birthdays()];
  return events.flatMap((event) => {
    const updated = event.start - DAY * random.int(2, 16);
    const isCancelled = event.id.startsWith("ev-") && random.chance(0.03);
    return isCancelled ? [] : [{ ...event, created: random.chance(0.05) ? updated - DAY : updated, updated }];
  });
}

function eventLines(event: DemoEvent & { created: number; updated: number }): string[] {
  const { start, end, with: others } = event;
  const when = (milliseconds: number): string => isoDublin(milliseconds).slice(0, 19).replace(/[-:]/g, "");
  const organiser: PersonKey = event.calendar === "choir" ? "dermot" : "nora";
  const address = (key: PersonKey): string =>
    key === "nora" && event.calendar === "work" ? WORK_ADDRESS : people[key].email;
  const person = (name: string, key: PersonKey, more = "") =>
    line(`${name};CN=${quoted(nameOf(key))}${more}`, `mailto:${address(key)}`);
  return component("VEVENT", [
    ...line("UID", `${event.id}@calendar.example`),
    ...line("DTSTAMP", utcStamp(event.updated)),
    ...line("CREATED", utcStamp(event.created)),
    ...line("LAST-MODIFIED", utcStamp(event.updated)),
    ...(event.allDay
      ? [...line("DTSTART;VALUE=DATE", when(start).slice(0, 8)), ...line("DTEND;VALUE=DATE", when(end).slice(0, 8))]
      : [...line("DTSTART;TZID=Europe/Dublin", when(start)), ...line("DTEND;TZID=Europe/Dublin", when(end))]),
    ...textLine("SUMMARY", event.title),
    ...textLine("DESCRIPTION", event.description),
    ...textLine("LOCATION", event.location),
    "STATUS:CONFIRMED",
    ...(others.length === 0
      ? []
      : [...person("ORGANIZER", organiser), ...others.flatMap((key) => person("ATTENDEE", key, ";PARTSTAT=ACCEPTED"))]),
  ]);
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
