// Decides before the first record which of several copies is kept, so that every run keeps the same one.

interface Copy {
  rank: string;
  entry: number;
  offset: number;
  /** Its entry could be read to the end. */
  isWhole: boolean;
}

/**
 * `rank`: text that is greater for the newer copy. Among equals the first stays. From a truncated entry the run may get
 * less than the survey did, so a copy elsewhere is preferred.
 */
export function createKeptCopies() {
  const best = new Map<string, Copy>();
  let held: { key: string; rank: string; entry: number; offset: number }[] = [];
  return {
    note(key: string, rank: string, entry: number, offset: number): void {
      held.push({ key, rank, entry, offset });
    },
    /** The entry has been read. */
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
