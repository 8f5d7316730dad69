// An entry: a file on disk or inside an archive, read as a stream. Names are for people; formats are detected from the
// content.

export interface Entry {
  /** The path from the given root, with `/` between parts. If several roots were given, the root's name comes first. */
  path: string;
  /** As stated by the archive or the disk. An archive can be wrong. */
  size: number;
  modifiedAt?: number;
  /**
   * With `lent`, a chunk is valid only until the next one is requested, so that a long file is read through the same
   * small buffers.
   */
  open(options?: { lent?: boolean }): AsyncIterable<Uint8Array>;
  /**
   * The digest of the file on disk that contains the entry, or is the entry. It identifies a record's origin whatever
   * the file is called.
   */
  digest?(): Promise<string>;
  /**
   * A file with these bytes, for formats that need random access: the original file, or a copy that lives as long as
   * the run.
   */
  file(): Promise<string>;
}

/** Reads the whole entry, and throws if it is larger than `limit`. Meant for formats whose files are small. */
export async function wholeEntry(entry: Entry, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of entry.open()) {
    size += part.byteLength;
    if (size > limit) throw new RangeError(`${entry.path} is larger than ${limit} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

export async function headOf(entry: Entry, bytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of entry.open()) {
    parts.push(part);
    size += part.byteLength;
    if (size >= bytes) break;
  }
  return Buffer.concat(parts, size).subarray(0, bytes);
}

export interface Line {
  bytes: Buffer;
  /** The offset of the line's first byte. */
  offset: number;
}

/** Only the beginning of longer lines is returned, and it is marked as cut. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Yields lines without their line endings, starting at a byte offset. CR LF is one line ending. Memory is bounded by
 * the longest line.
 */
export async function* linesOf(
  entry: Entry,
  from = 0,
  lineBytesMax = LINE_BYTES_MAX,
): AsyncGenerator<Line & { cut: boolean }> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let start = 0;
  let position = 0;
  const take = (end: Buffer): Line & { cut: boolean } => {
    const whole = held.length === 0 ? end : Buffer.concat([...held, end]);
    const cut = heldBytes + end.length > lineBytesMax;
    const trimmed = whole.at(-1) === 13 ? whole.subarray(0, -1) : whole;
    held = [];
    heldBytes = 0;
    return { bytes: cut ? trimmed.subarray(0, lineBytesMax) : trimmed, offset: start, cut };
  };
  for await (const chunk of entry.open()) {
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let begin = 0;
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10, begin)) {
      const line = take(part.subarray(begin, end));
      begin = end + 1;
      start = position + begin;
      if (line.offset >= from) yield line;
    }
    const rest = part.subarray(begin);
    if (heldBytes <= lineBytesMax) held.push(Buffer.from(rest));
    heldBytes += rest.length;
    position += part.length;
  }
  if (heldBytes > 0) {
    const line = take(Buffer.alloc(0));
    if (line.offset >= from) yield line;
  }
}
