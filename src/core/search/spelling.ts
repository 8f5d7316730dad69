// The edit distance between two words, up to a bound: letters added, dropped, changed or swapped with a neighbour.

/** How many typing errors a word of this length can have and still match. */
export function slipsAllowed(letters: number): number {
  return letters < 4 ? 0 : letters < 7 ? 1 : 2;
}

/** Returns the distance, or `bound + 1` if it is larger. */
export function distanceWithin(one: readonly number[], other: readonly number[], bound: number): number {
  if (Math.abs(one.length - other.length) > bound) return bound + 1;
  let last: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      let cost = Math.min(changed, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, last[j - 2]! + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > bound) return bound + 1;
    last = row;
    row = next;
  }
  return Math.min(row[other.length]!, bound + 1);
}

export function letters(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0)!);
}
