// Limits on what an archive may expand to. Bytes are counted as they arrive; headers are never trusted (SECURITY row
// 15).

export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** One entry, unpacked. Real entries (mail, video) can be large, and they are read as streams. */
  entryBytes: 64 * 1024 ** 3,
  /** Everything in one input file, including nested archives. */
  totalBytes: 512 * 1024 ** 3,
  /**
   * Text compresses by a factor of ten to twenty and logs by a hundred; a zip bomb compresses by a thousand or more.
   */
  ratio: 300,
  /** Below this size a high ratio is harmless. */
  ratioFromBytes: 64 * 1024 ** 2,
  /** How deeply archives can be nested. */
  depth: 3,
  /** The maximum total size, per run, of the entries that are copied to disk for formats that need random access. */
  copyBytes: 64 * 1024 ** 3,
} as const;

export type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_LIMITS]: number };

/** Thrown if an archive exceeds a limit. The entries before that point are kept. */
export class ArchiveRefused extends Error {}

/** Counts how many bytes one file expands to, including nested archives, and stops before a limit is exceeded. */
export interface Meter {
  readonly limits: ArchiveLimits;
  addEntry(): void;
  addBytes(bytes: number): void;
}

/** `packed` is the file's size on disk. */
export function unfoldMeter(packed: number, limits: ArchiveLimits): Meter {
  let entries = 0;
  let total = 0;
  return {
    limits,
    addEntry() {
      if (++entries > limits.entries) throw new ArchiveRefused(`it has more than ${limits.entries} entries`);
    },
    addBytes(bytes) {
      total += bytes;
      if (total > limits.totalBytes) throw new ArchiveRefused(`it unpacks to more than ${limits.totalBytes} bytes`);
      // Many small bombs add up to a large one.
      if (total > limits.ratioFromBytes && total > packed * limits.ratio)
        throw new ArchiveRefused(`it unpacks to more than ${limits.ratio} times its size`);
    },
  };
}

/** Counts the bytes of one entry. If the entry is read again, only bytes beyond the previous read are counted. */
export function watcher(
  path: string,
  packed: number,
  meter: Meter,
): (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  const { limits } = meter;
  let most = 0;
  return async function* watched(bytes) {
    let size = 0;
    for await (const part of bytes) {
      size += part.byteLength;
      if (size > most) {
        meter.addBytes(size - most);
        most = size;
      }
      if (size > limits.entryBytes) throw new ArchiveRefused(`${path} unpacks to more than ${limits.entryBytes} bytes`);
      if (size > limits.ratioFromBytes && size > packed * limits.ratio) {
        throw new ArchiveRefused(`${path} unpacks to more than ${limits.ratio} times its size`);
      }
      yield part;
    }
  };
}
