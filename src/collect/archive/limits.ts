// How much an archive may unfold to: by bytes counted as they come, never by what its headers say (SECURITY row 15).

export const ARCHIVE_LIMITS = {
  entries: 1_000_000,
  /** One entry, unfolded. Larger real ones exist (mail, video); they are read as streams. */
  entryBytes: 64 * 1024 ** 3,
  totalBytes: 512 * 1024 ** 3,
  /** Text compresses ten to twenty times, logs a hundred; a bomb a thousand and more. */
  ratio: 300,
  /** Below this a high ratio harms nobody. */
  ratioFromBytes: 64 * 1024 ** 2,
  /** Archives in archives in archives. */
  depth: 3,
  /** A copy of an entry for a format that jumps about. */
  copyBytes: 8 * 1024 ** 3,
} as const;

export type ArchiveLimits = { readonly [Name in keyof typeof ARCHIVE_LIMITS]: number };

/** An archive that asks for too much; whatever came before it stands. */
export class ArchiveRefused extends Error {}

/** Counts what unfolds from one archive and stops it in time. */
export interface Meter {
  add(bytes: number): void;
}

export function totalMeter(limits: ArchiveLimits): Meter {
  let total = 0;
  return {
    add(bytes) {
      total += bytes;
      if (total > limits.totalBytes) throw new ArchiveRefused(`it unfolds to more than ${limits.totalBytes} bytes`);
    },
  };
}

/** The bytes of one entry, watched. */
export async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  { path, packed }: { path: string; packed: number },
  total: Meter,
  limits: ArchiveLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of bytes) {
    size += part.byteLength;
    total.add(part.byteLength);
    if (size > limits.entryBytes) throw new ArchiveRefused(`${path} unfolds to more than ${limits.entryBytes} bytes`);
    if (size > limits.ratioFromBytes && size > packed * limits.ratio) {
      throw new ArchiveRefused(`${path} unfolds to more than ${limits.ratio} times its size`);
    }
    yield part;
  }
}
