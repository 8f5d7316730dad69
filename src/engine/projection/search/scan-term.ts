// The tight loop for one word alone, the most usual search: scores and counts block by block.
import { saturation } from "./bm25.ts";
import { END } from "./cursor.ts";
import type { HitSink, Weights } from "./evaluate.ts";
import { CODE_LENGTH } from "./lengths.ts";
import type { SegmentView } from "./scope.ts";
import type { TermCursor } from "./term-cursor.ts";

/** The same sums in the same order as the general way, without its calls. */
export function scanTerm(view: SegmentView, cursor: TermCursor, weights: Weights, sink: HitSink): void {
  const { streamOf, lengths, shift } = view.segment;
  const fieldWeights = view.weights;
  const { counts } = sink;
  const { table, averageLength } = weights;
  const idf = weights.idf[0]!;
  let floor = sink.floor();
  let document = -1;
  let score = 0;
  for (; cursor.document !== END; cursor.nextBlock()) {
    const { block, width, size } = cursor;
    for (let index = 0; index < size; index++) {
      const here = block[index]!;
      if (here !== document) {
        if (document >= 0) {
          counts[streamOf[document]!]!++;
          if (score >= floor) {
            sink.offer(document, score);
            floor = sink.floor();
          }
        }
        document = here;
        score = 0;
      }
      const field = block[width + index]!;
      const frequency = block[2 * width + index]!;
      const length = lengths[(here << shift) | field]!;
      const slot = (frequency << 8) | length;
      const value = slot < table.length ? table[slot]! : saturation(frequency, CODE_LENGTH[length]!, averageLength);
      score += fieldWeights[(streamOf[here]! << shift) | field]! * (idf * value);
    }
  }
  if (document < 0) return;
  counts[streamOf[document]!]!++;
  if (score >= floor) sink.offer(document, score);
}
