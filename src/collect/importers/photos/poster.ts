// Extracts a still picture from a video without a video decoder: its cover, or its first frame as a picture file.
import { boxesIn, boxIn, boxOf } from "../../media-boxes.ts";

/** `moov` is the metadata box, and `start` is the first bytes of the file. Returns a JPEG, PNG, HEIC or AVIF file. */
export function posterOf(moov: Buffer, start: Buffer): Buffer | undefined {
  return coverOf(moov) ?? firstFrame(moov, start);
}

/** The cover as music programs and cameras store it, a JPEG or PNG. */
function coverOf(moov: Buffer): Buffer | undefined {
  const list = boxIn(boxIn(moov, "udta", "meta")?.subarray(4) ?? Buffer.alloc(0), "ilst");
  const cover = boxIn(list ?? Buffer.alloc(0), "covr", "data")?.subarray(8);
  const isPicture = cover !== undefined && /^(?:\xff\xd8\xff|\x89PNG)/.test(cover.toString("latin1", 0, 4));
  return isPicture ? cover : undefined;
}

/** Codecs whose frames can be wrapped in a picture format, and the box that describes them. */
const PICTURES: Readonly<Record<string, { item: string; config: string; brand: string }>> = {
  hvc1: { item: "hvc1", config: "hvcC", brand: "heic" },
  hev1: { item: "hvc1", config: "hvcC", brand: "heic" },
  av01: { item: "av01", config: "av1C", brand: "avif" },
};
/** Codecs whose frames are complete JPEG files. */
const JPEGS = new Set(["jpeg", "mjpg", "MJPG"]);
/** The size of the fixed part of a sample description. Boxes follow it. */
const DESCRIPTION_BYTES = 78;

function firstFrame(moov: Buffer, start: Buffer): Buffer | undefined {
  for (const { type, body: track } of boxesIn(moov)) {
    const media = type === "trak" ? boxIn(track, "mdia") : undefined;
    if (media === undefined || boxIn(media, "hdlr")?.toString("latin1", 8, 12) !== "vide") continue;
    const table = boxIn(media, "minf", "stbl") ?? Buffer.alloc(0);
    const [described] = boxesIn(boxIn(table, "stsd")?.subarray(8) ?? Buffer.alloc(0));
    const frame = firstSample(table, start);
    if (described === undefined || frame === undefined) return undefined;
    if (JPEGS.has(described.type)) return frame;
    const kind = PICTURES[described.type];
    const config = kind && boxIn(described.body.subarray(DESCRIPTION_BYTES), kind.config);
    if (kind === undefined || config === undefined) return undefined;
    return pictureFile(kind, {
      config,
      width: described.body.readUInt16BE(24),
      height: described.body.readUInt16BE(26),
      turns: turnsOf(boxIn(track, "tkhd")),
      frame,
    });
  }
  return undefined;
}

/**
 * Returns undefined if the video does not start with a key frame, because only a key frame can be decoded on its own.
 */
function firstSample(table: Buffer, start: Buffer): Buffer | undefined {
  const keys = boxIn(table, "stss");
  if (keys !== undefined && (keys.length < 12 || keys.readUInt32BE(8) !== 1)) return undefined;
  const [sizes, short, long] = ["stsz", "stco", "co64"].map((type) => boxIn(table, type));
  if (sizes === undefined || sizes.length < 12) return undefined;
  const same = sizes.readUInt32BE(4);
  const size = same !== 0 ? same : sizes.length < 16 ? 0 : sizes.readUInt32BE(12);
  const at =
    short !== undefined && short.length >= 12
      ? short.readUInt32BE(8)
      : long !== undefined && long.length >= 16
        ? Number(long.readBigUInt64BE(8))
        : undefined;
  return at === undefined || size === 0 || at + size > start.length ? undefined : start.subarray(at, at + size);
}

/** Counterclockwise quarter turns, from the track's matrix. */
function turnsOf(head: Buffer | undefined): number {
  const matrix = head?.subarray(head[0] === 1 ? 52 : 40);
  if (matrix === undefined || matrix.length < 20) return 0;
  const [a, b] = [Math.sign(matrix.readInt32BE(0)), Math.sign(matrix.readInt32BE(4))];
  return a === 0 ? (b > 0 ? 3 : b < 0 ? 1 : 0) : a < 0 && b === 0 ? 2 : 0;
}

interface StillFrame {
  config: Buffer;
  width: number;
  height: number;
  turns: number;
  frame: Buffer;
}

/** Writes a HEIF file with one item: its bytes, how they are encoded, its size, and its rotation. */
function pictureFile({ item, config, brand }: (typeof PICTURES)[string], still: StillFrame): Buffer {
  const head = boxOf("ftyp", text(brand), number(0, 4), text("mif1"), text(brand));
  const metaAt = (offset: number): Buffer =>
    boxOf(
      "meta",
      number(0, 4),
      boxOf("hdlr", number(0, 8), text("pict"), Buffer.alloc(13)),
      boxOf("pitm", number(0, 4), number(1, 2)),
      boxOf(
        "iinf",
        number(0, 4),
        number(1, 2),
        boxOf("infe", number(0x0200_0000, 4), number(1, 2), number(0, 2), text(item), number(0, 1)),
      ),
      boxOf(
        "iprp",
        boxOf(
          "ipco",
          boxOf(config, still.config),
          boxOf("ispe", number(0, 4), number(still.width, 4), number(still.height, 4)),
          boxOf("irot", number(still.turns, 1)),
        ),
        // One item with three properties, of which the first and the last are essential.
        boxOf("ipma", number(0, 4), number(1, 4), number(1, 2), Buffer.from([3, 0x81, 2, 0x83])),
      ),
      // Four-byte offsets and lengths, for one item in one piece.
      boxOf(
        "iloc",
        number(0, 4),
        Buffer.from([0x44, 0]),
        number(1, 2),
        number(1, 2),
        number(0, 2),
        number(1, 2),
        number(offset, 4),
        number(still.frame.length, 4),
      ),
    );
  const offset = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(offset), boxOf("mdat", still.frame)]);
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");

function number(value: number, bytes: number): Buffer {
  const whole = Buffer.alloc(8);
  whole.writeUInt32BE(value, 4);
  return whole.subarray(8 - bytes);
}
