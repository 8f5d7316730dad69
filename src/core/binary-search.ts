// Binary search in any sorted sequence.

/**
 * Returns the first position for which the condition holds, or `to` if it never holds. The condition must hold for all
 * later positions too.
 */
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

/**
 * Returns the index of the first value that is not smaller. It makes no function call per step, because record searches
 * depend on its speed.
 */
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
