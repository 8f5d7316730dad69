// Chooses which segments to merge, so that there are few of them and every row is rewritten at most a few times.

export interface SegmentSize {
  rows: number;
  dead: number;
  bytes: number;
}

export interface SegmentLimits {
  rows: number;
  bytes: number;
}

/** Row numbers within a segment fit into 16 bits. A segment with long strings is at most 32 MB. */
export const SEGMENT_LIMITS: SegmentLimits = { rows: 65_536, bytes: 32 * 1024 * 1024 };

/** Fractions of a full segment: about 1 k, 8 k and 32 k rows. Larger segments are not merged. */
const TIERS = [1 / 64, 1 / 8, 1 / 2];
const FANOUT = 8;

/** How much of a full segment the live rows fill. */
function share({ rows, dead, bytes }: SegmentSize, limits: SegmentLimits): number {
  const live = rows - dead;
  return Math.max(live / limits.rows, ((live / rows) * bytes) / limits.bytes);
}

/**
 * Returns a group of segments (by index) to merge now, or undefined. A group of one is rewritten without its dead rows.
 */
export function nextMerge(sizes: readonly SegmentSize[], limits: SegmentLimits): number[] | undefined {
  const mostlyDead = sizes.findIndex(({ rows, dead }) => dead > rows / 2);
  if (mostlyDead >= 0) return [mostlyDead];
  let floor = -1;
  for (const tier of TIERS) {
    const peers = bySize(sizes, limits).filter(([, part]) => part > floor && part <= tier);
    if (peers.length >= FANOUT) return fitting(peers);
    floor = tier;
  }
  return undefined;
}

/** Like nextMerge, but continues until at most one segment is partly filled, so that few blobs are saved. */
export function nextCompaction(sizes: readonly SegmentSize[], limits: SegmentLimits): number[] | undefined {
  const partial = bySize(sizes, limits).filter(([, part]) => part <= 1 / 2);
  return partial.length > 1 ? fitting(partial) : undefined;
}

function bySize(sizes: readonly SegmentSize[], limits: SegmentLimits): [position: number, share: number][] {
  return sizes.map((size, i): [number, number] => [i, share(size, limits)]).sort((a, b) => a[1] - b[1]);
}

/** Takes as many of the smallest as fit into one segment. Two always fit, because none is more than half full. */
function fitting(peers: readonly [number, number][]): number[] {
  const group: number[] = [];
  let total = 0;
  for (const [position, part] of peers) {
    total += part;
    if (total > 1) break;
    group.push(position);
  }
  return group;
}
