// Tracks and workouts (tkrajina/gpxpy, Freika/dawarich, dtcooper/python-fitparse and others), counted without our parsers.
import { afterAll, describe, expect, it } from "vitest";
import { type Entry, wholeEntry } from "../../src/collect/entry.ts";
import { collect, recognised, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import type { ImportEvent } from "../../src/collect/importer.ts";
import { stravaImporter as strava } from "../../src/collect/importers/strava/importer.ts";
import { tracksImporter as tracks } from "../../src/collect/importers/tracks/importer.ts";
import { archived, noSamples, samplesIn } from "./samples.ts";

const times = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

interface Counts {
  ways: number;
  points: number;
  places: number;
  left: number;
  failed: number;
}

const table: object[] = [];

/** Returns the number of tracks and places in one file, and its other results. */
async function found(entry: Entry): Promise<Counts & { events: ImportEvent[] }> {
  const events = await collect(tracks, [entry]);
  expect(await refusals(tracks, [entry])).toEqual([]);
  const ways = recordsOf(events).filter(({ stream }) => stream === "tracks" || stream === "workouts");
  const counts = {
    ways: ways.length,
    points: ways.reduce((sum, { data }) => sum + (data.point_count as number), 0),
    places: recordsOf(events, "places").length,
    left: events.reduce((sum, event) => sum + (event.kind === "skip" ? (event.count ?? 1) : 0), 0),
    failed: events.filter(({ kind }) => kind === "error").length,
  };
  table.push({ file: entry.path.slice(0, 50), ...counts });
  return { ...counts, events };
}

const textOf = async (entry: Entry): Promise<string> => (await wholeEntry(entry, 1e7)).toString();

describe.skipIf(noSamples)("I-06 tracks and workouts", () => {
  afterAll(() => console.table(table));

  it("I-01 every track, route, point and waypoint of 12 GPX files is imported", async () => {
    const entries = samplesIn("second-round/tracks-gpx");
    expect(entries).toHaveLength(12);
    for (const entry of entries) {
      const text = await textOf(entry);
      const { ways, points, places, left, failed } = await found(entry);
      expect(ways + left, entry.path).toBe(times(text, /<(?:trk|rte)[\s>/]/g));
      expect(points, entry.path).toBe(times(text, /<(?:trk|rte)pt[\s>]/g));
      expect(places, entry.path).toBe(times(text, /<wpt[\s>]/g));
      expect(failed).toBe(0);
    }
  });

  it("I-01 every point, line and track of 9 KML files and a KMZ file is imported or reported as an error", async () => {
    const entries = samplesIn("second-round/tracks-kml").filter(({ path }) => path.endsWith(".kml"));
    const kmz = await archived("second-round/tracks-kml/points_with_timestamps.kmz");
    expect([entries.length, kmz.length]).toEqual([9, 1]);
    for (const entry of [...entries, ...kmz]) {
      const text = await textOf(entry);
      const { ways, places, left, failed } = await found(entry);
      expect(ways, entry.path).toBe(times(text, /<(?:LineString|gx:Track)>/g));
      expect(places + failed, entry.path).toBe(times(text, /<Point>/g));
      const bare = text
        .split("<Placemark")
        .slice(1)
        .filter((one) => !/<(?:Point|LineString|Polygon|gx:Track)>/.test(one));
      expect(left, entry.path).toBe(times(text, /<Polygon>/g) + bare.length);
      expect(failed, entry.path).toBe(entry.path.startsWith("invalid") ? 2 : 0);
    }
  });

  it("I-01 every activity and point of 5 TCX files is imported", async () => {
    for (const entry of samplesIn("second-round/tracks-tcx")) {
      const text = await textOf(entry);
      const { ways, points, failed } = await found(entry);
      expect(ways, entry.path).toBe(times(text, /<Activity /g));
      expect(points, entry.path).toBe(times(text, /<Trackpoint>/g));
      expect(failed).toBe(0);
    }
  });

  /** Counted by python-fitparse, as the samples' README says. */
  const FIT: Record<string, [sessions: number, records: number, broken?: true]> = {
    "garmin-fenix-5-run.fit": [1, 21],
    "garmin-fenix-5-walk.fit": [1, 17],
    "garmin-edge-820-bike.fit": [1, 15],
    "strava-android-app-201.10-b1218918.fit": [1, 473, true],
    "2015-10-13-08-43-15.fit": [1, 221],
    "activity-unexpected-eof.fit": [1, 14, true],
    "activity-small-fenix2-run.fit": [1, 2809],
    "elemnt-bolt-no-application-id-inside-developer-data-id.fit": [1, 132],
    "compressed-speed-distance.fit": [1, 755],
    "MonitoringFile.fit": [0, 0],
    "WeightScaleMultiUser.fit": [0, 0],
  };

  it("I-01 every session and record of 11 FIT files is imported, as counted by python-fitparse", async () => {
    const entries = samplesIn("second-round/tracks-fit").filter(({ path }) => path.endsWith(".fit"));
    expect(entries.map(({ path }) => path).sort()).toEqual(Object.keys(FIT).sort());
    for (const entry of entries) {
      const [sessions, records, isBroken] = FIT[entry.path]!;
      const { ways, points, left, failed, events } = await found(entry);
      expect([ways, points, failed], entry.path).toEqual([sessions, records, isBroken ? 1 : 0]);
      expect(left, entry.path).toBe(entry.path === "MonitoringFile.fit" ? 337 : 0);
      if (entry.path.startsWith("Weight"))
        expect(recordsOf(events, "measurements").map(({ data }) => data.unit)).toEqual(["kg", "kg"]);
    }
  });

  it("I-06 positions and heart rates of a FIT file match the output of python-fitparse", async () => {
    const entries = samplesIn("second-round/tracks-fit");
    for (const name of ["garmin-fenix-5-run", "garmin-edge-820-bike"]) {
      const expected = (await textOf(entries.find(({ path }) => path === `${name}-records.csv`)!))
        .trim()
        .split(/\r?\n/);
      const headings = expected[0]!.split(",");
      const events = await collect(tracks, [entries.find(({ path }) => path === `${name}.fit`)!]);
      const lines = (recordsOf(events, "workouts")[0]!.data.path as string).split("\n").map((line) => line.split(","));
      expect(lines).toHaveLength(expected.length - 1);
      const column = headings.findIndex((heading) => /^heart_rate/.test(heading));
      const rates = expected.slice(1).map((line) => line.split(",")[column]);
      expect(lines.map((cells) => cells[5] ?? "")).toEqual(rates);
      // The unit is the semicircle: 2^31 semicircles are 180 degrees.
      const degrees = (cell: string): number => Number(((Number(cell) * 180) / 2 ** 31).toFixed(7));
      const latitude = headings.indexOf("position_lat");
      expect(lines.map((cells) => Number(cells[1]))).toEqual(
        expected.slice(1).map((line) => degrees(line.split(",")[latitude]!)),
      );
    }
  });

  it("I-01 every feature, location and line of GeoJSON, Overland, Polarsteps and OwnTracks files is accounted for", async () => {
    for (const entry of [...samplesIn("second-round/tracks-geojson"), ...samplesIn("second-round/tracks-other")]) {
      const text = await textOf(entry);
      expect(recognised(tracks, entry.path, text), entry.path).toBeDefined();
      const counted = entry.path.endsWith(".rec")
        ? times(text, /"_type"/g)
        : times(text, /"type": "Feature"/g) || times(text, /"lat":/g);
      const { points, places, left, failed } = await found(entry);
      expect(points + places + left + failed, entry.path).toBe(counted);
      expect(failed).toBe(0);
    }
  });

  it("I-01 every row of two Strava lists is imported as an activity", async () => {
    for (const entry of samplesIn("second-round/strava")) {
      const text = await textOf(entry);
      expect(recognised(strava, entry.path, text)?.score).toBe(95);
      const events = await collect(strava, [entry]);
      expect(recordsOf(events)).toHaveLength(times(text, /^9\d{9},/gm));
      expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
      expect(await refusals(strava, [entry])).toEqual([]);
    }
  });
});
