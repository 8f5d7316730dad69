// Scores and counts the hits of a query with a single word, the most common query, in one pass over its postings.
import { fieldBit } from "./accumulate.ts";
import type { ClausePart } from "./clause-entries.ts";
import { type EntryScores, slotOf } from "./entry-scores.ts";
import { EVERY_WORD, type HitSink } from "./hit-sink.ts";
import { passageOf } from "./passage.ts";
import { CODE_FIELD, CODE_FREQUENCY, CODE_OTHER } from "./posting-writer.ts";
import { behindVarint, entriesAt, varintAt } from "./postings.ts";
import { type SegmentView, TESTED, unitVisible } from "./scope.ts";

/**
 * Decodes, scores and counts each entry without first writing a block of entries, which took a quarter longer. No
 * closure captures the local variables, because they would then be in memory and each score a new object.
 */
export function scanTerm(
  view: SegmentView,
  { term, allowed: narrowed }: ClausePart,
  entryScores: EntryScores,
  sink: HitSink,
): void {
  const { streamOf, lengths, shift, postings: bytes, dead } = view.segment;
  const { counts } = sink;
  const { table } = entryScores;
  const open = view.open && narrowed === undefined;
  const allowed = narrowed ?? view.allowed;
  let { at, left } = entriesAt(view.segment, term);
  let document = 0;
  let floor = sink.floor() - EVERY_WORD;
  let last = -1;
  let score = 0;
  let sum = 0;
  let state = 0;
  let all = 0;
  // Neighbours are mostly in the same stream. Adding to its count each time would wait for the previous addition.
  let stream = 0;
  let count = 0;
  for (; left > 0; left--) {
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
    const its = streamOf[document]!;
    if (!open) {
      if (dead[document] !== 0) continue;
      const visibility = allowed[(its << shift) | field]!;
      if (visibility === 0 || (visibility === TESTED && !unitVisible(view, document, field))) continue;
    }
    const length = lengths[(document << shift) | field]!;
    if (document !== last) {
      if (last >= 0 && score >= floor) floor = offerScored(view, last, score, state, sink);
      last = document;
      all++;
      if (its !== stream) {
        counts[stream]! += count;
        count = 0;
        stream = its;
      }
      count++;
      score = table[slotOf(field, frequency, length)]! || entryScores.of(field, frequency, length);
      state = fieldBit(field);
      if (shift > 0) sum = entryScores.occurrences(field, frequency, length);
      continue;
    }
    sum += entryScores.occurrences(field, frequency, length);
    score = entryScores.ofSum(sum);
    state |= fieldBit(field);
  }
  if (last >= 0 && score >= floor) offerScored(view, last, score, state, sink);
  counts[stream]! += count;
  sink.all += all;
}

/** Offers a document that has the only word, and returns the score that the next one needs without `EVERY_WORD`. */
function offerScored(view: SegmentView, document: number, score: number, state: number, sink: HitSink): number {
  sink.offer(document, EVERY_WORD + score, passageOf(view, document, state));
  return sink.floor() - EVERY_WORD;
}
