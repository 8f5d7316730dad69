// Time zone names in calendars: IANA, Windows and Outlook, in every spelling. Unknown names are reported.
import { expect, it } from "vitest";
import { collect, memoryEntry, recordsOf } from "../../importer.fixture.ts";
import { calendarImporter } from "./importer.ts";
import { namedZone } from "./zones.ts";

const event = (start: string, more = "") =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:x\r\nDTSTART${start}\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;
const run = (...texts: string[]) =>
  collect(
    calendarImporter,
    texts.map((text, at) => memoryEntry(`${at}.ics`, text)),
  );

it("I-05 zones are recognised by Windows and Outlook names, escaped, with spaces, or as an offset", () => {
  const names: [string, string | undefined][] = [
    ["Europe/Berlin", "Europe/Berlin"],
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["(UTC-05:00) Eastern Time (US and Canada)", "America/New_York"],
    ["(GMT-05.00) Eastern Time (US & Canada)", "America/New_York"],
    ["(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rome\\, Stockholm\\, Vienna", "Europe/Amsterdam"],
    ["(UTC+07:00) Bangkok, Hanoi, Jakarta", "Asia/Bangkok"],
    ["(UTC-03:00) Nowhere", "-03:00"],
    ["UTC+11", "+11:00"],
    ["Europe_Berlin", "Europe/Berlin"],
    ["IndianReunion", undefined],
  ];
  for (const [id, name] of names) expect([id, namedZone(id)?.name]).toEqual([id, name]);
});

it("I-05 an unquoted zone from Outlook is recognised, and an unknown zone is listed in the report", async () => {
  const known = await run(event(";TZID=(UTC-05:00) Eastern Time (US and Canada):20240105T090000"));
  expect(recordsOf(known, "events")[0]!.data).toMatchObject({ starts_at: "2024-01-05T09:00:00-05:00" });
  const unknown = await run(event(";TZID=Atlantis:20240105T090000"));
  expect(unknown.filter(({ kind }) => kind === "skip")).toMatchObject([
    { count: 0, reason: expect.stringContaining('"Atlantis"') },
  ]);
});

it("I-04 a changed occurrence that is written in two zones is counted once", async () => {
  const changed = (zone: string, title: string) =>
    event(":20240105T100000Z", `RECURRENCE-ID${zone}\r\nDESCRIPTION:${title}\r\n`);
  const texts = [changed(":20240105T090000Z", "a"), changed(";TZID=Europe/Berlin:20240105T100000", "b")];
  const one = recordsOf(await run(...texts));
  const other = recordsOf(await run(...texts.reverse()));
  expect(one.map(({ stream }) => stream)).toEqual(["events", "occurrences"]);
  expect(other.map(({ data }) => data)).toEqual(one.map(({ data }) => data));
});
