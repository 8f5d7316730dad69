// Receives the documents that match in a segment, and says which scores can still reach the page.

/** Receives a segment's matching documents. */
export interface HitSink {
  /** The number of matches, by stream. */
  counts: Uint32Array;
  /** The number of documents that match every clause. */
  all: number;
  /** Matches below this score are only counted. The score rises as the page fills. */
  floor(): number;
  /** The number of hits on the page, or 0 if the page does not start with the best hit. */
  firstPageSize: number;
  /** `passage` is equal for documents whose matching texts are equal. */
  offer(document: number, score: number, passage: number): void;
  /** An additional condition on documents. */
  accepts?(document: number): boolean;
}

/** More than the highest possible score of all words in a query, so that records with every word rank first. */
export const EVERY_WORD = 2 ** 45;
