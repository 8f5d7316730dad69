// Adds up the scores of a segment's documents, clause by clause, in one tight pass over each term's postings.
import { contribution, isTitle, type Norms, occurrences } from "./bm25.ts";
import type { ClauseEntries, ClausePart } from "./clause-entries.ts";
import { EntryReader } from "./entry-reader.ts";
import { EntryScores, slotOf, TABLE_FROM } from "./entry-scores.ts";
import { INDEX } from "./limits.ts";
import type { SegmentView } from "./scope.ts";

/** A clause's role: a word, a condition that must match, or something that only affects ranking. */
export type ClauseRole = "word" | "required" | "related";

/** A document's state is a single number: the words found, the required clauses found, and the fields they are in. */
const STEPS: Record<ClauseRole, number> = { word: 1, required: 1 << 8, related: 0 };
const FIELDS_SHIFT = 16;
const LAST_FIELD = 15;
/** The state of a document that is a hit but cannot reach the page. It is counted but not scored. */
const COUNTED = 1 << 15;

export const wordsFound = (state: number): number => state & 255;
export const requiredFound = (state: number): number => (state >>> 8) & 255;
/** The bit for a field. All further fields share the last bit. */
export const fieldBit = (field: number): number => 1 << (FIELDS_SHIFT + (field > LAST_FIELD ? LAST_FIELD : field));

/** Sums by document. One accumulator is enough for all searches, because each search resets it. */
export class Accumulator {
  readonly scores = new Float64Array(INDEX.segmentDocuments);
  readonly states = new Uint32Array(INDEX.segmentDocuments);
  /** Occurrences of the current clause, and the documents that contain any. */
  private readonly occurring = new Float64Array(INDEX.segmentDocuments);
  private readonly finders = new Uint32Array(INDEX.segmentDocuments);
  private size = 0;
  private readonly touched = new Uint32Array(INDEX.segmentDocuments);
  private count = 0;
  /** True if some documents are only counted. */
  private counted = false;

  /**
   * Adds a clause to the scores of the documents that match it. With `counts`, documents that no earlier clause matched
   * are only counted there, by stream. `isLast` means that no other word follows.
   */
  clause(
    view: SegmentView,
    entries: ClauseEntries,
    {
      factor,
      norms,
      role,
      counts,
      isLast,
    }: { factor: number; norms: Norms; role: ClauseRole; counts?: Uint32Array | undefined; isLast: boolean },
  ): void {
    const step = STEPS[role];
    const [only, ...others] = entries.parts;
    if (only && others.length === 0 && !only.list && only.count >= TABLE_FROM && view.weightsAgree) {
      const entryScores = new EntryScores(view, factor, norms, only);
      if (counts) this.countTerm(view, only, entryScores, step, counts, isLast);
      else this.term(view, only, entryScores, step);
      return;
    }
    if (counts) this.counted = true;
    for (const part of entries.parts) this.part(view, part, norms, step, counts);
    const { scores, states, occurring, finders } = this;
    for (let at = 0; at < this.size; at++) {
      const document = finders[at]!;
      const value = contribution(factor, occurring[document]!);
      occurring[document] = 0;
      // A clause that only affects ranking does not make a document a hit.
      if (states[document] === 0 || states[document] === COUNTED) continue;
      scores[document]! += value;
      states[document]! += step;
    }
    this.size = 0;
  }

  /** The documents that have a word or a required clause, without those that were merely counted. */
  get found(): Uint32Array {
    return this.touched.subarray(0, this.count);
  }

  /**
   * Returns the documents that have a word or a required clause, in ascending order. Documents that were merely counted
   * are omitted.
   */
  touchedIn(documents: number): Uint32Array {
    const { states, touched } = this;
    // Documents that one clause added are already in order.
    let at = 1;
    while (at < this.count && touched[at - 1]! < touched[at]!) at++;
    if (at >= this.count) return touched.subarray(0, this.count);
    // If there are many, scanning all documents is faster than sorting.
    if (this.count < documents >> 4) return touched.subarray(0, this.count).sort();
    let count = 0;
    for (let document = 0; document < documents; document++)
      if (states[document] !== 0 && states[document] !== COUNTED) touched[count++] = document;
    return touched.subarray(0, count);
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) {
      const document = this.touched[at]!;
      this.scores[document] = this.states[document] = 0;
    }
    if (this.counted) this.states.fill(0);
    this.counted = false;
    this.count = 0;
  }

  /** Adds a clause that matches the postings of only one term. */
  private term(view: SegmentView, { term, allowed }: ClausePart, entryScores: EntryScores, step: number): void {
    const { lengths, shift } = view.segment;
    const { scores, states, touched } = this;
    const { table } = entryScores;
    const reader = new EntryReader(view, term, allowed);
    const { documents, fields, frequencies } = reader;
    let { count } = this;
    let last = -1;
    let value = 0;
    let sum = 0;
    for (let size = reader.fill(); size > 0; size = reader.fill()) {
      for (let at = 0; at < size; at++) {
        const document = documents[at]!;
        const before = states[document]!;
        // A clause that only affects ranking does not make a document a hit.
        if (before === COUNTED || (before === 0 && step === 0)) continue;
        const field = fields[at]!;
        const frequency = frequencies[at]!;
        const length = lengths[(document << shift) | field]!;
        if (document !== last) {
          last = document;
          if (before === 0) touched[count++] = document;
          value = table[slotOf(field, frequency, length)]! || entryScores.of(field, frequency, length);
          if (shift > 0) sum = entryScores.occurrences(field, frequency, length);
          scores[document]! += value;
          if (step !== 0) states[document] = (before | fieldBit(field)) + step;
          continue;
        }
        // Another field of the same document.
        sum += entryScores.occurrences(field, frequency, length);
        const both = entryScores.ofSum(sum);
        scores[document]! += both - value;
        value = both;
        if (step !== 0) states[document] = before | fieldBit(field);
      }
    }
    this.count = count;
  }

  /** Like `term`, but a document that no earlier clause matched is only counted, not scored. */
  private countTerm(
    view: SegmentView,
    { term, allowed }: ClausePart,
    entryScores: EntryScores,
    step: number,
    counts: Uint32Array,
    isLast: boolean,
  ): void {
    const { lengths, shift } = view.segment;
    const { scores, states } = this;
    const { table } = entryScores;
    const reader = new EntryReader(view, term, allowed);
    if (!isLast) this.counted = true;
    let last = -1;
    let value = 0;
    let sum = 0;
    while (reader.nextKnown(states, COUNTED, counts, isLast)) {
      const { document, field, frequency } = reader;
      const length = lengths[(document << shift) | field]!;
      if (document !== last) {
        last = document;
        value = table[slotOf(field, frequency, length)]! || entryScores.of(field, frequency, length);
        if (shift > 0) sum = entryScores.occurrences(field, frequency, length);
        scores[document]! += value;
        states[document] = (states[document]! | fieldBit(field)) + step;
        continue;
      }
      // Another field of the same document.
      sum += entryScores.occurrences(field, frequency, length);
      const both = entryScores.ofSum(sum);
      scores[document]! += both - value;
      value = both;
      states[document]! |= fieldBit(field);
    }
  }

  /** Adds one form's occurrences to those of the current clause. */
  private part(view: SegmentView, part: ClausePart, norms: Norms, step: number, counts: Uint32Array | undefined): void {
    const { streamOf, lengths, shift } = view.segment;
    const { weights, weightsAgree } = view;
    const { occurring, finders, states, touched } = this;
    const { inflected } = part;
    const add = (document: number, field: number, frequency: number): void => {
      const state = states[document]!;
      if (state === COUNTED) return;
      if (state === 0 && counts) {
        states[document] = COUNTED;
        counts[streamOf[document]!]!++;
        return;
      }
      const weight = weights[weightsAgree ? field : (streamOf[document]! << shift) | field]!;
      const norm = (isTitle(weight) ? norms.titles : norms.texts)[lengths[(document << shift) | field]!]!;
      if (step !== 0) {
        if (state === 0) touched[this.count++] = document;
        states[document] = state | fieldBit(field);
      }
      const before = occurring[document]!;
      if (before === 0) finders[this.size++] = document;
      occurring[document] = before + occurrences(frequency, weight, norm, inflected);
    };
    if (part.list) {
      const { units, frequencies } = part.list;
      const mask = (1 << shift) - 1;
      for (let at = 0; at < units.length; at++) add(units[at]! >>> shift, units[at]! & mask, frequencies[at]!);
      return;
    }
    const reader = new EntryReader(view, part.term, part.allowed);
    const { documents, fields, frequencies } = reader;
    for (let size = reader.fill(); size > 0; size = reader.fill())
      for (let at = 0; at < size; at++) add(documents[at]!, fields[at]!, frequencies[at]!);
  }
}
