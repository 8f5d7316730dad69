// Chooses segments to merge: several of about the same size, or one that is mostly dead.
import { INDEX } from "./limits.ts";

interface Mergeable {
  documents: number;
  live: number;
  bytes: number;
}

/** Returns the segments to merge now, by age, or an empty list. `most` limits the documents of the result. */
export function chooseMerge<T extends Mergeable>(segments: readonly T[], most: number = INDEX.segmentDocuments): T[] {
  const tiers = new Map<number, T[]>();
  for (const segment of segments) {
    if (segment.documents > 64 && segment.live * 2 < segment.documents && segment.live <= most) return [segment];
    const tier = Math.floor(Math.log(Math.max(1, segment.live)) / Math.log(INDEX.tier));
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment]);
  }
  for (const [, tier] of [...tiers].sort(([one], [other]) => one - other)) {
    if (tier.length < INDEX.tier) continue;
    const chosen = fitting(tier, most);
    if (chosen.length > 1) return chosen;
  }
  return [];
}

function fitting<T extends Mergeable>(tier: readonly T[], most: number): T[] {
  const chosen: T[] = [];
  let documents = 0;
  let bytes = 0;
  for (const segment of tier) {
    if (documents + segment.live > most || bytes + segment.bytes > INDEX.segmentBytes) continue;
    chosen.push(segment);
    documents += segment.live;
    bytes += segment.bytes;
  }
  return chosen;
}
