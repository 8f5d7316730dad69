// Adds up the scores of a segment's documents, clause by clause: one tight pass over the postings of each term.
import { contribution, isTitle, type Norms, occurrences } from "./bm25.ts";
import type { ClauseEntries, ClausePart } from "./clause-entries.ts";
import { INDEX } from "./limits.ts";
import { CODE_FIELD, CODE_FREQUENCY, CODE_OTHER } from "./posting-writer.ts";
import { type SegmentView, TESTED, unitVisible } from "./scope.ts";

/** What a clause counts as: a word, something that must match, or only a reason to rank higher. */
export type ClauseRole = "word" | "required" | "related";

/** Sums by document. One is enough for all searches: each leaves it as it was. */
export class Accumulator {
  readonly scores = new Float64Array(INDEX.segmentDocuments);
  /** Clauses that match, and those that must. */
  readonly words = new Uint8Array(INDEX.segmentDocuments);
  readonly required = new Uint8Array(INDEX.segmentDocuments);
  /** Fields that a word or something required matched, as bits; the last stands for all beyond. */
  readonly fields = new Uint32Array(INDEX.segmentDocuments);
  /** Occurrences of the clause at hand, and the documents that have any. */
  private readonly found = new Float64Array(INDEX.segmentDocuments);
  private readonly finders = new Uint32Array(INDEX.segmentDocuments);
  private size = 0;
  private readonly touched = new Uint32Array(INDEX.segmentDocuments);
  private count = 0;

  /** Adds a clause to the scores of the documents that have it. */
  clause(view: SegmentView, { parts }: ClauseEntries, factor: number, norms: Norms, role: ClauseRole): void {
    for (const part of parts) this.part(view, part, norms, role === "related" ? 0 : 1);
    const { scores, words, required, found, finders, touched } = this;
    for (let at = 0; at < this.size; at++) {
      const document = finders[at]!;
      const value = contribution(factor, found[document]!);
      found[document] = 0;
      const isNew = words[document] === 0 && required[document] === 0;
      if (role === "related") {
        if (!isNew) scores[document]! += value;
        continue;
      }
      scores[document]! += value;
      if (isNew) touched[this.count++] = document;
      if (role === "word") words[document]!++;
      else required[document]!++;
    }
    this.size = 0;
  }

  /** Calls `visit` with each document that has a word or something required, ascending. */
  each(documents: number, visit: (document: number) => void): void {
    const { words, required } = this;
    // Where many are, looking at all is faster than sorting.
    if (this.count > documents >> 4) {
      for (let document = 0; document < documents; document++)
        if (words[document] !== 0 || required[document] !== 0) visit(document);
      return;
    }
    for (const document of this.touched.subarray(0, this.count).sort()) visit(document);
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) {
      const document = this.touched[at]!;
      this.scores[document] = this.words[document] = this.required[document] = this.fields[document] = 0;
    }
    this.count = 0;
  }

  private part(view: SegmentView, part: ClausePart, norms: Norms, proof: 0 | 1): void {
    const { streamOf, lengths, shift, postings: bytes, postingOffsets, dead } = view.segment;
    const { weights, weightsAgree } = view;
    const { found, finders, fields } = this;
    const { inflected } = part;
    const add = (document: number, field: number, frequency: number): void => {
      const weight = weights[weightsAgree ? field : (streamOf[document]! << shift) | field]!;
      const norm = (isTitle(weight) ? norms.titles : norms.texts)[lengths[(document << shift) | field]!]!;
      fields[document]! |= proof << (field > 31 ? 31 : field);
      const before = found[document]!;
      if (before === 0) finders[this.size++] = document;
      found[document] = before + occurrences(frequency, weight, norm, inflected);
    };
    if (part.list) {
      const { units, frequencies } = part.list;
      const mask = (1 << shift) - 1;
      for (let at = 0; at < units.length; at++) add(units[at]! >>> shift, units[at]! & mask, frequencies[at]!);
      return;
    }
    const allowed = part.allowed ?? view.allowed;
    const open = view.open && part.allowed === undefined;
    let at = postingOffsets[part.term]!;
    const entries = varintAt(bytes, at);
    at = behindVarint(bytes, behindVarint(bytes, at));
    if (entries > INDEX.skip) at = behindVarint(bytes, at);
    let document = 0;
    for (let left = entries; left > 0; left--) {
      let value = bytes[at++]!;
      if (value > 127) {
        let more = bytes[at++]!;
        value = (value & 127) | ((more & 127) << 7);
        for (let bits = 14; more > 127; bits += 7) {
          more = bytes[at++]!;
          value |= (more & 127) << bits;
        }
      }
      document += value >>> 3;
      const code = value & 7;
      let field = CODE_FIELD[code]!;
      let frequency = CODE_FREQUENCY[code]!;
      if (code === CODE_OTHER) {
        field = varintAt(bytes, at);
        at = behindVarint(bytes, at);
        frequency = varintAt(bytes, at);
        at = behindVarint(bytes, at);
      }
      if (!open) {
        if (dead[document] !== 0) continue;
        const state = allowed[(streamOf[document]! << shift) | field]!;
        if (state === 0 || (state === TESTED && !unitVisible(view, document, field))) continue;
      }
      add(document, field, frequency);
    }
  }
}

// Two functions instead of one closure: a captured `at` would live in memory, not in a register.
function varintAt(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (let at = from, bits = 0; ; at++, bits += 7) {
    const byte = bytes[at]!;
    value |= (byte & 127) << bits;
    if (byte < 128) return value;
  }
}

function behindVarint(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! > 127) at++;
  return at + 1;
}
