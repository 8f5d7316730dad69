// Apple Health exports (dogsheep/healthkit-to-sqlite).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { healthImporter } from "../../src/collect/importers/health/importer.ts";
import { noSamples, sample } from "./samples.ts";

describe.skipIf(noSamples)("P-05 Apple Health", () => {
  // Counted with Python's xml.etree: Counter(child.tag for child in root) gives 2 Record, 1 Workout, 2 ActivitySummary
  // and 1 Me in both, and 2 Location in the first.
  it.each([
    ["health-apple/export.xml", 2],
    ["health-apple/zip_contents/apple_health_export/export.xml", 0],
  ])("%s", async (path, points) => {
    const entries = [sample(path)];
    const events = await collect(healthImporter, entries);
    const found = (stream: string): number => recordsOf(events, stream).length;
    expect([found("records"), found("workouts"), found("activity_days"), found("profile")]).toEqual([2, 1, 2, 1]);
    expect(events.reduce((sum, event) => sum + (event.kind === "skip" ? (event.count ?? 1) : 0), 0)).toBe(points);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    expect(await refusals(healthImporter, entries)).toEqual([]);
  });

  it("X-13 the content matches a manual reading, and both exports produce the same keys", async () => {
    const keys = async (path: string) => recordsOf(await collect(healthImporter, [sample(path)])).map(({ key }) => key);
    const events = await collect(healthImporter, [sample("health-apple/export.xml")]);
    expect(recordsOf(events, "records").map(({ data }) => data)).toMatchObject([
      { type: "BodyMassIndex", value: 22.5312, start: "2016-04-18T08:25:32-07:00", source: "Health Mate" },
      {
        type: "HeartRate",
        value: 72,
        unit: "count/min",
        device: "name:Apple Watch, manufacturer:Apple, model:Watch, hardware:Watch2,4, software:4.3.1",
      },
    ]);
    expect(recordsOf(events, "workouts")[0]!.data).toMatchObject({
      activity: "Running",
      distance: 0.4971749504535062,
      distance_unit: "mi",
    });
    expect(await keys("health-apple/zip_contents/apple_health_export/export.xml")).toEqual(
      await keys("health-apple/export.xml"),
    );
  });
});
