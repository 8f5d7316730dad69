// Computes the union, intersection or difference of selections by merging their sorted entries. Every step takes about
// the same time.
import type { SetEntry } from "./selection-rows.ts";

export type Combine = "union" | "intersection" | "difference";
export const COMBINES: readonly Combine[] = ["union", "intersection", "difference"];

/**
 * Takes one step per distinct node, and yields its entry if it is in the result, otherwise undefined. All selections
 * must be sorted by node.
 */
export function* combined(how: Combine, selections: readonly Iterator<SetEntry>[]): Generator<SetEntry | undefined> {
  const heads = selections.map(next);
  for (;;) {
    const first = heads[0];
    // No later entry can be in the result.
    if (how === "intersection" ? heads.includes(undefined) : how === "difference" && first === undefined) return;
    let least: SetEntry | undefined;
    for (const head of heads) if (head && (least === undefined || head.nodeId < least.nodeId)) least = head;
    if (least === undefined) return;
    const { nodeId } = least;
    let holders = 0;
    for (let at = 0; at < heads.length; at++) {
      if (heads[at]?.nodeId !== nodeId) continue;
      holders++;
      heads[at] = next(selections[at]!);
    }
    const isInFirst = least === first;
    const isFound =
      how === "union" || (how === "intersection" ? holders === selections.length : isInFirst && holders === 1);
    yield isFound ? least : undefined;
  }
}

function next(selection: Iterator<SetEntry>): SetEntry | undefined {
  const { done, value } = selection.next();
  return done ? undefined : value;
}
