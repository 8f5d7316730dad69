// The text of a message with an empty `text` column: newer versions of Messages store it only as an archived
// NSAttributedString.

/** In Apple's typedstream format the string's characters follow this marker: a value of type "+", which is a byte array. */
const MARKER = Buffer.from([0x84, 0x01, 0x2b]);
/** The distance from the name of the class to its value: a version and a reference to the class. */
const MARKER_DISTANCE_MAX = 32;

/**
 * Undefined: not such an archive, or truncated. The first string of the archive is the text; the rest is formatting.
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

/** One byte, or a marker byte and then two or four in little-endian order. */
function lengthAt(bytes: Buffer, at: number): { begin: number; size: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first === 0x81) return at + 3 > bytes.length ? undefined : { begin: at + 3, size: bytes.readUInt16LE(at + 1) };
  if (first === 0x82) return at + 5 > bytes.length ? undefined : { begin: at + 5, size: bytes.readUInt32LE(at + 1) };
  return first < 0x80 ? { begin: at + 1, size: first } : undefined;
}
