// Detects the format of a stored file from its first bytes, because the name and type of an attachment are only the
// sender's claims.
import type { Pictures, TextFormat } from "../sync/text/formats.ts";

/** Scanners write TIFF, screenshots are PNG, and a JPEG is usually a photo. */
const MAGIC: readonly { bytes: RegExp; format: TextFormat; isPhoto?: true }[] = [
  { bytes: /^%PDF-/, format: "pdf" },
  { bytes: /^\x89PNG\r\n\x1a\n/, format: "picture" },
  { bytes: /^(?:II\*\0|MM\0\*)/, format: "picture" },
  { bytes: /^\xff\xd8\xff/, format: "picture", isPhoto: true },
  { bytes: /^RIFF[\s\S]{4}WEBP/, format: "picture", isPhoto: true },
];

/** Returns undefined for formats in which we do not look for text. */
export function attachedFormat(bytes: Uint8Array, pictures: Pictures): TextFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const found = MAGIC.find((one) => one.bytes.test(head));
  return found === undefined || (found.isPhoto && pictures !== "photos") ? undefined : found.format;
}
