// Reads the numbers in a term's postings. The entries themselves are decoded in the loops of EntryReader, TermCursor and
// scanTerm, which must agree: a shared function would cost a call per entry.
import { INDEX } from "./limits.ts";
import type { SearchSegment } from "./segment.ts";

/** Where a term's entries start, and how many there are. */
export function entriesAt({ postings, postingOffsets }: SearchSegment, term: number): { at: number; left: number } {
  const from = postingOffsets[term]!;
  const left = varintAt(postings, from);
  // The size of the entries follows, and for long lists the offset of their skips.
  const at = behindVarint(postings, behindVarint(postings, from));
  return { at: left > INDEX.skip ? behindVarint(postings, at) : at, left };
}

/** The number of a term's entries, visible or not. */
export const entryCount = ({ postings, postingOffsets }: SearchSegment, term: number): number =>
  varintAt(postings, postingOffsets[term]!);

// Two functions instead of one closure, because a captured `at` would be in memory, not in a register.
export function varintAt(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (let at = from, bits = 0; ; at++, bits += 7) {
    const byte = bytes[at]!;
    value |= (byte & 127) << bits;
    if (byte < 128) return value;
  }
}

export function behindVarint(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! > 127) at++;
  return at + 1;
}
