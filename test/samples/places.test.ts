// Google location histories (Freika/dawarich, digitraceslab/niimpy and others), counted with regular expressions over the text.
import { describe, expect, it } from "vitest";
import { wholeEntry } from "../../src/collect/entry.ts";
import { collect, recognised, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { googleLocationImporter as google } from "../../src/collect/importers/google-location/importer.ts";
import { noSamples, samplesIn } from "./samples.ts";

const times = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe.skipIf(noSamples)("I-06 Google location history", () => {
  it("I-01 every visit, trip and position of 17 files is imported, skipped or reported as an error", async () => {
    const table: unknown[] = [];
    let files = 0;
    for (const entry of samplesIn("second-round/google-location")) {
      const bytes = await wholeEntry(entry, 1e7);
      const text = bytes.toString();
      const known = recognised(google, entry.path, bytes);
      expect(known, entry.path).toBeDefined();
      expect(known?.advice !== undefined, entry.path).toBe(/"timelineEdits"|"deviceSettings"/.test(text));
      if (known?.advice !== undefined) continue;
      files++;
      const isRecords = text.includes('"locations"');
      const events = await collect(google, [entry]);
      const counted = {
        visits: times(text, /"(?:placeVisit|visit)":/g),
        trips: times(text, /"activitySegment":|"activity": \{/g),
        points: isRecords ? JSON.parse(text).locations.length : times(text, /"(?:point|position)":/g),
        places: times(text, /"label":/g),
        left: times(text, /"(?:timelineMemory|wifiScan|activityRecord)":/g) * (isRecords ? 0 : 1),
        // In the generated month, visits inside visits have letters instead of times.
        failed: times(text, /"startTimestampMs": "[A-Za-z]/g),
      };
      const count = (stream: string): number => recordsOf(events, stream).length;
      const found = {
        visits: count("visits"),
        trips: count("trips"),
        points: recordsOf(events, "positions").reduce((sum, { data }) => sum + (data.point_count as number), 0),
        places: count("frequent_places"),
        left: events.reduce((sum, event) => sum + (event.kind === "skip" ? (event.count ?? 1) : 0), 0),
        failed: events.filter(({ kind }) => kind === "error").length,
      };
      expect(found, entry.path).toEqual(counted);
      expect(await refusals(google, [entry])).toEqual([]);
      table.push({ file: entry.path.slice(0, 60), ...found });
    }
    expect(files).toBe(17);
    console.table(table);
  });
});
