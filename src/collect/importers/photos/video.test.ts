// Videos: boxes in any order and of any length, clocks that were never set, places in three formats, and a single time
// per record.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { photosImporter as importer } from "./importer.ts";

const box = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, body]);
};
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** 2024-05-31T09:00:00Z, 2.5 s. */
const CREATED = Date.UTC(2024, 4, 31, 9) / 1000 + 2_082_844_800;
const mvhd = (created: number) => box("mvhd", number(0), number(created), number(0), number(1000), number(2500));
const xyz = (text: string) => box("\xa9xyz", Buffer.from([0, text.length, 0, 0]), text);
const apple = (notes: Record<string, string>) =>
  box(
    "meta",
    box("keys", number(0), number(Object.keys(notes).length), ...Object.keys(notes).map((key) => box("mdta", key))),
    box(
      "ilst",
      ...Object.values(notes).map((text, index) =>
        box(number(index + 1).toString("latin1"), box("data", number(1), number(0), text)),
      ),
    ),
  );
const video = (...moov: Buffer[]) =>
  Buffer.concat([box("ftyp", "mp42", number(0)), box("mdat", Buffer.alloc(3000)), box("moov", ...moov)]);

const dataOf = async (bytes: Buffer, path = "a.mp4") =>
  recordsOf(await collect(importer, [memoryEntry(path, bytes)], { answers: { time_zone: "UTC" } }))[0]?.data;

it("I-07 a video has its time, duration, place and file, even if the metadata comes last", async () => {
  const bytes = video(mvhd(CREATED), box("udta", xyz("+48.8577+002.2950+035/")));
  expect(recognised(importer, "a.mp4", bytes)?.reason).toBe("video");
  expect(await dataOf(bytes)).toMatchObject({
    media_type: "video/mp4",
    taken_at: "2024-05-31T09:00:00.000Z",
    duration_seconds: 2.5,
    latitude: 48.8577,
    longitude: 2.295,
    altitude: 35,
    picture: { size_bytes: bytes.length, mime_type: "video/mp4" },
  });
  const entry = memoryEntry("a.mp4", bytes);
  expect(await refusals(importer, [entry])).toEqual([]);
  await repeatsAndResumes(importer, [entry]);
  await hostile(importer, "a.mp4", bytes);
});

it("I-05 the device's local time with its offset takes precedence over UTC, and is the only time of the record", async () => {
  const notes = apple({
    "com.apple.quicktime.creationdate": "2024-05-31T11:00:00+0200",
    "com.apple.quicktime.location.ISO6709": "+60.3100+024.9600/",
    "com.apple.quicktime.model": "Phone 9",
  });
  const data = await dataOf(video(mvhd(CREATED - 5), notes), "a.mov");
  expect(data).toMatchObject({ taken_at: "2024-05-31T11:00:00+02:00", latitude: 60.31, camera: "Phone 9" });
  expect(Object.keys(data!).filter((name) => /taken|local/.test(name))).toEqual(["taken_at"]);
});

it("I-07 a clock that was never set provides no time, and an audio file is not a video", async () => {
  expect(await dataOf(video(mvhd(0)))).not.toHaveProperty("taken_at");
  expect(recognised(importer, "a.m4a", Buffer.concat([box("ftyp", "M4A ", number(0)), box("moov")]))).toBeUndefined();
});

it("I-07 the plan says that videos in some codecs get no thumbnail", async () => {
  const warnings = async (name: string) =>
    (await importer.plan({ name: "x", entries: [memoryEntry(name, "bytes")] }, {})).warnings;
  expect(await warnings("clip.mp4")).toEqual([
    expect.stringContaining("such as H.264, have no thumbnail but can be played on their pages"),
  ]);
  expect(await warnings("a.jpg")).toEqual([]);
});
