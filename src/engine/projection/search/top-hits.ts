// Keeps the best hits of a page: by score, then newest, then key, then id. Equal sort keys cannot be: ids differ.
import { compareBytes } from "./byte-pool.ts";
import type { SegmentView } from "./scope.ts";
import type { SearchPosition } from "./types.ts";

export interface HitCandidate {
  /** What the order goes by: the score, or 0 for newest first. */
  order: number;
  score: number;
  /** -Infinity: none. */
  time: number;
  rank: number;
  view: SegmentView;
  document: number;
}

/** The place after which a page begins; `rank` is the key's among the Scope's keys. */
interface After {
  order: number;
  time: number;
  rank: number;
  id: Uint8Array;
}

export class TopHits {
  /** A heap with the worst on top. */
  private heap: HitCandidate[] = [];
  private limit: number;
  private after: After | undefined;
  /** Hits behind the page's beginning that were offered. */
  offered = 0;

  private byScore: boolean;

  constructor(
    limit: number,
    byScore: boolean,
    position: SearchPosition | undefined,
    rankOfKey: (key: string) => number,
  ) {
    this.limit = limit;
    this.byScore = byScore;
    this.after = position && {
      order: byScore ? position.score : 0,
      time: position.time ?? Number.NEGATIVE_INFINITY,
      rank: rankOfKey(position.key),
      id: new TextEncoder().encode(position.id),
    };
  }

  /** Hits with a lower score do not get onto the page. */
  floor(): number {
    if (!this.byScore || this.after !== undefined || this.heap.length < this.limit) return Number.NEGATIVE_INFINITY;
    return this.heap[0]!.score;
  }

  offer(score: number, time: number, rank: number, view: SegmentView, document: number): void {
    const { heap } = this;
    const order = this.byScore ? score : 0;
    const worst = heap.length === this.limit && this.after === undefined ? heap[0] : undefined;
    if (worst !== undefined && (order < worst.order || (order === worst.order && time < worst.time))) return;
    const candidate = { order, score, time, rank, view, document };
    if (this.after && !this.isBehind(candidate, this.after)) return;
    this.offered++;
    if (heap.length < this.limit) {
      heap.push(candidate);
      this.rise(heap.length - 1);
      return;
    }
    if (compare(candidate, heap[0]!) >= 0) return;
    heap[0] = candidate;
    this.sink();
  }

  sorted(): HitCandidate[] {
    return this.heap.toSorted(compare);
  }

  private isBehind(candidate: HitCandidate, after: After): boolean {
    const order =
      after.order - candidate.order || compareTimes(candidate.time, after.time) || candidate.rank - after.rank;
    if (order !== 0) return order > 0;
    const { idPool, idOffsets } = candidate.view.segment;
    const from = idOffsets[candidate.document]!;
    return compareBytes(idPool, from, idOffsets[candidate.document + 1]!, after.id, 0, after.id.length) > 0;
  }

  private rise(from: number): void {
    const { heap } = this;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (compare(heap[at]!, heap[parent]!) <= 0) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  private sink(): void {
    const { heap } = this;
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && compare(heap[child]!, heap[worst]!) > 0) worst = child;
      }
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst]!, heap[at]!];
      at = worst;
    }
  }
}

/** Negative: `one` comes first. */
function compare(one: HitCandidate, other: HitCandidate): number {
  const order = other.order - one.order || compareTimes(one.time, other.time) || one.rank - other.rank;
  if (order !== 0) return order;
  const a = one.view.segment;
  const b = other.view.segment;
  return compareBytes(
    a.idPool,
    a.idOffsets[one.document]!,
    a.idOffsets[one.document + 1]!,
    b.idPool,
    b.idOffsets[other.document]!,
    b.idOffsets[other.document + 1]!,
  );
}

/** Newest first; two absent times are equal, which a subtraction of infinities would not say. */
function compareTimes(one: number, other: number): number {
  return one === other ? 0 : one > other ? -1 : 1;
}
