// Strava: duplicate columns, dates, the files that the list refers to, and the other columns of a row.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { stravaImporter as importer } from "./importer.ts";

const CSV = `Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Filename,Elapsed Time,Moving Time,Distance,Calories,"<span class=""translation_missing"" title=""x"">Type</span>",Media
1,"Jan 4, 2020, 2:57:37 PM",Evening ride,Ride,"wet, cold",120,5,true,activities/7.gpx.gz,120.0,90.0,5005.2,344,road,media/0.jpg
2,"May 13, 2026, 12:04:42 AM",Swim,Swim,,60,1,false,,60.0,60.0,1000,,,
x,never,Broken,Run,,,,,,,,,,,
`;
const GPX = `<gpx creator="Strava"><trk><trkseg><trkpt lat="48" lon="2"><time>2020-01-04T14:57:37Z</time></trkpt></trkseg></trk></gpx>`;
const files = [memoryEntry("activities.csv", CSV), memoryEntry("activities/7.gpx.gz/7.gpx", GPX)];

it("I-06 an activity has the values of the exact columns, its track, and the other columns unchanged", async () => {
  expect(recognised(importer, "activities.csv", CSV)?.score).toBe(95);
  const events = await collect(importer, files);
  const [ride, swim] = recordsOf(events).map(({ data }) => data);
  expect(ride).toMatchObject({
    id: "1",
    start: "2020-01-04T14:57:37.000Z",
    end: "2020-01-04T14:59:37.000Z",
    duration_minutes: 1.5,
    elapsed_minutes: 2,
    distance_m: 5005.2,
    energy_kcal: 344,
    is_commute: true,
    latitude: 48,
    point_count: 1,
  });
  expect(ride?.other_columns).toEqual([
    { heading: "Filename", value: "activities/7.gpx.gz" },
    { heading: "Type", value: "road" },
    { heading: "Media", value: "media/0.jpg" },
  ]);
  expect(swim).toMatchObject({ name: "Swim", start: "2026-05-13T00:04:42.000Z" });
  expect(swim).not.toHaveProperty("is_commute");
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: expect.stringMatching(/date/) }]);
  expect(await refusals(importer, files)).toEqual([]);
  await repeatsAndResumes(importer, files);
  await hostile(importer, "activities.csv", Buffer.from(CSV), {}, files);
});

it("I-06 claims from other importers exactly the files that activities refer to", async () => {
  const others = ["activities/7.gpx.gz/7.gpx", "activities/8.gpx", "media/0.jpg"].map((path) => ({
    entry: memoryEntry(path, GPX),
    score: 92,
  }));
  const claimed = await importer.claims!({ name: "test", entries: [files[0]!] }, others);
  expect([...claimed]).toEqual(["activities/7.gpx.gz/7.gpx"]);
});
