// Binary search in anything that is sorted.

/** The first position for which the condition holds, given that it holds for all later ones; `to` if it holds for no position. */
export function firstWhere(from: number, to: number, holds: (position: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of the first value that is not smaller. Without a function per step: searches of records depend on it. */
export function lowerBound<T extends number | bigint>(sorted: ArrayLike<T>, wanted: T): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
