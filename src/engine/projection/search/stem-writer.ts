// Collects which terms of a segment share a stem, so that a word finds its other forms without a second set of
// postings.
import { findStem, stemHash } from "../../../core/search/stems.ts";
import { GrowingNumbers } from "./growing.ts";

export class StemWriter {
  private hashes = new GrowingNumbers();
  private terms = new GrowingNumbers();

  /** `hash` is the hash of the stem and its language. */
  add(hash: number, term: number): void {
    this.hashes.push(hash);
    this.terms.push(term);
  }

  /** Adds a term's stems in the languages (as bits) of the texts that contain it. */
  addForms(term: number, word: string, languages: number): void {
    for (let rest = languages; rest !== 0; rest &= rest - 1) {
      const language = 31 - Math.clz32(rest & -rest);
      const stem = findStem(language, word);
      // A term that is its own stem is found directly.
      if (stem !== undefined && stem !== word) this.add(stemHash(language, stem), term);
    }
  }

  /** Sorted by ascending hash, without duplicates. */
  finish(): { stemHashes: Uint32Array; stemTerms: Uint32Array } {
    const { length } = this.hashes;
    // Combined into one number, which sorts natively: the hash in the upper half, the term in the lower.
    const halves = new Uint32Array(length * 2);
    for (let at = 0; at < length; at++) {
      halves[at * 2] = this.terms.values[at]!;
      halves[at * 2 + 1] = this.hashes.values[at]!;
    }
    new BigUint64Array(halves.buffer).sort();
    const stemHashes = new GrowingNumbers(Math.max(1, length));
    const stemTerms = new GrowingNumbers(Math.max(1, length));
    for (let at = 0; at < halves.length; at += 2) {
      if (at > 0 && halves[at] === halves[at - 2] && halves[at + 1] === halves[at - 1]) continue;
      stemTerms.push(halves[at]!);
      stemHashes.push(halves[at + 1]!);
    }
    return { stemHashes: stemHashes.trimmed(), stemTerms: stemTerms.trimmed() };
  }
}
