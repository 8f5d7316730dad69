// How much an archive may expand to: by bytes counted as they arrive, never by its headers (SECURITY row 15).

export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** One entry, unpacked. Larger real ones exist (mail, video); they are read as streams. */
  entryBytes: 64 * 1024 ** 3,
  /** Everything in one given file, including nested archives. */
  totalBytes: 512 * 1024 ** 3,
  /** Text compresses ten to twenty times, logs a hundred times; a zip bomb a thousand times and more. */
  ratio: 300,
  /** Below this size a high ratio is harmless. */
  ratioFromBytes: 64 * 1024 ** 2,
  /** Nested archives. */
  depth: 3,
  /** Copies of entries, for formats that need random access: the total of a run. */
  copyBytes: 64 * 1024 ** 3,
} as const;

export type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_LIMITS]: number };

/** An archive that exceeds a limit; the entries before it are kept. */
export class ArchiveRefused extends Error {}

/** Counts what one file expands to, including nested archives, and stops it in time. */
export interface Meter {
  readonly limits: ArchiveLimits;
  addEntry(): void;
  addBytes(bytes: number): void;
}

/** `packed`: the size of the file on the disk. */
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

/** The bytes of one entry, counted. When it is read again, only what goes beyond the last time counts again. */
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
