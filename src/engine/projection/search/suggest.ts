// Other spellings for words that match nothing in the Scope, taken from words that do occur in it.
import { SEARCH } from "../../../core/search/limits.ts";
import { distanceWithin, letters, slipsAllowed } from "../../../core/search/spelling.ts";
import type { SegmentView } from "./scope.ts";
import { TermCursor } from "./term-cursor.ts";

/** A word spelled like a query word that has no matches. */
export interface NearWord {
  term: string;
  distance: number;
}

interface WantedSpelling {
  letters: number[];
  /** Limits on how a near term's bytes may differ: cheap tests before the real one. */
  ascii: boolean;
  bytes: number;
  bytesApart: number;
  bitsApart: number;
  slips: number;
  mask: number;
  /** Each near term's distance and number of visible units. */
  near: Map<string, { distance: number; units: number }>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Checks every term once. Hidden terms must not affect which terms count as near, so the number of terms is not limited.
 */
export class Suggestions {
  private wanted: WantedSpelling[];

  constructor(words: readonly string[]) {
    this.wanted = words
      .map((word) => ({ word, letters: letters(word) }))
      .filter((word) => slipsAllowed(word.letters.length) > 0 && !/\p{N}/u.test(word.word))
      .slice(0, SEARCH.suggestedWords)
      .map((word) => wantedOf(word.word, word.letters));
  }

  visit(view: SegmentView): void {
    if (this.wanted.length === 0) return;
    const { termPool, termOffsets } = view.segment;
    for (let term = 0; term + 1 < termOffsets.length; term++) {
      const from = termOffsets[term]!;
      const to = termOffsets[term + 1]!;
      for (const wanted of this.wanted) {
        if (Math.abs(to - from - wanted.bytes) > wanted.bytesApart) continue;
        if (bitCount(maskOf(termPool, from, to) ^ wanted.mask) > wanted.bitsApart) continue;
        const text = decoder.decode(termPool.subarray(from, to));
        if (wanted.ascii && text.length !== to - from) continue;
        const distance = distanceWithin(wanted.letters, letters(text), wanted.slips);
        if (distance === 0 || distance > wanted.slips) continue;
        const units = new TermCursor(view, term).count();
        const known = wanted.near.get(text)?.units ?? 0;
        if (units > 0) wanted.near.set(text, { distance, units: known + units });
      }
    }
  }

  /** Nearest first, then most used. */
  best(): NearWord[] {
    const ranked = this.wanted.flatMap(({ near }) => [...near]);
    ranked.sort(
      ([a, one], [b, other]) =>
        one.distance - other.distance || other.units - one.units || (a < b ? -1 : a > b ? 1 : 0),
    );
    const words = new Map<string, NearWord>();
    for (const [term, { distance }] of ranked) if (!words.has(term)) words.set(term, { term, distance });
    return [...words.values()].slice(0, SEARCH.suggestions);
  }
}

/**
 * Words near an ASCII word are ASCII too, because accents are folded. In other scripts, a letter has up to four bytes.
 */
function wantedOf(word: string, itsLetters: number[]): WantedSpelling {
  const bytes = encoder.encode(word);
  const slips = slipsAllowed(itsLetters.length);
  const ascii = bytes.length === itsLetters.length;
  return {
    letters: itsLetters,
    ascii,
    bytes: bytes.length,
    bytesApart: ascii ? slips : slips * 4,
    bitsApart: ascii ? slips * 2 : slips * 8,
    slips,
    mask: maskOf(bytes, 0, bytes.length),
    near: new Map(),
  };
}

/** The bytes that occur, folded to 32 bits. A slip changes at most the bytes of two letters. */
function maskOf(bytes: Uint8Array, from: number, to: number): number {
  let mask = 0;
  for (let at = from; at < to; at++) mask |= 1 << (bytes[at]! & 31);
  return mask;
}

function bitCount(bits: number): number {
  let rest = bits;
  let count = 0;
  for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}
