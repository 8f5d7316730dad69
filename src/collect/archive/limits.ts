// How much an archive may unfold to: by bytes counted as they come, never by what its headers say (SECURITY row 15).

export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** One entry, unfolded. Larger real ones exist (mail, video); they are read as streams. */
  entryBytes: 64 * 1024 ** 3,
  /** All that is in one file that was given, archives in it included. */
  totalBytes: 512 * 1024 ** 3,
  /** Text compresses ten to twenty times, logs a hundred; a bomb a thousand and more. */
  ratio: 300,
  /** Below this a high ratio harms nobody. */
  ratioFromBytes: 64 * 1024 ** 2,
  /** Archives in archives in archives. */
  depth: 3,
  /** Copies of entries, for formats that jump about: all of a run together. */
  copyBytes: 64 * 1024 ** 3,
} as const;

export type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_LIMITS]: number };

/** An archive that asks for too much; whatever came before it stands. */
export class ArchiveRefused extends Error {}

/** Counts what unfolds from one file, archives in archives included, and stops it in time. */
export interface Meter {
  readonly limits: ArchiveLimits;
  addEntry(): void;
  addBytes(bytes: number): void;
}

/** `packed`: how large the file is on the disk. */
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
      if (total > limits.totalBytes) throw new ArchiveRefused(`it unfolds to more than ${limits.totalBytes} bytes`);
      // Many small bombs are a large one.
      if (total > limits.ratioFromBytes && total > packed * limits.ratio)
        throw new ArchiveRefused(`it unfolds to more than ${limits.ratio} times its size`);
    },
  };
}

/** The bytes of one entry, watched. Read again, only what goes beyond the last time counts again. */
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
      if (size > limits.entryBytes) throw new ArchiveRefused(`${path} unfolds to more than ${limits.entryBytes} bytes`);
      if (size > limits.ratioFromBytes && size > packed * limits.ratio) {
        throw new ArchiveRefused(`${path} unfolds to more than ${limits.ratio} times its size`);
      }
      yield part;
    }
  };
}
