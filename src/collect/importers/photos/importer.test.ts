// Photos: times and their offsets, places, previews, Takeout's sidecar files, copies, and damaged pictures.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { photosDeclaration } from "./declaration.ts";
import { photosImporter as importer } from "./importer.ts";
import { jpeg } from "./picture.fixture.ts";
import { pictureName } from "./sidecar.ts";

const THUMBNAIL = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
const camera = { 271: "Fujifilm", 272: "X100V", 274: 6, 270: "A boat" };
const whole = jpeg({
  main: camera,
  exif: {
    36867: "2021:07:04 18:30:05",
    36881: "+02:00",
    33434: [[1, 250]],
    33437: [[56, 10]],
    34855: 160,
    37386: [[23, 1]],
  },
  gps: {
    1: "N",
    2: [
      [53, 1],
      [30, 1],
      [0, 1],
    ],
    3: "W",
    4: [
      [6, 1],
      [15, 1],
      [0, 1],
    ],
    6: [[12, 1]],
  },
  thumbnail: THUMBNAIL,
  width: 400,
  height: 300,
});
const answers = { time_zone: "Europe/Dublin" };
const photos = async (...entries: Parameters<typeof memoryEntry>[]) =>
  recordsOf(
    await collect(
      importer,
      entries.map((one) => memoryEntry(...one)),
      { answers },
    ),
  ).map(({ data }) => data);

it("has a valid declaration", () => expect(() => parseDeclaration(photosDeclaration)).not.toThrow());

it("I-07 P-05 X-13 reads time, place, camera, size, preview and the picture, and names the file by its content", async () => {
  const sha256 = createHash("sha256").update(whole).digest("hex");
  expect(await photos(["2021/boat.jpg", whole])).toEqual([
    {
      id: Buffer.from(sha256, "hex").toString("base64url").slice(0, 22),
      name: "boat.jpg",
      path: "2021/boat.jpg",
      media_type: "image/jpeg",
      size_bytes: whole.length,
      sha256,
      width: 400,
      height: 300,
      orientation: 6,
      taken_at: "2021-07-04T18:30:05+02:00",
      is_offset_known: true,
      latitude: 53.5,
      longitude: -6.25,
      altitude: 12,
      camera: "Fujifilm X100V",
      exposure_seconds: 0.004,
      f_number: 5.6,
      iso: 160,
      focal_length_mm: 23,
      caption: "A boat",
      thumbnail: { blob_id: "blob_4", mime_type: "image/jpeg", size_bytes: 4, sha256: "0".repeat(64) },
      picture: {
        blob_id: `blob_${whole.length}`,
        mime_type: "image/jpeg",
        size_bytes: whole.length,
        sha256: "0".repeat(64),
      },
    },
  ]);
});

it("I-07 the plan asks whether to copy the pictures; without copies, records have no picture", async () => {
  const entries = [memoryEntry("a.jpg", whole)];
  const { questions } = await importer.plan({ name: "x", entries }, {});
  expect(questions).toMatchObject([
    { id: "originals", default: "keep", options: [{ value: "keep" }, { value: "leave" }] },
  ]);
  const askedOf = async (size: number) =>
    (await importer.plan({ name: "x", entries: [{ ...entries[0]!, size }] }, {})).questions![0]!.text;
  expect([await askedOf(7000), await askedOf(2_340_000)]).toEqual([
    "Copy the pictures and videos themselves (7.0 KB), or only their metadata?",
    "Copy the pictures and videos themselves (2.3 MB), or only their metadata?",
  ]);
  const [record] = recordsOf(await collect(importer, entries, { answers: { originals: "leave" } }));
  expect(record!.data).not.toHaveProperty("picture");
  expect(record!.data).toHaveProperty("thumbnail");
});

it("P-05 the offset is taken from EXIF, from GPS, from Google's sidecar file, or from the answer", async () => {
  const clock = { 36867: "2021:07:04 18:30:05" };
  const satellites = {
    29: "2021:07:04",
    7: [
      [13, 1],
      [0, 1],
      [40, 1],
    ],
  } as const;
  const note = JSON.stringify({ title: "c.jpg", photoTakenTime: { timestamp: "1625418000" } });
  const found = await photos(
    ["b.jpg", jpeg({ exif: clock, gps: satellites })],
    ["c.jpg", jpeg({ exif: clock, width: 9 })],
    ["c.jpg.json", note],
    ["d.jpg", jpeg({ exif: clock, width: 10 })],
    ["e.jpg", jpeg({ exif: { 36867: "0000:00:00 00:00:00" } })],
  );
  expect(found.map(({ name, taken_at, is_offset_known }) => [name, taken_at, is_offset_known])).toEqual([
    ["b.jpg", "2021-07-04T18:30:05+05:30", true],
    ["c.jpg", "2021-07-04T17:00:00.000Z", true],
    ["d.jpg", "2021-07-04T18:30:05+01:00", false],
    ["e.jpg", undefined, undefined],
  ]);
  const asked = async (bytes: Buffer) =>
    (await importer.plan({ name: "x", entries: [memoryEntry("a.jpg", bytes)] }, {})).questions!.map(({ id }) => id);
  expect(await asked(whole)).toEqual(["originals"]);
  expect(await asked(jpeg({ exif: clock }))).toEqual(["originals", "time_zone"]);
});

it("P-05 Takeout: a picture's sidecar file is found under all of its possible names", async () => {
  expect(
    [
      "IMG_1.jpg.json",
      "a/IMG_1.jpg.supplemental-metadata.json",
      "IMG_1.jpg.supplemental-me.json",
      "IMG_1.jpg(2).json",
      "IMG_1.jpg.supplemental-metadata(2).json",
    ].map(pictureName),
  ).toEqual(["IMG_1.jpg", "IMG_1.jpg", "IMG_1.jpg", "IMG_1(2).jpg", "IMG_1(2).jpg"]);
  const notes = {
    title: "boat.jpg",
    description: "Our boat",
    photoTakenTime: { timestamp: "1625418000", formatted: "…" },
    geoData: { latitude: 1.5, longitude: 2.5, altitude: 0 },
    people: [{ name: "Ann" }],
    favorited: true,
  };
  const [own] = await photos(["boat.jpg", whole], ["boat.jpg.json", JSON.stringify(notes)]);
  expect(own).toMatchObject({
    caption: "Our boat",
    people: ["Ann"],
    is_favorite: true,
    latitude: 53.5,
    taken_at: "2021-07-04T18:30:05+02:00",
  });
  const [plain] = await photos(
    ["boat-edited.jpg", jpeg()],
    ["boat.jpg.supplemental-metadata.json", JSON.stringify(notes)],
  );
  expect(plain).toMatchObject({ latitude: 1.5, longitude: 2.5, taken_at: "2021-07-04T17:00:00.000Z" });
  expect(plain).not.toHaveProperty("altitude");
  expect(await collect(importer, [memoryEntry("gone.jpg.json", JSON.stringify(notes))])).toMatchObject([
    { kind: "skip", reason: "metadata of a picture that is not part of the import" },
    { kind: "checkpoint" },
  ]);
});

it("copies become one record with the path of the first copy, even if the run resumes after that copy", async () => {
  const entries = [
    memoryEntry("a/boat.jpg", whole),
    memoryEntry("b/copy of boat.jpg", whole),
    memoryEntry("c.jpg", jpeg()),
    memoryEntry("large.jpg", Buffer.concat([jpeg(), Buffer.alloc(40_000)])),
  ];
  const events = await collect(importer, entries);
  expect(recordsOf(events).map(({ data }) => data.path)).toEqual(["a/boat.jpg", "c.jpg", "large.jpg"]);
  const skipped = events.filter((event) => event.kind === "skip");
  expect(skipped.map(({ entry, count = 1 }) => [entry.path, count])).toEqual([
    ["b/copy of boat.jpg", 1],
    // large.jpg contains no preview, and none can be created. c.jpg is as small as a preview would be.
    ["large.jpg", 0],
  ]);
  expect(skipped[1]!.reason).toContain("npm install sharp");
  await repeatsAndResumes(importer, entries);
});

it("P-05 pictures are recognised by their content, and other formats that start with the same bytes are not", () => {
  expect(recognised(importer, "IMG.jpg", whole)?.score).toBe(60);
  expect(recognised(importer, "IMG.heic", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1"))?.score).toBe(65);
  expect(recognised(importer, "film.mp4", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0", "latin1"))?.reason).toBe("video");
  expect(recognised(importer, "a.dng", Buffer.from("II*\0\x08\0\0\0", "latin1"))?.score).toBe(60);
  expect(recognised(importer, "fax.bin", Buffer.from("II*\0\x08\0\0\0", "latin1"))).toBeUndefined();
  expect(recognised(importer, "IMG.jpg", "no picture")).toBeUndefined();
  expect(
    recognised(importer, "IMG.jpg.json", '{"title": "IMG.jpg", "photoTakenTime": {"timestamp": "1"}}')?.score,
  ).toBe(90);
  expect(recognised(importer, "orders.json", '{"title": "Orders"}')).toBeUndefined();
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const entries = Array.from({ length: 6 }, (_, n) => memoryEntry(`${n}.jpg`, jpeg({ main: camera, width: n + 1 })));
  await repeatsAndResumes(importer, [...entries, memoryEntry("boat.jpg", whole)]);
  expect(await refusals(importer, [...entries, memoryEntry("boat.jpg", whole)])).toEqual([]);
});

it("SECURITY row 16: truncated and damaged pictures and sidecar files never crash the parser", async () => {
  const note = JSON.stringify({
    title: "boat.jpg",
    photoTakenTime: { timestamp: "1625418000" },
    geoData: { latitude: 1, longitude: 2 },
  });
  await hostileTogether(importer, [memoryEntry("boat.jpg", whole), memoryEntry("boat.jpg.json", note)], answers);
});
