// I-09: calendars and contacts over CalDAV and CardDAV, with a server in memory and, if installed, with a real
// Radicale.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect, memoryEntry, recordsOf as recordsIn } from "../../collect/importer.fixture.ts";
import { calendarImporter } from "../../collect/importers/calendar/importer.ts";
import { contactsImporter } from "../../collect/importers/contacts/importer.ts";
import { caldav } from "../caldav/kind.ts";
import { carddav } from "../carddav/kind.ts";
import type { DavAccount } from "./account.fixture.ts";
import { startDavServer } from "./dav-server.fixture.ts";
import { driveDav, ID_KEY, newKeptDav, recordsOf, written } from "./drive.fixture.ts";
import { RADICALE, startRadicale } from "./radicale.fixture.ts";

const event = (uid: string, ...lines: string[]): string =>
  calendar(["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"]);
const calendar = (lines: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n");
const card = (uid: string, name: string, ...lines: string[]): string =>
  ["BEGIN:VCARD", "VERSION:3.0", `UID:${uid}`, `FN:${name}`, `N:${name};;;;`, ...lines, "END:VCARD", ""].join("\r\n");

const SERIES = event(
  "walk@example.org",
  "SUMMARY:Walk",
  "DTSTART;TZID=Europe/Berlin:20260302T180000",
  "DURATION:PT1H",
  "RRULE:FREQ=WEEKLY;COUNT=10",
  "EXDATE;TZID=Europe/Berlin:20260309T180000",
);
const MOVED = SERIES.replace(
  "END:VCALENDAR",
  [
    "BEGIN:VEVENT",
    "UID:walk@example.org",
    "DTSTAMP:20260101T000000Z",
    "RECURRENCE-ID;TZID=Europe/Berlin:20260316T180000",
    "DTSTART;TZID=Europe/Berlin:20260317T190000",
    "DURATION:PT1H",
    "SUMMARY:Walk\\, a day later",
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n"),
);
const TASK = calendar([
  "BEGIN:VTODO",
  "UID:bulbs@example.org",
  "DTSTAMP:20260101T000000Z",
  "CREATED:20260101T000000Z",
  "SUMMARY:Buy bulbs & screws <E27>",
  "DUE;VALUE=DATE:20260401",
  "END:VTODO",
]);

const SERVERS: [string, () => Promise<DavAccount & { close(): Promise<void> }>][] = [
  ["in memory", () => startDavServer()],
  ...(RADICALE === undefined
    ? []
    : ([[`Radicale ${RADICALE.version}`, startRadicale]] as [string, typeof startRadicale][])),
];

describe.each(SERVERS)("I-09 %s", (_, start) => {
  let account: DavAccount & { close(): Promise<void> };
  const settings = () => ({ url: account.url, user: account.user });
  beforeAll(async () => {
    account = await start();
    await account.makeCollection("calendar", "home", "At home");
    await account.makeCollection("calendar", "work", "Work");
    await account.makeCollection("addressbook", "people", "People");
    await account.put("home", "walk.ics", SERIES);
    await account.put(
      "home",
      "dentist@example.org.ics",
      event("dentist@example.org", "SUMMARY:Dentist", "DTSTART;VALUE=DATE:20260505"),
    );
    await account.put("home", "bulbs.ics", TASK);
    await account.put("work", "review.ics", event("review@example.org", "SUMMARY:Review", "DTSTART:20260601T080000Z"));
    await account.put(
      "people",
      "ada.vcf",
      card("ada-1", "Ada Byron", "EMAIL;TYPE=HOME:ada@example.org", "TEL:+44 20 1234"),
    );
    await account.put("people", "kurt.vcf", card("kurt-1", "Kurt Gödel", "NOTE:Incomplete\\, he said"));
  });
  afterAll(() => account?.close());

  it("imports calendars once, then only changes; items and collections deleted on the server are deleted here", async () => {
    const kept = newKeptDav();
    const first = await driveDav(caldav, settings(), { kept });
    expect(first.done).toMatchObject({ status: "succeeded", records_emitted: 3 + 9 + 1 + 1 + 1 });
    expect(
      recordsOf(kept, "events")
        .map(({ calendar, title }) => `${calendar}: ${title}`)
        .sort(),
    ).toEqual(["At home: Dentist", "At home: Walk", "Work: Review"]);
    expect(recordsOf(kept, "tasks")).toMatchObject([
      { calendar: "At home", title: "Buy bulbs & screws <E27>", due_on: "2026-04-01", done: false },
    ]);
    expect(recordsOf(kept, "occurrences")).toHaveLength(11);

    expect(written(await driveDav(caldav, settings(), { kept }))).toEqual({ written: 0, deleted: 0 });

    // One occurrence of the series is moved, one event is deleted, one added.
    await account.put("home", "walk.ics", MOVED);
    await account.remove("home", "dentist@example.org.ics");
    await account.put("work", "lunch.ics", event("lunch@example.org", "SUMMARY:Lunch", "DTSTART:20260602T110000Z"));
    const second = await driveDav(caldav, settings(), { kept });
    expect(second.done.status).toBe("succeeded");
    expect(written(second)).toEqual({ written: 2 + 9 + 2, deleted: 2 });
    expect(recordsOf(kept, "occurrences").map(({ starts_at }) => starts_at)).toContain("2026-03-17T19:00:00+01:00");
    expect(recordsOf(kept, "occurrences").map(({ starts_at }) => starts_at)).not.toContain("2026-03-16T18:00:00+01:00");
    expect(
      recordsOf(kept, "events")
        .map(({ title }) => title)
        .sort(),
    ).toEqual(["Lunch", "Review", "Walk", "Walk, a day later"]);

    await account.remove("work");
    expect(written(await driveDav(caldav, settings(), { kept }))).toEqual({ written: 0, deleted: 4 });
    expect(recordsOf(kept, "events").every(({ calendar }) => calendar === "At home")).toBe(true);

    // A run without a cursor produces the same records.
    const fresh = newKeptDav();
    await driveDav(caldav, settings(), { kept: fresh, mode: "full_refresh" });
    expect([...fresh.records].sort()).toEqual([...kept.records].sort());
  });

  it("has the same records and ids as an import of the exported calendar", async () => {
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    const text = await account.exported("home").catch(() => undefined);
    // The server in memory has no export, so the items are joined here as Radicale would.
    const file = text?.startsWith("BEGIN")
      ? text
      : calendar(["X-WR-CALNAME:At home", ...[MOVED, TASK].flatMap((one) => one.split("\r\n").slice(3, -2))]);
    const events = await collect(calendarImporter, [memoryEntry("home.ics", file)], { idKey: ID_KEY });
    const imported = recordsIn(events).map(({ stream, data }) => [`${stream} ${String(data.id)}`, data] as const);
    expect(imported).toHaveLength(2 + 9 + 1);
    expect(imported.sort()).toEqual([...kept.records].sort());
  });

  it("imports contacts, including changes and deletions, with the same result as importing the file", async () => {
    const kept = newKeptDav();
    await driveDav(carddav, settings(), { kept });
    const byName = recordsOf(kept, "contacts").sort((one, other) => (one.id! < other.id! ? -1 : 1));
    expect(byName).toMatchObject([
      { id: "ada-1", name: "Ada Byron", email: "ada@example.org", phone: "+44 20 1234" },
      { id: "kurt-1", name: "Kurt Gödel", note: "Incomplete, he said" },
    ]);
    const files = [card("ada-1", "Ada Byron", "EMAIL;TYPE=HOME:ada@example.org", "TEL:+44 20 1234")];
    const events = await collect(
      contactsImporter,
      files.map((one) => memoryEntry("ada.vcf", one)),
    );
    expect(recordsIn(events)[0]!.data).toEqual(kept.records.get("contacts ada-1"));

    await account.put("people", "ada.vcf", card("ada-1", "Ada Lovelace"));
    await account.remove("people", "kurt.vcf");
    expect(written(await driveDav(carddav, settings(), { kept }))).toEqual({ written: 1, deleted: 1 });
    expect(recordsOf(kept, "contacts").map(({ name }) => name)).toEqual(["Ada Lovelace"]);
  });

  it("reports the result of a check, and imports nothing", async () => {
    const checked = await driveDav(caldav, settings(), { mode: "check" });
    expect(checked.done).toMatchObject({ status: "succeeded", records_emitted: 0 });
    expect(checked.said.at(-2)!.message).toMatch(/^Signed in to 127\.0\.0\.1:\d+ as anna: 1 calendar \(At home\)$/);
  });

  it("asks again for a password that was refused, and gives advice if the second one is wrong too", async () => {
    const again = await driveDav(carddav, settings(), { passwords: ["wrong-one", account.password] });
    expect(again.done.status).toBe("succeeded");
    const wrong = await driveDav(carddav, settings(), { passwords: ["wrong-one", "wrong-two"] });
    expect(wrong.done).toMatchObject({ status: "failed" });
    expect(wrong.done.error!.message).toMatch(/did not accept the user name or the password.*app password/);
    expect(JSON.stringify(wrong.said)).not.toContain("wrong-");
  });
});
