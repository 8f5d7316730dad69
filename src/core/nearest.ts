// Finds the word that was probably meant: one that contains the typed word, otherwise one within an edit distance of
// two, or less for short words.

export function nearest(typed: string, words: readonly string[]): string | undefined {
  const longer = words.find((word) => word.split("-").includes(typed));
  if (longer !== undefined) return longer;
  const most = typed.length < 4 ? 1 : 2;
  const ranked = words
    .map((word) => ({ word, distance: distance(typed, word) }))
    .filter((candidate) => candidate.distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.word;
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_item, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++)
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (letter === other[at - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
