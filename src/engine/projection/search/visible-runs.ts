// Finds where a narrow Scope's documents are in a segment, so that postings elsewhere are skipped instead of tested.
import { INDEX } from "./limits.ts";
import type { SearchSegment } from "./segment.ts";

/** A Scope that may see more than this share of a segment reads all of it, because skipping would not pay off. */
const NARROW = 1 / 8;

/**
 * Returns ascending ranges `[from, to)` of documents. No document outside them is visible. Undefined if the Scope is
 * not narrow here. `shown` says for each stream whether any of its documents may be visible.
 */
export function visibleRuns(
  { streamOf, documents }: Pick<SearchSegment, "streamOf" | "documents">,
  shown: Uint8Array,
): Uint32Array | undefined {
  if (!shown.includes(0)) return undefined;
  const runs: number[] = [];
  let visible = 0;
  for (let document = 0; document < documents; document++) {
    if (shown[streamOf[document]!] === 0) continue;
    if (++visible > documents * NARROW) return undefined;
    // A block of postings spans at least this many documents, so skipping a smaller gap never saves a block.
    if (runs.length > 0 && document - runs.at(-1)! < INDEX.skip) runs[runs.length - 1] = document + 1;
    else runs.push(document, document + 1);
  }
  return Uint32Array.from(runs);
}
