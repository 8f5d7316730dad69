// Pictures from many cameras and editors, some broken (MikeKovarik/exifr).
import { describe, expect, it } from "vitest";
import { wholeEntry } from "../../src/collect/entry.ts";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { photosImporter as importer } from "../../src/collect/importers/photos/importer.ts";
import { openThumbnailer } from "../../src/collect/thumbnails/thumbnailer.ts";
import { noSamples, sample, samplesIn } from "./samples.ts";

const answers = { time_zone: "UTC" };

describe.skipIf(noSamples)("P-05 photos", () => {
  // A Python script walked JPEG segments, PNG chunks and TIFF directories with struct. It read the start of frame, the
  // tags 0x10f, 0x110, 0x112, 0x829a, 0x9003, 0x202 of the second directory, and the GPS directory. The digests are
  // from hashlib, and the `ispe` boxes of the HEIC were found with bytes.find.
  it("every picture is imported with its dimensions and EXIF data", async () => {
    const entries = samplesIn("photos-exif");
    const events = await collect(importer, entries, { answers });
    const found = new Map(recordsOf(events).map(({ data }) => [data.path as string, data]));
    expect(entries).toHaveLength(19);
    expect(found.size).toBe(19);
    expect(events.filter(({ kind }) => kind === "error")).toEqual([]);
    const sizes = Object.fromEntries([...found].map(([path, { width, height }]) => [path, [width, height]]));
    expect(sizes).toEqual({
      "Bush-dog.jpg": [400, 398],
      "Bush-dog.tif": [40, 40],
      "RangeError_Offset_outside_bounds.jpg": [100, 63],
      "broken1.jpg": [600, 900],
      "heic-single.heic": [1440, 960],
      "img_1771.jpg": [480, 360],
      "iptc-staff-photographer-example.jpg": [516, 350],
      "issue-exifr-4.jpg": [100, 50],
      "issue-node-exif-58.jpg": [560, 200],
      "noexif.jpg": [250, 188],
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`orientation/f${n}t.jpg`, [48, 80]])),
      ...Object.fromEntries([5, 6, 7, 8].map((n) => [`orientation/f${n}t.jpg`, [80, 48]])),
      "png/png_with_exif_and_gps.png": [1, 1],
    });
    for (let n = 1; n <= 8; n++) expect(found.get(`orientation/f${n}t.jpg`)?.orientation).toBe(n);
    expect(found.get("img_1771.jpg")).toMatchObject({
      camera: "Canon PowerShot S40",
      taken_at: "2003-12-14T12:01:44Z",
      exposure_seconds: 0.002,
      f_number: 4.9,
      focal_length_mm: 21.3125,
      thumbnail: { size_bytes: 5448 },
      sha256: expect.stringMatching(/^8a9d04b9/),
    });
    // 50° 17' 58.57" N, 14° 49' 13.06" E, 252 m
    const place = found.get("png/png_with_exif_and_gps.png")!;
    expect(place.latitude).toBeCloseTo(50 + 17 / 60 + 58.57 / 3600, 6);
    expect(place.longitude).toBeCloseTo(14 + 49 / 60 + 13.06 / 3600, 6);
    expect(place.altitude).toBe(252);
    expect(found.get("Bush-dog.jpg")).toMatchObject({
      thumbnail: { size_bytes: 9766 },
      city: "WACO",
      author: "DUANE A. LAVERTY",
    });
    expect(found.get("iptc-staff-photographer-example.jpg")).toMatchObject({
      thumbnail: { size_bytes: 5623 },
      city: "Watseka",
    });
    expect(found.get("broken1.jpg")).not.toHaveProperty("latitude");
    expect(await refusals(importer, entries, answers)).toEqual([]);
  });
});

describe.skipIf(noSamples)("I-07 HEIC", () => {
  it("every picture has a thumbnail, and two files contain no picture", async () => {
    const thumbnailer = openThumbnailer();
    const made: Record<string, boolean> = {};
    for (const entry of [...samplesIn("second-round/heic"), sample("photos-exif/heic-single.heic")])
      made[entry.path] = (await thumbnailer.of(await wholeEntry(entry, 10_000_000))) !== undefined;
    await thumbnailer.close();
    expect(made).toEqual({
      "IMG_1034.heic": true,
      "exiftool-QuickTime.heic": false,
      "heic-single.heic": true,
      "libheif-example.heic": true,
      "testHEIC_livePhoto.heic": false,
      "testHEIF.heic": true,
    });
  });
});

describe.skipIf(noSamples)("I-07 videos", () => {
  /** From the samples' README: seconds, and the time of mvhd or of Apple's key. */
  const VIDEOS: Record<string, [seconds: number | undefined, taken: string | undefined, isPlaced: boolean]> = {
    "testMP4Video.mp4": [1, undefined, false],
    "testMP4_QuickTimeMetadata.mov": [2.73, undefined, true],
    "testMP4_StillImageTimeZero.mov": [2.73, undefined, false],
    "testMP4_udtaLocation.mp4": [undefined, undefined, true],
    "exiftool-QuickTime.mov": [5, "2005-08-11T14:03:54.000Z", false],
    // Apple's key has the time when recording started, and mvhd the time when the file was written.
    "mov-with-gps.mov": [4, "2019-07-24T08:25:40.000Z", true],
    "mp4-with-gps.mp4": [0.2, "2017-02-22T08:20:28.000Z", true],
    "mp4-sample_mpeg4.mp4": [5, "2005-10-28T17:46:46.000Z", false],
    "3gp-sample.3gp": [4.9, "2005-10-28T17:36:40.000Z", false],
  };

  it("times, durations and places of nine videos match what other programs read", async () => {
    const entries = samplesIn("second-round/video").filter(({ path }) => !path.endsWith(".m4a"));
    const found = recordsOf(await collect(importer, entries, { answers })).map(({ data }) => data);
    expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(VIDEOS).sort());
    for (const data of found) {
      const [seconds, taken, isPlaced] = VIDEOS[data.path as string]!;
      const at = data.taken_at === undefined ? undefined : new Date(data.taken_at as string).toISOString();
      expect([at, "latitude" in data], data.path as string).toEqual([taken, isPlaced]);
      if (seconds === undefined) expect(data).not.toHaveProperty("duration_seconds");
      else expect(data.duration_seconds).toBeCloseTo(seconds, 0);
    }
    expect(await refusals(importer, entries, answers)).toEqual([]);
  });
});
