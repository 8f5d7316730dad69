// Google location history: time and position formats, positions grouped by day, nested visits, and files in other
// formats.
import { expect, it } from "vitest";
import { wholeEntry } from "../../entry.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { googleLocationImporter as importer } from "./importer.ts";
import { scaledPosition, timeIn, writtenPosition } from "./values.ts";

const json = (path: string, value: unknown) => memoryEntry(path, JSON.stringify(value));
const location = (day: number, hour: number, more = {}) => ({
  latitudeE7: 533_690_550 + hour,
  longitudeE7: -836_950_010,
  timestamp: new Date(Date.UTC(2024, 4, day, hour)).toISOString(),
  ...more,
});

it("I-06 positions of one day form one track, in chronological order", async () => {
  const locations = [
    location(1, 8),
    location(1, 7, { accuracy: 12, altitude: 30 }),
    location(2, 9),
    { source: "WIFI" },
  ];
  expect(recognised(importer, "a.json", JSON.stringify({ locations }))?.score).toBe(92);
  const entry = json("Records.json", { locations });
  const events = await collect(importer, [entry]);
  const days = recordsOf(events, "positions").map(({ data }) => data);
  expect(days).toMatchObject([
    { name: "1 May 2024", start: "2024-05-01T07:00:00.000Z", end: "2024-05-01T08:00:00.000Z", point_count: 2 },
    { name: "2 May 2024", point_count: 1 },
  ]);
  expect(days[0]?.path).toBe(
    "2024-05-01T07:00:00.000Z,53.3690557,-83.695001,30,12\n2024-05-01T08:00:00.000Z,53.3690558,-83.695001",
  );
  expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
  expect(await refusals(importer, [entry])).toEqual([]);
  await repeatsAndResumes(importer, [entry]);
});

it("I-04 a later export that contains more of the last day updates that day's record", async () => {
  const early = await collect(importer, [json("Records.json", { locations: [location(1, 7)] })]);
  const late = await collect(importer, [json("Records.json", { locations: [location(1, 7), location(1, 8)] })]);
  expect(recordsOf(late).map(({ key }) => key)).toEqual(recordsOf(early).map(({ key }) => key));
});

it("I-06 nested visits, trips and frequent places are kept apart; skipped parts are counted", async () => {
  const duration = { startTimestamp: "2024-05-01T10:00:00Z", endTimestamp: "2024-05-01T11:00:00Z" };
  const semantic = json("2024_MAY.json", {
    timelineObjects: [
      {
        placeVisit: {
          location: { latitudeE7: 521_471_860, longitudeE7: 56_329_130, name: "Mall", semanticType: "TYPE_UNKNOWN" },
          duration,
          childVisits: [{ location: { name: "Shop" }, duration }],
        },
      },
      { somethingElse: {} },
    ],
  });
  const phone = json("Timeline.json", {
    semanticSegments: [
      { startTime: "2024-05-01T09:00:00.000+02:00", visit: { topCandidate: { semanticType: "INFERRED_HOME" } } },
      {
        startTime: "2024-05-01T10:00:00.000+02:00",
        activity: {
          start: { latLng: "48.0°, 2.0°" },
          end: { latLng: "48.0°, 2.1°" },
          topCandidate: { type: "CYCLING", probability: 0.8 },
        },
      },
    ],
    rawSignals: [{ wifiScan: {} }, { wifiScan: {} }],
    userLocationProfile: { frequentPlaces: [{ placeLocation: "48.8, 2.3", label: "HOME" }], frequentTrips: [{}] },
  });
  const events = await collect(importer, [semantic, phone]);
  expect(recordsOf(events, "visits").map(({ data }) => [data.name, data.level])).toEqual([
    ["Mall", 0],
    ["Shop", 1],
    ["Home", 0],
  ]);
  const [trip] = recordsOf(events, "trips");
  expect(trip?.data).toMatchObject({ activity: "cycling", start: "2024-05-01T08:00:00.000Z", end_longitude: 2.1 });
  // A tenth of a degree of longitude at 48° N.
  expect(trip?.data.distance_m).toBeCloseTo(7440, -2);
  expect(recordsOf(events, "frequent_places")).toHaveLength(1);
  const left = events.flatMap((event) => (event.kind === "skip" ? [event.count] : []));
  expect(left).toEqual([1, 2, 1]);
  expect(await refusals(importer, [semantic, phone])).toEqual([]);
  await repeatsAndResumes(importer, [semantic, phone]);
  await hostile(importer, "Timeline.json", await wholeEntry(phone, 1e6));
});

it("I-06 times and positions are parsed in every format that Google has used", () => {
  const at = Date.UTC(2025, 2, 24, 19, 25, 2);
  for (const value of [
    "2025-03-24T20:25:02+01:00",
    "2025-03-24 20:25:02 +0100",
    "2025-03-24T19:25:02.000Z",
    String(at / 1000),
  ])
    expect(timeIn({ start: value }, "start")).toBe(at);
  expect(timeIn({ startMs: String(at) }, "start")).toBe(at);
  expect(timeIn({ start: "yesterday" }, "start")).toBeUndefined();
  for (const value of ["geo:40.7,-74.5", "40.7°, -74.5°", "40.7, -74.5", "40.7°N, 74.5°W", { latLng: "40.7°, -74.5°" }])
    expect(writtenPosition(value)).toEqual({ latitude: 40.7, longitude: -74.5 });
  expect(writtenPosition("geo:400,0")).toBeUndefined();
  // A negative number written as an unsigned 32-bit integer.
  expect(scaledPosition({ latitudeE7: 359_974_880, longitudeE7: 2 ** 32 - 789_221_943 })).toEqual({
    latitude: 35.997488,
    longitude: -78.9221943,
  });
});

it("I-06 timeline edits and settings are recognised, and not mistaken for positions", () => {
  for (const beside of ['{"timelineEdits": [{"deviceId": "1"}]}', '{"gaiaId": "1", "deviceSettings": []}'])
    expect(recognised(importer, "x.json", beside)?.advice).toBeDefined();
  expect(recognised(importer, "x.json", '{"locations": [{"type": "Feature"}]}')).toBeUndefined();
});
