// Extracts the text of a message whose `text` column is empty, because newer versions of Messages store it only as an
// archived NSAttributedString.

/**
 * In Apple's typedstream format, the string's characters follow this marker, which announces a value of type "+", a
 * byte array.
 */
const MARKER = Buffer.from([0x84, 0x01, 0x2b]);
/** The maximum distance from the class name to its value. A version and a class reference are between them. */
const MARKER_DISTANCE_MAX = 32;

/**
 * Returns undefined if it is not such an archive, or is truncated. The first string in the archive is the text; the
 * rest is formatting.
 */
export function attributedText(archive: Uint8Array): string | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const name = bytes.indexOf("NSString");
  const marker = name === -1 ? -1 : bytes.indexOf(MARKER, name);
  if (marker === -1 || marker - name > MARKER_DISTANCE_MAX) return undefined;
  const length = lengthAt(bytes, marker + MARKER.length);
  if (length === undefined) return undefined;
  const { begin, size } = length;
  return begin + size > bytes.length ? undefined : bytes.toString("utf8", begin, begin + size);
}

/** Lengths are one byte, or a marker byte followed by two or four bytes in little-endian order. */
function lengthAt(bytes: Buffer, at: number): { begin: number; size: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first === 0x81) return at + 3 > bytes.length ? undefined : { begin: at + 3, size: bytes.readUInt16LE(at + 1) };
  if (first === 0x82) return at + 5 > bytes.length ? undefined : { begin: at + 5, size: bytes.readUInt32LE(at + 1) };
  return first < 0x80 ? { begin: at + 1, size: first } : undefined;
}
