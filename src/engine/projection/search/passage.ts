// Identifies a document's matching texts, so that equal passages are shown once.
import { fieldBit } from "./accumulate.ts";
import { CODE_LENGTH } from "./lengths.ts";
import type { SegmentView } from "./scope.ts";

/** Texts with fewer words are names or headings, which many records share without being duplicates. */
export const PASSAGE_WORDS = 5;

/** A number that identifies the document's matching texts, or the document's own number if they are not a passage. */
export function passageOf(view: SegmentView, document: number, state: number): number {
  const { lengths, shift } = view.segment;
  let words = 0;
  for (let field = 0; field < 1 << shift; field++)
    if ((state & fieldBit(field)) !== 0) words += CODE_LENGTH[lengths[(document << shift) | field]!]!;
  return words < PASSAGE_WORDS ? ownPassage(view, document) : textsOf(view, document, state);
}

/** A number that is equal for documents whose matching texts are equal, however short they are. */
export function textsOf(view: SegmentView, document: number, state: number): number {
  const { fingerprints, shift } = view.segment;
  let texts = 0;
  for (let field = 0; field < 1 << shift; field++)
    if ((state & fieldBit(field)) !== 0)
      texts = Math.imul(texts ^ fingerprints[(document << shift) | field]!, 0x01000193);
  return texts >>> 0;
}

export const ownPassage = ({ segment }: SegmentView, document: number): number => -1 - segment.versions[document]!;
