// Tracks and workouts: the variants of each format, truncated files, stable keys, and hostile input.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { tracksImporter as importer } from "./importer.ts";
import { timeOf } from "./item.ts";

const gpx = (body: string): string =>
  `<?xml version="1.0"?><gpx version="1.1" creator="Pen" xmlns="http://www.topografix.com/GPX/1/1">${body}</gpx>`;
const trkpt = (longitude: number, minute: number): string =>
  `<trkpt lat="48" lon="${longitude}"><ele>30</ele><time>2024-05-01T10:0${minute}:00Z</time></trkpt>`;
const GPX = gpx(
  `<wpt lat="1" lon="2"><name>Spring &amp; well</name></wpt>
   <trk><name>Walk</name><type>WALKING</type><trkseg>${trkpt(2, 0)}${trkpt(2.1, 5)}</trkseg><trkseg>${trkpt(3, 6)}</trkseg></trk>
   <rte><name>Plan</name><rtept lat="5" lon="6"/></rte><trk/>`,
);

it("I-06 GPX: tracks with segments, routes, waypoints; an empty track is counted as skipped", async () => {
  const entry = memoryEntry("a.gpx", GPX);
  expect(recognised(importer, "a.gpx", GPX)?.score).toBe(92);
  const events = await collect(importer, [entry]);
  const [walk, plan] = recordsOf(events, "tracks").map(({ data }) => data);
  expect(walk).toMatchObject({ name: "Walk", activity: "walking", point_count: 3, recorded_by: "Pen" });
  expect(walk?.path).toBe(
    "2024-05-01T10:00:00.000Z,48,2,30\n2024-05-01T10:05:00.000Z,48,2.1,30\n\n2024-05-01T10:06:00.000Z,48,3,30",
  );
  // A tenth of a degree of longitude at 48° N. The gap between segments does not count.
  expect(walk?.distance_m).toBeCloseTo(7440, -2);
  expect(plan).toMatchObject({ name: "Plan", is_planned: true, point_count: 1 });
  expect(recordsOf(events, "places")[0]?.data).toMatchObject({ name: "Spring & well", latitude: 1, longitude: 2 });
  expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ count: 1 }]);
  expect(await refusals(importer, [entry])).toEqual([]);
  await repeatsAndResumes(importer, [entry]);
  await hostile(importer, "a.gpx", Buffer.from(GPX));
});

it("I-01 a truncated GPX file yields the points before the cut, and is reported", async () => {
  const events = await collect(importer, [memoryEntry("a.gpx", GPX.slice(0, GPX.indexOf("</trkseg>")))]);
  expect(recordsOf(events, "tracks")[0]?.data.point_count).toBe(2);
  expect(events.filter(({ kind }) => kind === "error")).toHaveLength(1);
});

it("I-04 the same track under another file name has the same key", async () => {
  const keys = async (path: string) =>
    recordsOf(await collect(importer, [memoryEntry(path, GPX)])).map(({ key }) => key);
  expect(await keys("b/c.gpx")).toEqual(await keys("a.gpx"));
});

it("I-06 KML: points, lines and tracks of placemarks are read; areas are skipped", async () => {
  const kml = `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Folder><name>Summer</name>
    <Placemark><name>Inn</name><TimeSpan><begin>2024-05-01T10:00:00Z</begin><end>2024-05-02</end></TimeSpan>
      <Point><coordinates>2,48,30</coordinates></Point></Placemark>
    <Placemark><name>Way</name><LineString><coordinates>2,48 2.1,48</coordinates></LineString></Placemark>
    <Placemark><gx:Track><when>2024-05-01T10:00:00Z</when><gx:coord>2 48 30</gx:coord></gx:Track></Placemark>
    <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>2,48 3,48</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
    <Placemark><name>Nowhere</name></Placemark></Folder></Document></kml>`;
  const entry = memoryEntry("a.kml", kml);
  const events = await collect(importer, [entry]);
  expect(recordsOf(events, "places").map(({ data }) => data)).toMatchObject([
    {
      name: "Inn",
      category: "Summer",
      time: "2024-05-01T10:00:00.000Z",
      end: "2024-05-02T00:00:00.000Z",
      altitude: 30,
    },
  ]);
  expect(recordsOf(events, "tracks").map(({ data }) => data.path)).toEqual([
    ",48,2\n,48,2.1",
    "2024-05-01T10:00:00.000Z,48,2,30",
  ]);
  const left = events.reduce((sum, event) => sum + (event.kind === "skip" ? event.count! : 0), 0);
  expect(left).toBe(2);
  expect(await refusals(importer, [entry])).toEqual([]);
  await hostile(importer, "a.kml", Buffer.from(kml));
});

it("I-06 TCX: laps are added up, and points without a position keep their heart rate", async () => {
  const lap = `<Lap StartTime="2024-05-01T10:00:00Z"><TotalTimeSeconds>90</TotalTimeSeconds><DistanceMeters>500</DistanceMeters><Calories>40</Calories>
    <Track><Trackpoint><Time>2024-05-01T10:00:01Z</Time><DistanceMeters>7</DistanceMeters><HeartRateBpm><Value>130</Value></HeartRateBpm></Trackpoint></Track></Lap>`;
  const tcx = `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2024-05-01T10:00:00Z</Id>${lap}${lap}<Notes>wet</Notes>
    <Creator><Name>Watch</Name></Creator></Activity></Activities></TrainingCenterDatabase>`;
  const entry = memoryEntry("a.tcx", tcx);
  const [workout] = recordsOf(await collect(importer, [entry]), "workouts");
  expect(workout?.data).toMatchObject({
    activity: "running",
    duration_minutes: 3,
    distance_m: 1000,
    energy_kcal: 80,
    heart_rate_maximum: 130,
    lap_count: 2,
    notes: "wet",
    recorded_by: "Watch",
    point_count: 2,
  });
  expect(workout?.data.path).toBe("2024-05-01T10:00:01.000Z,,,,,130\n\n2024-05-01T10:00:01.000Z,,,,,130");
  expect(await refusals(importer, [entry])).toEqual([]);
});

it("I-06 GeoJSON, Overland, Polarsteps and OwnTracks: the positions of a log form one track per day", async () => {
  const feature = (properties: object, coordinates: unknown = [2, 48]) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates },
    properties,
  });
  const at = Date.UTC(2024, 4, 1, 10) / 1000;
  const files: Record<string, string> = {
    "a.geojson": JSON.stringify({
      type: "FeatureCollection",
      features: [
        feature({ time: "2024-05-01T10:00:00Z" }),
        feature({ name: "Inn" }),
        feature({ tst: at }, ["2", "49"]),
      ],
    }),
    "overland.json": JSON.stringify({
      locations: [feature({ timestamp: "2024-05-01T12:00:00+0200" }), { type: "Feature", properties: {} }],
    }),
    "locations.json": JSON.stringify({ locations: [{ lat: 48, lon: 2, time: at }] }),
    "2024-05.rec": `2024-05-01T10:00:00Z\t*\t{"_type":"location","lat":48,"lon":2,"tst":${at}}\n2024-05-01T10:00:00Z\t*\t{"_type":"lwt"}\n`,
  };
  for (const [path, content] of Object.entries(files)) {
    expect(recognised(importer, path, content), path).toBeDefined();
    const entry = memoryEntry(path, content);
    const [track] = recordsOf(await collect(importer, [entry]), "tracks");
    expect(track?.data, path).toMatchObject({ name: "1 May 2024", start: "2024-05-01T10:00:00.000Z" });
    expect(await refusals(importer, [entry])).toEqual([]);
    await repeatsAndResumes(importer, [entry]);
  }
  await hostile(importer, "a.geojson", Buffer.from(files["a.geojson"]!));
});

it("I-06 times without a zone are UTC; an invalid time is ignored", () => {
  const at = Date.UTC(2013, 0, 1, 12, 0, 4);
  for (const text of [
    "2013-01-01T12:00:04",
    "2013-01-01T12:00:04Z",
    "2013-01-01T13:00:04+01",
    "2013-01-01T13:00:04+0100",
  ])
    expect(timeOf(text)).toBe(at);
  expect(timeOf(at)).toBe(at);
  expect(timeOf(at / 1000)).toBe(at);
  for (const text of ["", "2013", "yesterday", "2013-13-01T12:00:04Z", "0"]) expect(timeOf(text)).toBeUndefined();
});
