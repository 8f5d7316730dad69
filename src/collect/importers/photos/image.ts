// Reads the format and size of an image from its bytes, without decoding it.

export type ImageType = "image/jpeg" | "image/png" | "image/tiff" | "image/heic" | "image/avif" | "image/webp";

export function imageType(head: Uint8Array): ImageType | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const ascii = (from: number, to: number): string => bytes.toString("latin1", from, to);
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (ascii(0, 4) === "II*\0" || ascii(0, 4) === "MM\0*") return "image/tiff";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return "image/webp";
  if (ascii(4, 8) !== "ftyp") return undefined;
  const brand = ascii(8, 12);
  if (brand === "avif" || brand === "avis") return "image/avif";
  return /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand) ? "image/heic" : undefined;
}

interface Size {
  width: number;
  height: number;
}

/** Returns undefined if the file does not state a size, or states an impossible one. */
export function imageSize(type: ImageType, bytes: Buffer): Size | undefined {
  const size =
    type === "image/jpeg"
      ? jpegSize(bytes)
      : type === "image/png"
        ? pngSize(bytes)
        : type === "image/heic" || type === "image/avif"
          ? boxSize(bytes)
          : undefined;
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Walks the segments one after another, up to the start of frame. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xd9 || marker === 0xda) return undefined;
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isBare ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };

/** The image, its tiles and its preview each have an `ispe` box. The largest one is the image. */
const BOXES_BYTES = 64 * 1024;
function boxSize(bytes: Buffer): Size | undefined {
  const head = bytes.subarray(0, BOXES_BYTES);
  let best: Size | undefined;
  for (let at = head.indexOf("ispe"); at !== -1 && at + 16 <= head.length; at = head.indexOf("ispe", at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) };
    if (best === undefined || size.width * size.height > best.width * best.height) best = size;
  }
  return best;
}
