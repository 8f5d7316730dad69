// Decides, before the first record is produced, which of several copies is kept, so that every run keeps the same one.

interface Copy {
  rank: string;
  entry: number;
  offset: number;
  /** True if the entry could be read to its end. */
  isWhole: boolean;
}

/**
 * `rank` is text that sorts higher for a newer copy; among equals the first is kept. The run may get less from a
 * truncated entry than the survey did, so a copy in another entry is preferred.
 */
export function createKeptCopies() {
  const best = new Map<string, Copy>();
  let held: { key: string; rank: string; entry: number; offset: number }[] = [];
  return {
    note(key: string, rank: string, entry: number, offset: number): void {
      held.push({ key, rank, entry, offset });
    },
    /** Called when the entry has been read. */
    settle(isWhole: boolean): void {
      for (const { key, ...copy } of held) {
        const known = best.get(key);
        const isBetter =
          known === undefined || (known.isWhole === isWhole ? copy.rank > known.rank : isWhole && !known.isWhole);
        if (isBetter) best.set(key, { ...copy, isWhole });
      }
      held = [];
    },
    isKept(key: string, entry: number, offset: number): boolean {
      const known = best.get(key);
      return known !== undefined && known.entry === entry && known.offset === offset;
    },
  };
}
