// BM25 over the fields of a record together (BM25F), with the statistics of a Scope. The same numbers in give the same
// bits out: occurrences and scores are whole multiples of small fractions, so their sums are exact in whichever order.
import { CODE_LENGTH } from "./lengths.ts";
import type { ScopeStatistics } from "./types.ts";

const K1 = 1.2;
const B = 0.75;
/** Another form of a word says a little less than the word as typed. */
const INFLECTED = 0.9;
/** Parts of an occurrence, and of a score, that are told apart. */
const OCCURRENCE = 1 << 16;
export const SCALE = 1 << 20;

export function inverseFrequency(units: number, matching: number): number {
  return Math.log(1 + (units - Math.min(units, matching) + 0.5) / (Math.min(units, matching) + 0.5));
}

/** By length code, how much an occurrence counts in a text of that length: for titles and for other texts. */
export interface Norms {
  titles: Float64Array;
  texts: Float64Array;
}

export function normsOf({ units, words, titles, titleWords }: ScopeStatistics): Norms {
  return { titles: norms(titleWords, titles), texts: norms(words - titleWords, units - titles) };
}

function norms(words: number, units: number): Float64Array {
  const average = units === 0 ? 1 : words / units;
  return CODE_LENGTH.map((length) => 1 / (1 - B + (B * length) / average));
}

/** A field that weighs more is a title, and its length is compared with those of titles. */
export const isTitle = (weight: number): boolean => weight > 1;

/** The weight of the occurrences of a word in one text. */
export function occurrences(frequency: number, weight: number, norm: number, inflected: boolean): number {
  return Math.max(1, (frequency * weight * norm * (inflected ? INFLECTED : 1) * OCCURRENCE + 0.5) | 0);
}

/** The maximum that a clause adds to a record's score, however often its word occurs. */
export function mostContribution(factor: number): number {
  return Math.ceil(factor * (K1 + 1) * SCALE) + 1;
}

/** Their part of the record's score. */
export function contribution(factor: number, occurrences: number): number {
  const frequency = occurrences / OCCURRENCE;
  return (((factor * frequency * (K1 + 1)) / (frequency + K1)) * SCALE + 0.5) | 0;
}
