// Detects the format of a stored file from its first bytes: names and types of attachments are only claims of their
// sender.
import type { Pictures, TextFormat } from "../sync/text/formats.ts";

/** Scanners write TIFF and screenshots are PNG; a JPEG is usually a photo. */
const MAGIC: readonly { bytes: RegExp; format: TextFormat; isPhoto?: true }[] = [
  { bytes: /^%PDF-/, format: "pdf" },
  { bytes: /^\x89PNG\r\n\x1a\n/, format: "picture" },
  { bytes: /^(?:II\*\0|MM\0\*)/, format: "picture" },
  { bytes: /^\xff\xd8\xff/, format: "picture", isPhoto: true },
  { bytes: /^RIFF[\s\S]{4}WEBP/, format: "picture", isPhoto: true },
];

/** undefined: no text is searched in it. */
export function attachedFormat(bytes: Uint8Array, pictures: Pictures): TextFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  const found = MAGIC.find((one) => one.bytes.test(head));
  return found === undefined || (found.isPhoto && pictures !== "photos") ? undefined : found.format;
}
