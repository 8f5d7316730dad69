// Pictures of many cameras and editors, some broken (MikeKovarik/exifr).
import { describe, expect, it } from "vitest";
import { collect, recordsOf, refusals } from "../../src/collect/importer.fixture.ts";
import { photosImporter as importer } from "../../src/collect/importers/photos/importer.ts";
import { noSamples, samplesIn } from "./samples.ts";

const answers = { time_zone: "UTC" };

describe.skipIf(noSamples)("P-05 photos", () => {
  // A Python script walked JPEG segments, PNG chunks and TIFF directories with struct: start of frame, tags 0x10f, 0x110, 0x112, 0x829a,
  // 0x9003, 0x202 of the second directory, the GPS directory; hashlib for the digests; `ispe` boxes of the HEIC by bytes.find.
  it("every picture is found, with its size and what its EXIF says", async () => {
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
      taken_local: "2003-12-14T12:01:44",
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
