// Files that may have a copy, because another file has the same size.
import { TYPE } from "../leaf.ts";
import type { IndexColumns } from "../read/columns.ts";
import { counts } from "../read/find.ts";

/** Smaller duplicates are not worth checking. */
export const DUPLICATE_BYTES_MIN = 4096;

export interface DigestCandidate {
  dir: number;
  number: number;
  size: number;
  time: number;
}

/**
 * Returns the largest files first, because removing their copies saves the most space. A file with several names is
 * read once.
 */
export function filesOfSameSize(columns: IndexColumns, minSize: number): DigestCandidate[] {
  const bySize = new Map<number, number>();
  const isCandidate = (mode: number, size: number): boolean =>
    (mode & TYPE.mask) === TYPE.file && size > 0 && size >= minSize;
  for (const { modes, sizes, count } of columns.blocks) {
    for (let index = 0; index < count; index++)
      if (isCandidate(modes[index]!, sizes[index]!)) bySize.set(sizes[index]!, (bySize.get(sizes[index]!) ?? 0) + 1);
  }
  const found: DigestCandidate[] = [];
  for (const block of columns.blocks) {
    for (let index = 0; index < block.count; index++) {
      const size = block.sizes[index]!;
      if (!isCandidate(block.modes[index]!, size) || bySize.get(size) === 1 || !counts(columns, block, index)) continue;
      found.push({ dir: block.parents[index]!, number: block.numbers[index]!, size, time: block.times[index]! });
    }
  }
  return found.sort((one, other) => other.size - one.size || one.dir - other.dir || one.number - other.number);
}
