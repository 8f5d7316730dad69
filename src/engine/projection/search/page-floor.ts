// Finds a score that every hit on the first page reaches, before all of a query's words have been scored.
import type { Accumulator } from "./accumulate.ts";
import { textsOf } from "./passage.ts";
import type { SegmentView } from "./scope.ts";

/**
 * The lowest score of the best `limit` documents so far. Further words only add to scores, so a document that stays
 * below it is not on the page. Equal passages are shown once, so equal texts count once: two short ones may become equal
 * passages when a further word is found in another field. Returns -Infinity if there are too few.
 */
export function pageFloor(view: SegmentView, { found, scores, states }: Accumulator, limit: number): number {
  if (limit === 0 || found.length < limit) return Number.NEGATIVE_INFINITY;
  const best: { score: number; texts: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const document of found) {
    const score = scores[document]!;
    if (score <= least) continue;
    const texts = textsOf(view, document, states[document]!);
    const same = best.findIndex((one) => one.texts === texts);
    if (same >= 0 && best[same]!.score >= score) continue;
    if (same >= 0) best.splice(same, 1);
    else if (best.length === limit) best.pop();
    const place = best.findIndex((one) => one.score < score);
    best.splice(place < 0 ? best.length : place, 0, { score, texts });
    if (best.length === limit) least = best[limit - 1]!.score;
  }
  return least;
}
