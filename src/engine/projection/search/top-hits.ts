// Keeps the best hits for a page: by score, then newest, then key, then id. Sort keys are never equal, because ids
// differ.
import { compareBytes } from "./byte-pool.ts";
import { type SegmentView, visibleTime } from "./scope.ts";
import type { SearchPosition } from "./types.ts";

export interface HitCandidate {
  /** The sort key: the score, or 0 for newest first. */
  order: number;
  score: number;
  /** -Infinity if there is no time. */
  time: number;
  rank: number;
  view: SegmentView;
  document: number;
}

export function candidateOf(view: SegmentView, document: number, score: number, order = score): HitCandidate {
  const shown = visibleTime(view, document);
  const time = Number.isNaN(shown) ? Number.NEGATIVE_INFINITY : shown;
  return { order, score, time, rank: view.keyRanks[view.segment.streamOf[document]!]!, view, document };
}

/** The position after which a page starts. `rank` is the key's rank among the Scope's keys. */
interface After {
  order: number;
  time: number;
  rank: number;
  id: Uint8Array;
}

/** Hits with equal passages, of which the first is shown. */
interface Group {
  key: string;
  passage: number;
  best: HitCandidate;
  others: HitCandidate[];
  count: number;
}

interface Offer {
  candidate: HitCandidate;
  passage: number;
  /** How many further hits of the same group are counted but not listed. */
  unnamed?: number;
}

/** How many other hits of a group are listed. Further ones are only counted. */
const NAMED = 9;
/** How many hits are set aside before the irrelevant ones are dropped. */
const ASIDE = 4096;
/** The maximum number of passages in a cursor. */
const SHOWN = 50;

export class TopHits {
  /** The page's groups so far, best first, and the groups by key. */
  private page: Group[] = [];
  private groups = new Map<string, Group>();
  private passages = new Set<number>();
  /**
   * Hits that sort after the page but have the same score as a hit on it. Their passages may still get onto the page
   * with a newer hit.
   */
  private aside: Offer[] = [];
  private asideMost = ASIDE;
  private limit: number;
  private after: After | undefined;
  private byScore: boolean;
  private lowest = Number.NEGATIVE_INFINITY;
  /** Passages that earlier pages showed, with the score at which this page starts. */
  private shown: ReadonlySet<string>;
  /** The number of offered hits that belong on this page or a later one. */
  private offered = 0;

  constructor(
    limit: number,
    byScore: boolean,
    position: SearchPosition | undefined,
    rankOfKey: (key: string) => number,
  ) {
    this.limit = limit;
    this.byScore = byScore;
    this.shown = new Set(position?.shown?.map((passage) => `${position.score} ${passage}`));
    this.after = position && {
      order: byScore ? position.score : 0,
      time: position.time ?? Number.NEGATIVE_INFINITY,
      rank: rankOfKey(position.key),
      id: new TextEncoder().encode(position.id),
    };
  }

  /** Hits with a lower score cannot be on the page. */
  floor(): number {
    return this.lowest;
  }

  /** `passage` is equal for hits whose matching texts are equal. */
  offer(candidate: HitCandidate, passage: number): void {
    if (this.shown.size > 0 && this.shown.has(this.keyOf(candidate, passage))) return;
    if (this.after && !this.isBehind(candidate, this.after)) return;
    this.offered++;
    const isFull = this.page.length === this.limit;
    if (isFull && !this.passages.has(passage) && compareCandidates(candidate, this.page.at(-1)!.best) > 0) {
      if (this.byScore) this.setAside({ candidate, passage });
      return;
    }
    this.take(candidate, passage);
  }

  /** Returns the page's groups, and whether more follow. */
  finish(): { groups: Group[]; more: boolean } {
    for (const { candidate, passage, unnamed = 0 } of this.aside) {
      const group = this.passages.has(passage) ? this.groups.get(this.keyOf(candidate, passage)) : undefined;
      if (!group) continue;
      join(group, candidate);
      group.count += unnamed;
    }
    const groups = this.page;
    let left = this.offered;
    for (const { others, count } of groups) {
      others.sort(compareCandidates);
      left -= count;
    }
    return { groups, more: left > 0 };
  }

  /** The passages that must not be shown again on a page that follows the first `count` groups of this one. */
  shownAfter(count: number): number[] {
    const groups = this.page.slice(0, count);
    const last = groups.at(-1)?.best.order;
    const earlier = this.after?.order === last ? [...this.shown].map((key) => Number(key.split(" ")[1])) : [];
    const repeated = groups.filter((group) => this.byScore && group.count > 1 && group.best.order === last);
    return [...earlier, ...repeated.map(({ passage }) => passage)].slice(0, SHOWN);
  }

  /** When sorting by time alone, each record is its own group. */
  private keyOf({ order, view, document }: HitCandidate, passage: number): string {
    return this.byScore ? `${order} ${passage}` : `${view.segment.versions[document]}`;
  }

  private take(candidate: HitCandidate, passage: number): void {
    const key = this.keyOf(candidate, passage);
    let group = this.groups.get(key);
    if (group) {
      this.page.splice(this.page.indexOf(group), 1);
      join(group, candidate);
    } else {
      group = { key, passage, best: candidate, others: [], count: 1 };
      this.groups.set(key, group);
      this.passages.add(passage);
    }
    let place = this.page.length;
    while (place > 0 && compareCandidates(group.best, this.page[place - 1]!.best) < 0) place--;
    this.page.splice(place, 0, group);
    if (this.page.length > this.limit) this.letGo(this.page.pop()!);
    if (this.byScore && this.page.length === this.limit) this.lowest = this.page.at(-1)!.best.order;
  }

  private letGo({ key, passage, best, others, count }: Group): void {
    this.groups.delete(key);
    if (!this.page.some((group) => group.passage === passage)) this.passages.delete(passage);
    if (!this.byScore) return;
    this.setAside({ candidate: best, passage, unnamed: count - 1 - others.length });
    for (const candidate of others) this.setAside({ candidate, passage });
  }

  private setAside(offer: Offer): void {
    this.aside.push(offer);
    if (this.aside.length < this.asideMost) return;
    this.aside = this.aside.filter(({ candidate }) => candidate.order >= this.lowest);
    this.asideMost = Math.max(ASIDE, 2 * this.aside.length);
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

function join(group: Group, candidate: HitCandidate): void {
  group.count++;
  const isBetter = compareCandidates(candidate, group.best) < 0;
  group.others.push(isBetter ? group.best : candidate);
  if (isBetter) group.best = candidate;
  if (group.others.length > NAMED) group.others = group.others.sort(compareCandidates).slice(0, NAMED);
}

/** Negative if `one` is first. */
export function compareCandidates(one: HitCandidate, other: HitCandidate): number {
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

/** Newest first. Two absent times are equal, although subtracting infinities would give NaN. */
function compareTimes(one: number, other: number): number {
  return one === other ? 0 : one > other ? -1 : 1;
}
