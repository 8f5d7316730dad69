// Which of several copies of a thing is taken, told before the first record, so that every run keeps the same one.

interface Copy {
  rank: string;
  entry: number;
  offset: number;
}

/** `rank`: text that is greater for the newer copy. Among equals the first stays. */
export function createKeptCopies() {
  const best = new Map<string, Copy>();
  return {
    note(key: string, rank: string, entry: number, offset: number): void {
      const known = best.get(key);
      if (known === undefined || rank > known.rank) best.set(key, { rank, entry, offset });
    },
    isKept(key: string, entry: number, offset: number): boolean {
      const known = best.get(key);
      return known !== undefined && known.entry === entry && known.offset === offset;
    },
  };
}
