// A set of numbers for which only the size is needed: an array that is sorted and deduplicated when full. It takes 8 to
// 16 bytes per number.

export interface NumberSet {
  values: Float64Array;
  length: number;
}

const SMALLEST = 16;

export function emptyNumbers(): NumberSet {
  return { values: new Float64Array(SMALLEST), length: 0 };
}

export function addNumber(set: NumberSet, value: number): void {
  // Runs of equal values are common in sorted data and cost nothing here.
  if (set.length > 0 && set.values[set.length - 1] === value) return;
  if (set.length === set.values.length) makeRoom(set);
  set.values[set.length++] = value;
}

export function countNumbers(set: NumberSet): number {
  thin(set);
  return set.length;
}

function makeRoom(set: NumberSet): void {
  thin(set);
  if (set.length <= set.values.length / 2) return;
  const larger = new Float64Array(set.values.length * 2);
  larger.set(set.values);
  set.values = larger;
}

function thin(set: NumberSet): void {
  const sorted = set.values.subarray(0, set.length).sort();
  let kept = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i]!;
  set.length = kept;
}
