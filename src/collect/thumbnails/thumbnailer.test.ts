// Thumbnails are created in a sandboxed process, are limited in size, and never make an import fail.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { BlobRef } from "../../contract/blob.ts";
import { blobPath } from "../../engine/blob-files.ts";
import type { BlobRow } from "../../store/rows.ts";
import { importWorld } from "../import.fixture.ts";
import { openThumbnailer } from "./thumbnailer.ts";

const TICKET = fileURLToPath(new URL("../../files/sync/text/ticket.fixture.png", import.meta.url));

/** Builds a PNG of one colour that claims any size but contains only `rows` rows. */
function png(width: number, height: number, rows = height): Buffer {
  const chunk = (type: string, body: Buffer): Buffer => {
    const typed = Buffer.concat([Buffer.from(type), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(typed), 4);
    return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((1 + width * 3) * rows));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Reads width and height from the frame header of a JPEG. */
function jpegSize(bytes: Uint8Array): [number, number] {
  const buffer = Buffer.from(bytes);
  const at = [0xc0, 0xc2].map((mark) => buffer.indexOf(Buffer.from([0xff, mark]))).find((place) => place > 0)!;
  return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)];
}

function opened(limits = {}) {
  const thumbnailer = openThumbnailer(undefined, limits);
  onTestFinished(() => thumbnailer.close());
  return thumbnailer;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("I-07 a picture becomes a small JPEG, and one that cannot be decoded gets no thumbnail", async () => {
  const thumbnailer = opened();
  const small = await thumbnailer.of(png(1600, 800));
  expect(jpegSize(small!)).toEqual([320, 160]);
  expect(small!.byteLength).toBeLessThan(20_000);
  expect(await thumbnailer.of(Buffer.from("no picture"))).toBeUndefined();
  expect(
    await thumbnailer.of(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")),
  ).toBeUndefined();
  expect(await thumbnailer.of(png(100_000, 100_000, 1))).toBeUndefined();
  expect(jpegSize((await thumbnailer.of(readFileSync(TICKET)))!)[0]).toBeLessThanOrEqual(320);
});

test("I-07 G-05 a picture that needs too much memory ends its process, and the next one still gets a thumbnail", async () => {
  // A fast machine decodes it in less time than usually passes between two checks.
  const thumbnailer = opened({ residentMb: 1, checkMs: 1 });
  expect(await thumbnailer.of(png(3000, 3000))).toBeUndefined();
  const other = opened();
  expect(await other.of(png(300, 300))).toBeDefined();
});

test("I-07 an import stores a thumbnail for pictures that contain none", async () => {
  const world = importWorld();
  onTestFinished(() => world.close());
  // A small file would be its own preview.
  const padding = Buffer.alloc(40_000);
  world.put("in/a.png", Buffer.concat([png(1000, 500), padding]));
  world.put("in/b.png", Buffer.concat([png(1000, 500).subarray(0, 60), padding]));
  const job = await world.one(["in"], { real: true });
  expect(job).toMatchObject({ status: "succeeded", progress: { counts: { imported: 2, failed: 0 } } });
  const records = await world.records("photos");
  const thumbnails = Object.fromEntries(records.map(({ data }) => [data.name, data.thumbnail]));
  expect(thumbnails).toEqual({
    "a.png": expect.objectContaining({ mime_type: "image/jpeg", blob_id: expect.any(String) }),
    "b.png": undefined,
  });
  const { blobId, generation } = await world.ask<BlobRow>("blob", {
    blob_id: (thumbnails["a.png"] as BlobRef).blob_id,
  });
  expect(jpegSize(readFileSync(blobPath(world.home, blobId, generation)))).toEqual([320, 160]);
  const [reason] = job.progress.files.flatMap(({ reasons }) => reasons);
  expect(reason).toMatchObject({ reason: expect.stringContaining("creating one failed"), count: 0, failed: false });
});

test("I-07 the thumbnail of a video is its first frame with the video's rotation, and an H.264 video is reported as having no thumbnail", async () => {
  const world = importWorld();
  onTestFinished(() => world.close());
  const clip = readFileSync(new URL("../importers/photos/turned.fixture.mov", import.meta.url));
  world.put("in/hevc.mov", clip);
  // Written by FFmpeg with libaom.
  world.put("in/av1.mp4", readFileSync(new URL("../importers/photos/av1.fixture.mp4", import.meta.url)));
  // The same boxes with the name of another codec.
  world.put("in/other.mov", Buffer.from(clip.toString("latin1").replace("hvc1", "avc1"), "latin1"));
  const job = await world.one(["in"], { real: true });
  expect(job).toMatchObject({ status: "succeeded", progress: { counts: { imported: 3, failed: 0 } } });
  const records = await world.records("photos");
  const named = (name: string) => records.find(({ data }) => data.name === name)!.data;
  const sizeOf = async ({ blob_id }: BlobRef) => {
    const { blobId, generation } = await world.ask<BlobRow>("blob", { blob_id });
    return jpegSize(readFileSync(blobPath(world.home, blobId, generation)));
  };
  expect(await sizeOf(named("hevc.mov").thumbnail as BlobRef)).toEqual([180, 320]);
  expect(await sizeOf(named("av1.mp4").thumbnail as BlobRef)).toEqual([320, 180]);
  expect(named("other.mov")).not.toHaveProperty("thumbnail");
  expect(job.progress.files.flatMap(({ reasons }) => reasons)).toMatchObject([
    { reason: "no thumbnail can be created for a video in this codec", count: 0, failed: false },
  ]);
});
