// BM25 over all of a record's fields together (BM25F), with the statistics of a Scope. The same input gives the same
// bits: occurrences and scores are whole multiples of small fractions, so their sums are exact in any order.
import { CODE_LENGTH } from "./lengths.ts";
import type { ScopeStatistics } from "./types.ts";

const K1 = 1.2;
const B = 0.75;
/** Another form of a word counts a little less than the word as typed. */
const INFLECTED = 0.9;
/** The resolution of an occurrence, and of a score. */
const OCCURRENCE = 1 << 16;
export const SCALE = 1 << 20;

export function inverseFrequency(units: number, matching: number): number {
  return Math.log(1 + (units - Math.min(units, matching) + 0.5) / (Math.min(units, matching) + 0.5));
}

/** The factor for an occurrence, by the length code of its text, for titles and for other texts. */
export interface Norms {
  titles: Float64Array;
  texts: Float64Array;
}

export function normsOf({ units, words, titles, titleWords }: ScopeStatistics): Norms {
  const texts = norms(words - titleWords, units - titles);
  // If there are no titles, their norms are never used.
  return { titles: titles === 0 ? texts : norms(titleWords, titles), texts };
}

/** Keyed by average length, which is the same for all searches of a Scope until something changes. */
const known = new Map<number, Float64Array>();
const KNOWN = 16;

function norms(words: number, units: number): Float64Array {
  const average = units === 0 ? 1 : words / units;
  let found = known.get(average);
  if (found === undefined) {
    found = CODE_LENGTH.map((length) => 1 / (1 - B + (B * length) / average));
    if (known.size >= KNOWN) known.clear();
    known.set(average, found);
  }
  return found;
}

/** A field with a higher weight is a title, and its length is compared with other titles. */
export const isTitle = (weight: number): boolean => weight > 1;

/** The weight of a word's occurrences in one text. */
export function occurrences(frequency: number, weight: number, norm: number, inflected: boolean): number {
  return Math.max(1, (frequency * weight * norm * (inflected ? INFLECTED : 1) * OCCURRENCE + 0.5) | 0);
}

/** The maximum that a clause adds to a record's score, however often its word occurs. */
export function maxContribution(factor: number): number {
  return Math.ceil(factor * (K1 + 1) * SCALE) + 1;
}

/** The contribution of these occurrences to the record's score. */
export function contribution(factor: number, occurrences: number): number {
  const frequency = occurrences / OCCURRENCE;
  return (((factor * frequency * (K1 + 1)) / (frequency + K1)) * SCALE + 0.5) | 0;
}
