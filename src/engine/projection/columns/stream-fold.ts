// Builds one stream's columns: adds feed rows to a tail and segments, merges them, and returns views.
import type { ColumnValue } from "../../../core/fields.ts";
import { bitmapLength, countDead, encodeDead, isDead } from "./dead-rows.ts";
import { findRow, hashAt } from "./id-index.ts";
import { nextCompaction, nextMerge, type SegmentLimits, type SegmentSize } from "./merge-plan.ts";
import type { StreamFeedRow } from "./projection-feed.ts";
import { concatRows, liveRows, type Rows, sortRows } from "./rows.ts";
import { type ColumnSegment, freshSegment, type UnreadableSegment } from "./segment.ts";
import type { ColumnSegmentStore, SegmentPut } from "./segment-store.ts";
import { type ColumnsShape, shapeDigest } from "./shape.ts";
import { tableOf } from "./string-table.ts";
import { Tail } from "./tail.ts";
import type { UnitCache } from "./unit-cache.ts";

/** A segment and its dead rows. */
export interface LiveSegment {
  readonly segment: ColumnSegment;
  readonly dead: Uint8Array | undefined;
  readonly deadCount: number;
}

/** A stream's live rows at one version. Later folds do not change it. */
export interface FoldView {
  shape: ColumnsShape;
  parts: readonly LiveSegment[];
  /** The number of rows in a full segment. */
  segmentRows: number;
  /** The best value of a field in one direction, cached on first use. */
  bounds: Map<string, ColumnValue | undefined>;
}

interface MutablePart {
  segment: ColumnSegment;
  dead: Uint8Array | undefined;
  deadCount: number;
  /** True if a view uses the bitmap, which must then be copied before the next change. */
  shared: boolean;
  /** True if the bitmap differs from the stored one. */
  dirty: boolean;
}

export interface FoldPlace {
  store: ColumnSegmentStore;
  cache: UnitCache;
  streamNo: number;
  shape: ColumnsShape;
  limits: SegmentLimits;
  /** A longer tail becomes a segment, because the tail is sorted again for the first query after each change. */
  tailRows: number;
}

export class StreamFold {
  readonly digest: string;
  /** The version of the last folded row. That row, or its replacement, is in the feed. */
  through: number;
  /** The columns are from this version or a later one. They may be incomplete while it is below `through`. */
  current = -1;
  /** True if another process saved first. This copy is still correct, but is not saved. */
  overtaken = false;
  readonly #at: FoldPlace;
  #parts: MutablePart[] = [];
  #tail: Tail;
  #tailSegment: ColumnSegment | undefined;
  #tailBytes = 0;
  #stored: Set<number>;
  #nextSeq: number;
  #dirty = false;
  /** The last view that was returned, until something changes. */
  #view: FoldView | undefined;

  /** `stored` lists the numbers of all segments in the store, usable or not. */
  constructor(at: FoldPlace, through: number, stored: readonly number[]) {
    this.#at = at;
    this.digest = shapeDigest(at.shape);
    this.through = through;
    this.#tail = new Tail(at.shape);
    this.#stored = new Set(stored);
    this.#nextSeq = Math.max(0, ...stored) + 1;
  }

  get dirty(): boolean {
    return this.#dirty;
  }

  /** The number of live rows. */
  get live(): number {
    return this.#parts.reduce((sum, { segment, deadCount }) => sum + segment.rows - deadCount, this.#tail.size);
  }

  adopt(segment: ColumnSegment, dead: Uint8Array | undefined): void {
    this.#view = undefined;
    this.#parts.push({ segment, dead, deadCount: dead ? countDead(dead) : 0, shared: false, dirty: false });
  }

  /** True if the stream still uses the segment that could not be read. */
  standsOn({ seq, column, checksum }: UnreadableSegment): boolean {
    const segment = this.#parts.find((part) => part.segment.seq === seq)?.segment;
    return segment !== undefined && (checksum === undefined || segment.has({ name: column, checksum }));
  }

  /**
   * Adds feed rows. `since` is the version that the stream had reached when this catch-up began, and `version` is the
   * feed's version at that time. An older row with the same id can exist if the id appeared before `since`, or if the
   * record has moved in the feed since then.
   */
  async fold(rows: readonly StreamFeedRow[], since: number, version: number): Promise<void> {
    this.#tailSegment?.retire();
    this.#tailSegment = undefined;
    this.#view = undefined;
    this.#dirty = true;
    const moved = rows.filter((row) => row.born <= since || (row.version > version && row.born < row.version));
    await this.#markDead(moved.map((row) => row.id));
    const { limits } = this.#at;
    for (const row of rows) {
      if (row.data !== null) this.#tail.add(row.id, row.version, row.data);
      if (this.#tail.size >= limits.rows || this.#tail.bytes >= limits.bytes) this.#seal();
    }
    this.through = rows.at(-1)!.version;
    this.#countTail();
  }

  /** Marks older rows with these ids as dead, one segment at a time, so that only one index must be in memory. */
  async #markDead(ids: readonly string[]): Promise<void> {
    const left = ids.filter((id) => !this.#tail.remove(id));
    if (left.length === 0) return;
    const wanted = tableOf(left);
    let open = Uint32Array.from(left, (_, i) => i);
    const hashes = open.map((i) => hashAt(wanted, i));
    for (let p = this.#parts.length - 1; p >= 0 && open.length > 0; p--) {
      const part = this.#parts[p]!;
      const index = await part.segment.index.get();
      open = open.filter((i) => {
        const row = findRow(index, wanted, i, hashes[i]!);
        if (row < 0 || (part.dead && isDead(part.dead, row))) return true;
        kill(part, row);
        return false;
      });
    }
  }

  /** Ends a catch-up: seals a long tail and merges small segments. */
  async settle(): Promise<void> {
    if (this.#tail.size > this.#at.tailRows) this.#seal();
    await this.#mergeAll(nextMerge);
  }

  async #mergeAll(plan: (sizes: SegmentSize[], limits: SegmentLimits) => number[] | undefined): Promise<void> {
    for (;;) {
      this.#view = undefined;
      this.#dropEmpty();
      const sizes = this.#parts.map(({ segment, deadCount }) => ({
        rows: segment.rows,
        dead: deadCount,
        bytes: segment.bytes,
      }));
      const group = plan(sizes, this.#at.limits);
      if (!group) return;
      await this.#merge(group.map((position) => this.#parts[position]!));
    }
  }

  #dropEmpty(): void {
    const empty = this.#parts.filter(({ segment, deadCount }) => deadCount === segment.rows);
    for (const part of empty) part.segment.retire();
    if (empty.length > 0) this.#parts = this.#parts.filter((part) => !empty.includes(part));
  }

  async #merge(group: readonly MutablePart[]): Promise<void> {
    const inputs: Rows[] = [];
    for (const { segment, dead } of group) inputs.push(liveRows(await segment.toRows(), dead));
    const merged = this.#segmentOf(sortRows(concatRows(inputs), this.#at.shape));
    for (const part of group) part.segment.retire();
    this.#parts = this.#parts.filter((part) => !group.includes(part));
    this.adopt(merged, undefined);
  }

  #seal(): void {
    if (this.#tail.size === 0) return;
    this.adopt(this.#sealedTail(), undefined);
    this.#tailSegment = undefined;
    this.#tail = new Tail(this.#at.shape);
    this.#countTail();
  }

  #sealedTail(): ColumnSegment {
    this.#tailSegment ??= this.#segmentOf(sortRows(this.#tail.toRows(), this.#at.shape));
    return this.#tailSegment;
  }

  #segmentOf(rows: Rows): ColumnSegment {
    const { cache, store, streamNo, shape } = this.#at;
    return freshSegment(cache, { store, streamNo, shape, seq: this.#nextSeq++, rows: rows.versions.length }, rows);
  }

  #countTail(): void {
    this.#at.cache.bytes += this.#tail.bytes - this.#tailBytes;
    this.#tailBytes = this.#tail.bytes;
  }

  view(): FoldView {
    if (this.#view !== undefined) return this.#view;
    const parts: LiveSegment[] = this.#parts.map((part) => {
      part.shared = true;
      return { segment: part.segment, dead: part.dead, deadCount: part.deadCount };
    });
    if (this.#tail.size > 0) parts.push({ segment: this.#sealedTail(), dead: undefined, deadCount: 0 });
    this.#view = { shape: this.#at.shape, parts, segmentRows: this.#at.limits.rows, bounds: new Map() };
    return this.#view;
  }

  /** Saves everything folded so far in one change. */
  async persist(): Promise<void> {
    if (!this.#dirty || this.overtaken) return;
    this.#seal();
    await this.#mergeAll(nextCompaction);
    const put: SegmentPut[] = [];
    for (const { segment, dead } of this.#parts.filter((part) => !part.segment.stored)) {
      put.push({ seq: segment.seq, rows: segment.rows, dead: encodeDead(dead), blobs: await segment.toBlobs() });
    }
    const kept = new Set(this.#parts.map((part) => part.segment.seq));
    const changed = this.#parts.filter((part) => part.dirty && part.segment.stored);
    const saved = await this.#at.store.save(this.#at.streamNo, {
      shape: this.digest,
      through: this.through,
      put,
      drop: [...this.#stored].filter((seq) => !kept.has(seq)),
      dead: changed.map(({ segment, dead }) => ({ seq: segment.seq, dead: encodeDead(dead) })),
    });
    if (!saved) {
      this.overtaken = true;
      return;
    }
    this.#stored = kept;
    this.#dirty = false;
    for (const part of this.#parts) part.dirty = false;
    for (const { seq, blobs } of put) {
      const columns = blobs.map(({ name, checksum }) => ({ name, checksum }));
      this.#parts.find((part) => part.segment.seq === seq)!.segment.markStored(columns);
    }
  }

  retire(): void {
    this.#at.cache.bytes -= this.#tailBytes;
    this.#tailBytes = 0;
    this.#tailSegment?.retire();
    for (const part of this.#parts) part.segment.retire();
  }
}

function kill(part: MutablePart, row: number): void {
  if (!part.dead) part.dead = new Uint8Array(bitmapLength(part.segment.rows));
  else if (part.shared) part.dead = part.dead.slice();
  part.shared = false;
  part.dirty = true;
  part.dead[row >> 3]! |= 1 << (row & 7);
  part.deadCount++;
}
