// Calendars: events, series, time zones, all-day events, and invalid input.
import { describe, expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { calendarImporter } from "./importer.ts";
import { OCCURRENCES_MAX } from "./occurrences.ts";

const calendar = (inner: string, head = "X-WR-CALNAME:Work\n"): string =>
  `BEGIN:VCALENDAR\nVERSION:2.0\n${head}${inner}END:VCALENDAR\n`.replaceAll("\n", "\r\n");
const event = (lines: string): string => `BEGIN:VEVENT\nDTSTAMP:20240601T000000Z\n${lines.trim()}\nEND:VEVENT\n`;
const eventsOf = (text: string | Buffer) => collect(calendarImporter, [memoryEntry("x.ics", text)]);
const starts = async (text: string) => recordsOf(await eventsOf(text), "occurrences").map(({ data }) => data.starts_at);

const FULL = event(`UID:1@example.com
DTSTART;TZID=Europe/Berlin:20240329T140000
DTEND;TZID=Europe/Berlin:20240329T153000
SUMMARY:Review\\, part 2
DESCRIPTION:Line one\\nline
  two
LOCATION:Room 1
STATUS:TENTATIVE
TRANSP:TRANSPARENT
ORGANIZER;CN="Lee, Ann":mailto:Ann@example.com
ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@example.com
ATTENDEE;PARTSTAT=X-ODD:mailto:cy@example.com
CATEGORIES:a,b\\, c
CREATED:20240101T090000Z
LAST-MODIFIED:20240102T090000Z
BEGIN:VALARM
TRIGGER:-PT15M
DESCRIPTION:not this
END:VALARM`);

describe("P-05 a calendar", () => {
  it("is recognised by its first line", () => {
    expect(recognised(calendarImporter, "x", `\ufeff${calendar("")}`)?.score).toBe(95);
    expect(recognised(calendarImporter, "x.ics", "hello")).toBeUndefined();
    expect(recognised(calendarImporter, "x.vcs", "BEGIN:VCALENDAR\nVERSION:1.0\n")?.advice).toBeTruthy();
  });

  it("yields each event and its occurrences", async () => {
    const [one, occurrence] = recordsOf(await eventsOf(calendar(FULL)));
    expect(one).toMatchObject({ stream: "events", key: "Work/1@example.com" });
    expect(one!.data).toEqual({
      id: "Work/1@example.com",
      uid: "1@example.com",
      calendar: "Work",
      title: "Review, part 2",
      description: "Line one\nline two",
      location: "Room 1",
      starts_at: "2024-03-29T14:00:00+01:00",
      ends_at: "2024-03-29T15:30:00+01:00",
      all_day: false,
      time_zone: "Europe/Berlin",
      status: "tentative",
      busy: false,
      organizer: { name: "Lee, Ann", email: "ann@example.com" },
      attendees: [
        { name: "Bob", email: "bob@example.com", response: "accepted" },
        { name: "cy@example.com", email: "cy@example.com" },
      ],
      categories: ["a", "b, c"],
      occurrence_count: 1,
      created_at: "2024-01-01T09:00:00.000Z",
      updated_at: "2024-01-02T09:00:00.000Z",
    });
    expect(occurrence!.data).toEqual({
      id: "Work/1@example.com/2024-03-29T13:00:00Z",
      event_id: "Work/1@example.com",
      calendar: "Work",
      title: "Review, part 2",
      location: "Room 1",
      status: "tentative",
      busy: false,
      starts_at: "2024-03-29T14:00:00+01:00",
      ends_at: "2024-03-29T15:30:00+01:00",
      all_day: false,
    });
  });

  it("treats an event without a time of day as all-day", async () => {
    const text = calendar(event("UID:d\nDTSTART;VALUE=DATE:20240228\nDTEND;VALUE=DATE:20240302"));
    expect(recordsOf(await eventsOf(text))[0]!.data).toMatchObject({
      all_day: true,
      start_date: "2024-02-28",
      end_date: "2024-03-01",
      starts_at: "2024-02-28T00:00:00Z",
      ends_at: "2024-03-02T00:00:00Z",
    });
  });
});

describe("a series", () => {
  it("keeps its local hour when the clocks change", async () => {
    const text = calendar(event("UID:s\nDTSTART;TZID=Europe/Berlin:20240329T140000\nRRULE:FREQ=DAILY;COUNT=3"));
    expect(await starts(text)).toEqual([
      "2024-03-29T14:00:00+01:00",
      "2024-03-30T14:00:00+01:00",
      "2024-03-31T14:00:00+02:00",
    ]);
  });

  it("ends at its UNTIL, in its own zone or in UTC, including the whole last day", async () => {
    const series = (until: string) =>
      calendar(event(`UID:s\nDTSTART;TZID=America/New_York:20240101T200000\nRRULE:FREQ=DAILY;UNTIL=${until}`));
    expect(await starts(series("20240103T010000Z"))).toHaveLength(2);
    expect(await starts(series("20240103T005959Z"))).toHaveLength(1);
    expect(await starts(series("20240103"))).toHaveLength(3);
  });

  it("omits excluded times, and includes added and changed ones", async () => {
    const text = calendar(
      event(
        "UID:s\nSUMMARY:Run\nDTSTART:20240101T080000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20240108T080000Z\nRDATE:20240110T090000Z",
      ) +
        event(
          "UID:s\nSUMMARY:Late run\nRECURRENCE-ID:20240115T080000Z\nDTSTART:20240115T180000Z\nDTEND:20240115T190000Z",
        ),
    );
    const records = recordsOf(await eventsOf(text), "occurrences").map(({ key, data }) => [
      key,
      data.title,
      data.starts_at,
    ]);
    expect(records.sort()).toEqual([
      ["Work/s/2024-01-01T08:00:00Z", "Run", "2024-01-01T08:00:00Z"],
      ["Work/s/2024-01-10T09:00:00Z", "Run", "2024-01-10T09:00:00Z"],
      ["Work/s/2024-01-15T08:00:00Z", "Late run", "2024-01-15T18:00:00Z"],
      ["Work/s/2024-01-22T08:00:00Z", "Run", "2024-01-22T08:00:00Z"],
    ]);
    expect(recordsOf(await eventsOf(text), "events").map(({ data }) => [data.id, data.replaces])).toEqual([
      ["Work/s", undefined],
      ["Work/s/2024-01-15T08:00:00Z", "2024-01-15T08:00:00Z"],
    ]);
  });

  it("without an end is expanded until two years after the export", async () => {
    const found = await starts(calendar(event("UID:s\nDTSTART;VALUE=DATE:20200229\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1")));
    expect([found[0], found.at(-1)]).toEqual(["2020-02-29T00:00:00Z", "2026-05-31T00:00:00Z"]);
    expect(found).toHaveLength(76);
  });

  it.each([
    ["FREQ=SECONDLY", OCCURRENCES_MAX],
    ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31", 1],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 1],
    ["FREQ=DAILY;INTERVAL=0", 884],
    ["FREQ=NEVER", 1],
    ["FREQ=HOURLY;BYDAY=MO;BYSETPOS=400", 1],
    ["nonsense", 1],
  ])("with the rule %s terminates", async (rule, expected) => {
    const events = await eventsOf(calendar(event(`UID:s\nDTSTART:20240101T080000Z\nRRULE:${rule}`)));
    expect(recordsOf(events, "occurrences").length).toBeLessThanOrEqual(OCCURRENCES_MAX);
    if (rule !== "FREQ=HOURLY;BYDAY=MO;BYSETPOS=400") expect(recordsOf(events, "occurrences")).toHaveLength(expected);
  });

  it("SECURITY row 16 with thousands of rules, or with all of its times excluded, terminates and is reported", async () => {
    const resultOf = async (lines: string): Promise<[number, string[]]> => {
      const events = await eventsOf(calendar(event(`UID:s\nDTSTART:20240101T080000Z\n${lines}`)));
      return [
        recordsOf(events, "occurrences").length,
        events.flatMap((one) => (one.kind === "skip" ? [one.reason] : [])),
      ];
    };
    const many = (rule: (n: number) => string): string => Array.from({ length: 3000 }, (_, n) => rule(n)).join("\n");
    expect(await resultOf(many(() => "RRULE:FREQ=DAILY;COUNT=4"))).toEqual([4, []]);
    const [, why] = await resultOf(many((n) => `RRULE:FREQ=DAILY;COUNT=${n + 1}`));
    expect(why).toEqual([expect.stringContaining("rules of a series")]);
    const [, never] = await resultOf(many((n) => `RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31;COUNT=${n + 1}`));
    expect(never).toEqual([expect.stringContaining("cannot be evaluated")]);
    const days = many((n) => {
      const day = new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10).replaceAll("-", "");
      return `EXDATE;VALUE=DATE:${day}`;
    });
    const [none, left] = await resultOf(`RRULE:FREQ=SECONDLY\n${days}`);
    expect([none, left]).toEqual([0, [expect.stringContaining("of a series are listed")]]);
  });
});

describe("time zones", () => {
  const at = (zone: string, head = "") => starts(calendar(event(`UID:z\nDTSTART;TZID=${zone}:20240701T120000`), head));
  it.each([
    ["Europe/London", "2024-07-01T12:00:00+01:00"],
    ["/freeassociation.sourceforge.net/Europe/Berlin", "2024-07-01T12:00:00+02:00"],
    ['"/mozilla.org/20050126_1/America/Argentina/Buenos_Aires"', "2024-07-01T12:00:00-03:00"],
    ["W. Europe Standard Time", "2024-07-01T12:00:00+02:00"],
    ["Asia/Kolkata", "2024-07-01T12:00:00+05:30"],
    ["Nowhere/Land", "2024-07-01T12:00:00Z"],
  ])("%s", async (zone, expected) => {
    expect(await at(zone)).toEqual([expected]);
  });

  it("can be defined in the file, before or after they are used", async () => {
    const zone = `BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:19701025T030000\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\nTZOFFSETFROM:+0430\nTZOFFSETTO:+0330\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:19700329T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\nTZOFFSETFROM:+0330\nTZOFFSETTO:+0430\nEND:DAYLIGHT\nEND:VTIMEZONE\n`;
    const summer = event("UID:a\nDTSTART;TZID=Office:20240701T120000");
    const winter = event("UID:b\nDTSTART;TZID=Office:20240101T120000");
    expect(await starts(calendar(summer + winter + zone))).toEqual([
      "2024-07-01T12:00:00+04:30",
      "2024-01-01T12:00:00+03:30",
    ]);
  });

  it("set for the whole calendar apply to times without a zone", async () => {
    const text = calendar(event("UID:f\nDTSTART:20240701T120000"), "X-WR-TIMEZONE:Europe/Paris\n");
    expect(await starts(text)).toEqual(["2024-07-01T12:00:00+02:00"]);
    expect(await starts(calendar(event("UID:f\nDTSTART:20240701T120000")))).toEqual(["2024-07-01T12:00:00Z"]);
  });

  it("interpret skipped and repeated local times as the standard requires", async () => {
    const text = calendar(
      event("UID:a\nDTSTART;TZID=America/New_York:20070311T023000") +
        event("UID:b\nDTSTART;TZID=America/New_York:20071104T013000"),
    );
    expect(await starts(text)).toEqual(["2007-03-11T02:30:00-05:00", "2007-11-04T01:30:00-04:00"]);
  });
});

describe("broken input", () => {
  it("affects one property or event, never the whole file", async () => {
    const text = calendar(
      `${event("UID:a\nDTSTART:20240101T080000Z\nno colon here\nDTEND:yesterday\nATTENDEE")}${event("UID:b\nSUMMARY:never")}${event("UID:c\nDTSTART:20249999")}BEGIN:VEVENT\nUID:d\n${event("UID:e\nDTSTART:20240101T080000Z")}BEGIN:VTODO\nUID:t\nEND:VTODO\n`,
    );
    const events = await eventsOf(text);
    expect(recordsOf(events, "events").map(({ data }) => data.uid)).toEqual(["a", "e"]);
    expect(events.flatMap((one) => (one.kind === "error" ? [one.message] : []))).toEqual([
      "an event without DTSTART",
      "DTSTART is not a time: 20249999",
      "VEVENT has no END line",
    ]);
    expect(recordsOf(events, "tasks").map(({ data }) => data)).toEqual([
      expect.objectContaining({ uid: "t", title: "", status: "needs-action", done: false }),
    ]);
  });

  it("K-01 tasks are imported with their due date and status, in their newest version", async () => {
    const task = (lines: string): string => `BEGIN:VTODO\n${lines}\nEND:VTODO\n`;
    const text = calendar(
      task(
        "UID:a\nSUMMARY:Call the vet\nDUE;VALUE=DATE:20260620\nPRIORITY:1\nCATEGORIES:pets,home\nCREATED:20260601T080000Z",
      ) +
        task("UID:b\nSUMMARY:Old\nSEQUENCE:1\nSTATUS:NEEDS-ACTION") +
        task(
          "UID:b\nSUMMARY:Tax\nSEQUENCE:2\nDUE;TZID=Europe/Dublin:20260630T170000\nSTATUS:COMPLETED\nCOMPLETED:20260629T101500Z",
        ),
    );
    const [vet, tax, ...rest] = recordsOf(await eventsOf(text), "tasks").map(({ data }) => data);
    expect(rest).toEqual([]);
    expect(vet).toMatchObject({
      title: "Call the vet",
      due_on: "2026-06-20",
      status: "needs-action",
      done: false,
      priority: 1,
      categories: ["pets", "home"],
      created_at: "2026-06-01T08:00:00.000Z",
    });
    expect(tax).toMatchObject({
      title: "Tax",
      due_on: "2026-06-30",
      due_at: "2026-06-30T17:00:00+01:00",
      done: true,
      completed_at: "2026-06-29T10:15:00.000Z",
    });
  });

  it("the newest version of an event is used, whichever file it is in", async () => {
    const version = (sequence: number, title: string) =>
      calendar(event(`UID:v\nSEQUENCE:${sequence}\nSUMMARY:${title}\nDTSTART:20240101T080000Z`));
    const events = await collect(calendarImporter, [
      memoryEntry("a.ics", version(1, "old")),
      memoryEntry("b.ics", version(2, "new")),
      memoryEntry("c.ics", version(2, "same")),
    ]);
    expect(recordsOf(events, "events").map(({ data }) => data.title)).toEqual(["new"]);
    expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(2);
  });

  it("a calendar in Latin-1 can be read", async () => {
    const [one] = recordsOf(
      await eventsOf(Buffer.from(calendar(event("UID:l\nSUMMARY:Gr\xfc\xdfe\nDTSTART:20240101")), "latin1")),
    );
    expect(one!.data.title).toBe("Grüße");
  });
});

describe("P-05 a run", () => {
  const series = event(
    "UID:s\nDTSTART;TZID=Europe/Berlin:20200101T090000\nRRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20200102T090000",
  );
  const entries = [memoryEntry("a.ics", calendar(FULL + series)), memoryEntry("b.ics", calendar(FULL))];

  it("matches its declaration, produces the same records again, and survives damaged files", async () => {
    expect(await refusals(calendarImporter, entries)).toEqual([]);
    await repeatsAndResumes(calendarImporter, entries);
    await hostile(
      calendarImporter,
      "a.ics",
      Buffer.from(
        calendar(FULL + event("UID:s\nDTSTART;TZID=Europe/Berlin:20200101T090000\nRRULE:FREQ=WEEKLY;COUNT=9")),
      ),
    );
  });

  it("X-13 reports the location of each event", async () => {
    const text = calendar(FULL + series);
    const found = recordsOf(await eventsOf(text), "events").map(({ offset }) => offset);
    expect(found).toEqual([text.indexOf("BEGIN:VEVENT"), text.lastIndexOf("BEGIN:VEVENT")]);
  });
});
