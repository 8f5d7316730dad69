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

/** Hits whose passages are equal: the first of them is shown. */
interface Group {
  passage: number;
  best: HitCandidate;
  others: HitCandidate[];
  count: number;
}

/** Others of a group that are named; beyond, only their number is told. */
const NAMED = 9;
/** Groups that are kept beyond a page before the worst are let go: so many may share a score. */
const SPARE = 5000;
/** Passages that a cursor carries at most. */
const SHOWN = 50;

export class TopHits {
  private groups = new Map<string, Group>();
  private limit: number;
  private after: After | undefined;
  private byScore: boolean;
  private lowest = Number.NEGATIVE_INFINITY;
  /** Groups at which the worst are let go. */
  private most: number;
  /** Passages that earlier pages showed, with the score at which this page begins. */
  private shown: ReadonlySet<string>;
  /** Hits behind the page's beginning that were offered. */
  offered = 0;

  constructor(
    limit: number,
    byScore: boolean,
    position: SearchPosition | undefined,
    rankOfKey: (key: string) => number,
  ) {
    this.limit = limit;
    this.byScore = byScore;
    this.most = 2 * limit;
    this.shown = new Set(position?.shown?.map((passage) => `${position.score} ${passage}`));
    this.after = position && {
      order: byScore ? position.score : 0,
      time: position.time ?? Number.NEGATIVE_INFINITY,
      rank: rankOfKey(position.key),
      id: new TextEncoder().encode(position.id),
    };
  }

  /** Hits with a lower score do not get onto the page. */
  floor(): number {
    return this.lowest;
  }

  /** `passage`: equal for equal texts that matched. */
  offer(candidate: HitCandidate, passage: number): void {
    const { order, view, document } = candidate;
    // By time alone, each record has its own place.
    const key = this.byScore ? `${order} ${passage}` : `${view.segment.versions[document]}`;
    if (this.shown.has(key) || (this.after && !this.isBehind(candidate, this.after))) return;
    this.offered++;
    const group = this.groups.get(key);
    if (group === undefined) {
      this.groups.set(key, { passage, best: candidate, others: [], count: 1 });
      if (this.groups.size > this.most) this.letGo();
      return;
    }
    group.count++;
    const isBetter = compare(candidate, group.best) < 0;
    group.others.push(isBetter ? group.best : candidate);
    if (isBetter) group.best = candidate;
    if (group.others.length > NAMED) group.others = group.others.sort(compare).slice(0, NAMED);
  }

  /** The groups of the page, whether others follow, and what a page behind it must not show again. */
  page(): { groups: Group[]; more: boolean; shown: number[] } {
    const groups = [...this.groups.values()].sort((one, other) => compare(one.best, other.best)).slice(0, this.limit);
    let left = this.offered;
    for (const { others, count } of groups) {
      others.sort(compare);
      left -= count;
    }
    const last = groups.at(-1)?.best.order;
    const earlier = this.after?.order === last ? [...this.shown].map((key) => Number(key.split(" ")[1])) : [];
    const repeated = groups.filter(({ best, count }) => this.byScore && count > 1 && best.order === last);
    return { groups, more: left > 0, shown: [...earlier, ...repeated.map(({ passage }) => passage)].slice(0, SHOWN) };
  }

  /** Keeps a page of groups, and those that share the lowest score: they may still get a newer hit. */
  private letGo(): void {
    const kept = [...this.groups].sort(([, one], [, other]) => compare(one.best, other.best));
    const last = kept[this.limit - 1]![1].best.order;
    if (this.byScore) this.lowest = last;
    kept.splice(this.limit + (this.byScore ? SPARE : 0));
    while (this.byScore && kept.at(-1)![1].best.order < last) kept.pop();
    this.groups = new Map(kept);
    this.most = 2 * Math.max(this.limit, this.groups.size);
  }

  private isBehind(candidate: HitCandidate, after: After): boolean {
    const order =
      after.order - candidate.order || compareTimes(candidate.time, after.time) || candidate.rank - after.rank;
    if (order !== 0) return order > 0;
    const { idPool, idOffsets } = candidate.view.segment;
    const from = idOffsets[candidate.document]!;
    return compareBytes(idPool, from, idOffsets[candidate.document + 1]!, after.id, 0, after.id.length) > 0;
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
