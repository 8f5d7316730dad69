// Manages the typed columns of all streams: opens saved columns, catches up with the feed, stays within a memory
// budget, and saves.

import { setImmediate as nextTurn } from "node:timers/promises";
import { damaged } from "../../../store/damage.ts";
import type { Awaitable } from "../../../store/store.ts";
import { decodeDead } from "./dead-rows.ts";
import { SEGMENT_LIMITS, type SegmentLimits } from "./merge-plan.ts";
import type { ProjectionFeed } from "./projection-feed.ts";
import { storedSegment, UnreadableSegment } from "./segment.ts";
import type { ColumnSegmentStore, ColumnsManifest } from "./segment-store.ts";
import { type ColumnsShape, shapeDigest } from "./shape.ts";
import { StreamColumns } from "./stream-columns.ts";
import { type FoldPlace, type FoldView, StreamFold } from "./stream-fold.ts";
import { UnitCache } from "./unit-cache.ts";

export type RebuildReason = "shape" | "ahead_of_feed" | "damaged";

export interface ColumnsOptions {
  segments: ColumnSegmentStore;
  budgetBytes: number;
  /** False in a second process on the same home, which reads saved columns and saves nothing. */
  persist: boolean;
  onRebuild?: (streamNo: number, reason: RebuildReason) => void;
  /** Tests use small segments. */
  limits?: SegmentLimits;
  tailRows?: number;
}

/** How many feed rows are read at a time. Parsing them takes a few milliseconds; then other work can run. */
const SLICE = 2000;
const TAIL_ROWS = 1024;
/** More consecutive failures than this mean that the store loses recent writes. */
const ATTEMPTS = 4;

interface FoldEntry {
  /** The last promise in this stream's queue of changes. */
  queue: Promise<unknown>;
  /** How many changes are queued, including the running one. */
  waiting: number;
  fold?: StreamFold;
  /** A segment that could not be read. If the store still lists it, it is damaged. */
  suspect?: UnreadableSegment;
}

export class Columns {
  readonly #options: ColumnsOptions;
  readonly #cache: UnitCache;
  /** Ordered by last use, with the least recently used first. */
  readonly #streams = new Map<number, FoldEntry>();

  constructor(options: ColumnsOptions) {
    this.#options = options;
    this.#cache = new UnitCache(options.budgetBytes);
  }

  get persists(): boolean {
    return this.#options.persist;
  }

  /** The bytes in memory now. */
  get bytes(): number {
    return this.#cache.bytes;
  }

  /**
   * Returns a stream's columns at `version`, or at the newest version if the feed has moved on. The feed has only the
   * current state of a replaced record, so an older state cannot be fully restored.
   */
  at(streamNo: number, shape: ColumnsShape, feed: ProjectionFeed, version: number): Awaitable<StreamColumns> {
    const columnsOf = (view: FoldView) =>
      new StreamColumns(view, (unreadable) =>
        this.#exclusive(streamNo, (entry) => {
          if (entry.fold?.standsOn(unreadable)) this.#distrust(entry, unreadable);
          return this.#view(entry, this.#place(streamNo, shape), feed, version);
        }),
      );
    const current = this.#currentView(streamNo, shape, version);
    if (current !== undefined) return columnsOf(current);
    return this.#caughtUp(this.#place(streamNo, shape), feed, version).then(columnsOf);
  }

  async #caughtUp(place: FoldPlace, feed: ProjectionFeed, version: number): Promise<FoldView> {
    const view = await this.#exclusive(place.streamNo, (entry) => this.#view(entry, place, feed, version));
    await this.#relieve(place.streamNo);
    return view;
  }

  /** Applies at most `maxRows` rows. Returns true if there are more. */
  async catchUp(
    streamNo: number,
    shape: ColumnsShape,
    feed: ProjectionFeed,
    version: number,
    maxRows: number,
  ): Promise<boolean> {
    const place = this.#place(streamNo, shape);
    const more = await this.#exclusive(streamNo, async (entry) => {
      const fold = await this.#catchUp(entry, place, feed, version, maxRows);
      return fold.current < version;
    });
    await this.#relieve(streamNo);
    return more;
  }

  async flush(): Promise<void> {
    for (const streamNo of [...this.#streams.keys()]) {
      await this.#exclusive(streamNo, async (entry) => {
        if (this.#options.persist) await this.#persist(entry);
      });
    }
  }

  /** Drops a stream from memory. Its columns in the store are removed when the stream is deleted. */
  async forget(streamNo: number): Promise<void> {
    await this.#exclusive(streamNo, async (entry) => {
      entry.fold?.retire();
      this.#streams.delete(streamNo);
    });
  }

  #place(streamNo: number, shape: ColumnsShape): FoldPlace {
    const { segments, limits = SEGMENT_LIMITS, tailRows = TAIL_ROWS } = this.#options;
    return { store: segments, cache: this.#cache, streamNo, shape, limits, tailRows };
  }

  /**
   * Returns the existing view if nothing is changing it, because a read over many connections opens hundreds of
   * streams.
   */
  #currentView(streamNo: number, shape: ColumnsShape, version: number): FoldView | undefined {
    const entry = this.#streams.get(streamNo);
    const fold = entry?.waiting === 0 ? entry.fold : undefined;
    if (fold === undefined || fold.current < version || fold.digest !== shapeDigest(shape)) return undefined;
    this.#use(streamNo, entry!);
    return fold.view();
  }

  #use(streamNo: number, entry: FoldEntry): void {
    this.#streams.delete(streamNo);
    this.#streams.set(streamNo, entry);
  }

  /** Runs one change at a time per stream, because folding, merging and saving change the same segments. */
  async #exclusive<T>(streamNo: number, work: (entry: FoldEntry) => Promise<T>): Promise<T> {
    const entry: FoldEntry = this.#streams.get(streamNo) ?? { queue: Promise.resolve(), waiting: 0 };
    this.#use(streamNo, entry);
    entry.waiting++;
    const result = entry.queue.then(() => work(entry)).finally(() => entry.waiting--);
    entry.queue = result.catch(() => undefined);
    return result;
  }

  async #view(entry: FoldEntry, place: FoldPlace, feed: ProjectionFeed, version: number): Promise<FoldView> {
    const fold = await this.#catchUp(entry, place, feed, version, Number.POSITIVE_INFINITY);
    return fold.view();
  }

  async #catchUp(
    entry: FoldEntry,
    place: FoldPlace,
    feed: ProjectionFeed,
    version: number,
    maxRows: number,
  ): Promise<StreamFold> {
    for (let attempt = 1; ; attempt++) {
      try {
        const fold = await this.#open(entry, place, feed);
        await this.#foldUpTo(fold, place, feed, version, maxRows);
        return fold;
      } catch (error) {
        // A fold that stopped halfway cannot be trusted, but it can be rebuilt from the feed.
        if (error instanceof UnreadableSegment) this.#distrust(entry, error);
        else this.#reset(entry);
        const again = error instanceof UnreadableSegment || error instanceof OvertakenFold;
        if (!again || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #foldUpTo(
    fold: StreamFold,
    { streamNo }: FoldPlace,
    feed: ProjectionFeed,
    version: number,
    maxRows: number,
  ): Promise<void> {
    if (fold.current >= version) return;
    const since = fold.through;
    for (let left = maxRows; left > 0; ) {
      const limit = Math.min(SLICE, left);
      const rows = await feed.changes(streamNo, fold.through, Number.MAX_SAFE_INTEGER, limit);
      if (rows.length > 0) await fold.fold(rows, since, version);
      // This read reached the end of the feed, so the fold reflects the feed at this moment, whatever changed during
      // earlier reads.
      if (rows.length < limit) {
        const live = await feed.liveRows?.(streamNo);
        if (live !== undefined && live !== fold.live) throw damaged("records are missing from a stream's feed");
        fold.current = Math.max(version, fold.through);
        break;
      }
      left -= rows.length;
      this.#cache.trim();
      if (this.#cache.overBudget && this.#options.persist) await fold.persist();
      // There is no room for the unsaved rows here, and another process has saved them, so start again from the saved
      // columns.
      if (this.#cache.overBudget && fold.overtaken) throw new OvertakenFold();
      await nextTurn();
    }
    await fold.settle();
  }

  async #open(entry: FoldEntry, place: FoldPlace, feed: ProjectionFeed): Promise<StreamFold> {
    const digest = shapeDigest(place.shape);
    if (entry.fold?.digest === digest) return entry.fold;
    this.#reset(entry);
    const manifest = await place.store.manifest(place.streamNo);
    const opened = manifest ? await openManifest(place, manifest, digest, feed, entry.suspect) : undefined;
    if (typeof opened === "string") this.#options.onRebuild?.(place.streamNo, opened);
    const stored = manifest?.segments.map((segment) => segment.seq) ?? [];
    entry.fold = opened instanceof StreamFold ? opened : new StreamFold(place, 0, stored);
    entry.suspect = undefined;
    return entry.fold;
  }

  #distrust(entry: FoldEntry, unreadable: UnreadableSegment): void {
    this.#reset(entry);
    entry.suspect = unreadable;
  }

  #reset(entry: FoldEntry): void {
    entry.fold?.retire();
    entry.fold = undefined;
  }

  async #persist(entry: FoldEntry): Promise<void> {
    try {
      await entry.fold?.persist();
    } catch (error) {
      if (error instanceof UnreadableSegment) this.#distrust(entry, error);
      else throw error;
    }
  }

  /** If the budget is exceeded, saves rows that exist only in memory, starting with the least recently used stream. */
  async #relieve(current: number): Promise<void> {
    this.#cache.trim();
    if (!this.#cache.overBudget) return;
    for (const [streamNo, entry] of [...this.#streams]) {
      if (!this.#cache.overBudget) return;
      if (!entry.fold?.dirty) continue;
      if (this.#options.persist) await this.#exclusive(streamNo, (held) => this.#persist(held));
      // Columns that another process saved are read again on demand.
      if ((!this.#options.persist || entry.fold.overtaken) && streamNo !== current) await this.forget(streamNo);
      this.#cache.trim();
    }
  }
}

class OvertakenFold extends Error {}

/** A stream's stored columns, or the reason why they cannot be used. */
async function openManifest(
  place: FoldPlace,
  manifest: ColumnsManifest,
  digest: string,
  feed: ProjectionFeed,
  suspect: UnreadableSegment | undefined,
): Promise<StreamFold | RebuildReason> {
  if (manifest.shape !== digest) return "shape";
  if (!(await reaches(feed, place.streamNo, manifest.through))) return "ahead_of_feed";
  const seqs = manifest.segments.map((segment) => segment.seq);
  const fold = new StreamFold(place, manifest.through, seqs);
  try {
    for (const { seq, rows, dead, columns } of manifest.segments) {
      const bitmap = decodeDead(dead, rows);
      if (bitmap === "damaged") return "damaged";
      fold.adopt(await storedSegment(place.cache, { ...place, seq, rows }, columns), bitmap);
    }
  } catch (error) {
    if (error instanceof UnreadableSegment) return "damaged";
    throw error;
  }
  return suspect && fold.standsOn(suspect) ? "damaged" : fold;
}

/**
 * True if the feed contains the last folded row or its replacement. Otherwise this is another feed, for example from a
 * restored backup.
 */
async function reaches(feed: ProjectionFeed, streamNo: number, through: number): Promise<boolean> {
  return through === 0 || (await feed.changes(streamNo, through - 1, Number.MAX_SAFE_INTEGER, 1)).length > 0;
}
