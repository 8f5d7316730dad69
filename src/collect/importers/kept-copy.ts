// Which of several copies of a thing is taken, told before the first record, so that every run keeps the same one.

interface Copy {
  rank: string;
  entry: number;
  offset: number;
  /** Its entry could be read to the end. */
  isWhole: boolean;
}

/**
 * `rank`: text that is greater for the newer copy. Among equals the first stays. Of an entry that breaks off the run may get
 * less than the survey did: a copy elsewhere is taken before one in it.
 */
export function createKeptCopies() {
  const best = new Map<string, Copy>();
  let held: { key: string; rank: string; entry: number; offset: number }[] = [];
  return {
    note(key: string, rank: string, entry: number, offset: number): void {
      held.push({ key, rank, entry, offset });
    },
    /** The entry is through. */
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
