// Calendars from many programs, some of them intentionally broken (collective/icalendar).
import { describe, expect, it } from "vitest";
import { wholeEntry } from "../../src/collect/entry.ts";
import { collect, recognised, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { calendarImporter } from "../../src/collect/importers/calendar/importer.ts";
import { repeatsAndResumes } from "../../src/collect/importers/hostile.fixture.ts";
import { noSamples, sample, samplesIn } from "./samples.ts";

describe.skipIf(noSamples)("P-05 calendars", () => {
  const files = noSamples ? [] : samplesIn("calendar-ics").filter(({ path }) => path.endsWith(".ics"));

  // grep -c BEGIN:VEVENT finds 153 in all files. A Python script that unfolds lines and looks for DTSTART with eight
  // digits in each VEVENT finds 93. A manual check finds two more, one with a colon inside a quoted TZID and one folded
  // after its name, so 95.
  it("every event with a start is imported, and every event without a start is an error", async () => {
    let taken = 0;
    let failed = 0;
    for (const entry of files) {
      if (recognised(calendarImporter, entry.path, await wholeEntry(entry, 1e6)) === undefined) continue;
      const events = await collect(calendarImporter, [entry]);
      taken += recordsOf(events, "events").length;
      failed += events.filter((event) => event.kind === "error" && /DTSTART/.test(event.message)).length;
    }
    expect({ taken, failed }).toEqual({ taken: 95, failed: 58 });
  });

  it("all records match their declaration, and a second import changes nothing", async () => {
    expect(await refusals(calendarImporter, files)).toEqual([]);
    await repeatsAndResumes(calendarImporter, files.slice(0, 40));
  });

  // Counted with dateutil.rrule, from the start to DTSTAMP + 732 days.
  it.each([
    ["x_location.ics", 526],
    ["issue_466_convert_tzid_with_slash.ics", 105],
    // The first rule has COUNT=10. The second file has two events of 21 days with one exception each.
    ["issue_1081_event_with_rrule.ics", 10],
    ["parsing_error.ics", 40],
    // Five days, one of which was moved, and one more.
    ["rfc_7265_appendix_example_2_ical.ics", 6],
    ["issue_156_RDATE_with_PERIOD_TZID_khal.ics", 19],
  ])("%s occurs %i times", async (name, times) => {
    const records = recordsOf(await collect(calendarImporter, [sample(`calendar-ics/${name}`)]), "occurrences");
    expect(records).toHaveLength(times);
    expect(new Set(records.map(({ key }) => key)).size).toBe(times);
  });

  // The offsets were read manually from the VTIMEZONEs in the files.
  it.each([
    ["america_new_york.ics", "2014-08-29T08:00:00-04:00"],
    ["america_new_york_forward_reference.ics", "2014-08-29T08:00:00-04:00"],
    ["pacific_fiji.ics", "2014-08-29T08:00:00+12:00"],
    ["issue_237_fail_to_parse_timezone_with_non_ascii_tzid.ics", "2017-05-11T13:30:00-03:00"],
  ])("%s starts at %s", async (name, start) => {
    const [first] = recordsOf(await collect(calendarImporter, [sample(`calendar-ics/${name}`)]), "events");
    expect(first!.data.starts_at).toBe(start);
  });
});
