// Identifies a document's matching texts, so that equal passages are shown once.
import { fieldBit } from "./accumulate.ts";
import { CODE_LENGTH } from "./lengths.ts";
import type { SegmentView } from "./scope.ts";

/** Texts with fewer words are names or headings, which many records share without being duplicates. */
export const PASSAGE_WORDS = 5;

/** A number that identifies the document's matching texts, or the document's own number if they are not a passage. */
export function passageOf(view: SegmentView, document: number, state: number): number {
  const { fingerprints, lengths, shift } = view.segment;
  let passage = 0;
  let words = 0;
  for (let field = 0; field < 1 << shift; field++) {
    if ((state & fieldBit(field)) === 0) continue;
    const unit = (document << shift) | field;
    words += CODE_LENGTH[lengths[unit]!]!;
    passage = Math.imul(passage ^ fingerprints[unit]!, 0x01000193);
  }
  return words < PASSAGE_WORDS ? ownPassage(view, document) : passage >>> 0;
}

export const ownPassage = ({ segment }: SegmentView, document: number): number => -1 - segment.versions[document]!;
