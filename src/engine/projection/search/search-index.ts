// The search index: a fold over the change feed into segments. It catches up before each search, saves its progress,
// and rebuilds itself if the saved data is missing or damaged.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../contract/record.ts";
import { parseDay, parseInstant } from "../../../core/instant.ts";
import { type MeaningRequest, runBlended } from "./blend.ts";
import { SegmentBuilder } from "./builder.ts";
import { recordName } from "./document-ids.ts";
import { INDEX } from "./limits.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import { runSearch, type SearchRequest } from "./run-search.ts";
import { SegmentLost, SegmentSet } from "./segment-set.ts";
import { ShapeBook } from "./shape-book.ts";
import type { SearchAnswer, SearchFeed, SearchFeedRow, SearchSegmentStore, ShapeLookup } from "./types.ts";
import type { Vectors } from "./vectors/vectors.ts";

export interface SearchIndexOptions {
  feed: SearchFeed;
  store: SearchSegmentStore;
  shapes: ShapeLookup;
  /** Changes whenever the result of `shapes` may change. */
  edition?: () => unknown;
  /** The maximum size of the segments in memory, in bytes. */
  memory?: number;
  /** Returns names for blobs, never the same one twice. */
  newName?: () => string;
}

export interface SearchedMeaning extends MeaningRequest {
  vectors: Vectors;
}

/** Calls run one after another, so none sees another's unfinished work. */
export class SearchIndex {
  private feed: SearchFeed;
  private store: SearchSegmentStore;
  private segments: SegmentSet;
  private shapes: ShapeBook;
  private builder = new SegmentBuilder();
  private through = 0;
  /** The manifest in the store, and the names of its blobs. */
  private saved: Uint8Array | undefined;
  private savedNames = new Set<string>();
  private loaded = false;
  private changed = false;
  /** The number of changes folded since the last search. */
  private unasked = Number.POSITIVE_INFINITY;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(options: SearchIndexOptions) {
    this.feed = options.feed;
    this.store = options.store;
    this.shapes = new ShapeBook(options.shapes, options.edition);
    this.segments = new SegmentSet(options.store, options.memory ?? INDEX.memory, options.newName ?? randomUUID);
  }

  /** Searches the index at `version` or later. */
  search(request: SearchRequest, version: number, meaning?: SearchedMeaning): Promise<SearchAnswer> {
    return this.exclusively(async () => {
      await this.foldTo(version, Number.POSITIVE_INFINITY);
      await this.settle();
      this.unasked = 0;
      return meaning === undefined
        ? runSearch(this.segments, request)
        : runBlended(this.segments, meaning.vectors, request, meaning);
    });
  }

  /** Runs work that no search may see unfinished. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.exclusively(work);
  }

  /** Runs work with the versions of all live documents, in ascending order. */
  onVersions<T>(version: number, work: (versions: Float64Array) => Promise<T> | T): Promise<T> {
    return this.exclusively(async () => {
      await this.foldTo(version, Number.POSITIVE_INFINITY);
      await this.settle();
      const versions = new Float64Array(this.segments.documents);
      let size = 0;
      await this.segments.each((segment) => {
        for (let document = 0; document < segment.documents; document++)
          if (segment.dead[document] === 0) versions[size++] = segment.versions[document]!;
      });
      return work(versions.subarray(0, size).sort());
    });
  }

  /**
   * Folds up to `maxRows` changes in the background. Returns true if `version` is reached. While there are no searches,
   * only full segments are built: small ones would have to be merged, which costs as much as building them.
   */
  catchUp(version: number, maxRows: number): Promise<boolean> {
    return this.exclusively(async () => {
      const reached = await this.foldTo(version, maxRows);
      if (reached && this.unasked < INDEX.watched) await this.settle();
      return reached;
    });
  }

  /** Folds everything up to `version` and makes it searchable. */
  at(version: number): Promise<void> {
    return this.exclusively(async () => {
      await this.foldTo(version, Number.POSITIVE_INFINITY);
      await this.settle();
    });
  }

  /** Merges segments if there are many. Runs in the background. */
  tidy(): Promise<boolean> {
    return this.exclusively(async () => {
      this.seal();
      return this.segments.merge();
    });
  }

  /** Saves everything that was folded. */
  flush(): Promise<void> {
    return this.exclusively(async () => {
      this.seal();
      await this.segments.merge();
      if (this.changed) await this.save();
    });
  }

  /** Deletes everything, including the stored data. The next call rebuilds it. */
  reset(): Promise<void> {
    return this.exclusively(async () => {
      this.forget();
      await this.save();
    });
  }

  get status(): { through: number; segments: number; documents: number; bytes: number; residentBytes: number } {
    const { size, documents, bytes, residentBytes } = this.segments;
    return {
      through: this.through,
      segments: size,
      documents: documents + this.builder.documents,
      bytes,
      residentBytes,
    };
  }

  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(() => this.recovering(work));
    this.queue = run.catch(() => undefined);
    return run;
  }

  /** If a segment is lost, loads the store's current data or starts again, and repeats the work. */
  private async recovering<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        if (!this.loaded) await this.load(attempt);
        return await work();
      } catch (error) {
        if (!(error instanceof SegmentLost) || attempt === 2) throw error;
        this.loaded = false;
      }
    }
  }

  /** The first attempts trust the manifest, because another process may have replaced it. The last attempt does not. */
  private async load(attempt: number): Promise<void> {
    this.forget();
    this.saved = await this.store.loadManifest();
    const manifest = this.saved && readManifest(this.saved);
    if (manifest) {
      this.savedNames = new Set(
        manifest.segments.flatMap(({ name, dead }) => (dead === undefined ? [name] : [name, dead])),
      );
      if (attempt < 2) {
        await this.segments.restore(manifest);
        this.through = manifest.through;
        this.shapes.restore(manifest.shapes);
        this.changed = false;
      }
    }
    this.loaded = true;
  }

  private forget(): void {
    this.segments.clear();
    this.builder = new SegmentBuilder();
    this.shapes.restore([]);
    this.through = 0;
    this.changed = true;
  }

  private async foldTo(version: number, maxRows: number): Promise<boolean> {
    for (const streamNo of this.shapes.changed()) await this.reindex(streamNo);
    let left = maxRows;
    while (this.through < version && left > 0) {
      const rows = await this.feed.changes(this.through, version, Math.min(left, INDEX.feedRows));
      for (const row of rows) {
        await this.fold(row);
        this.through = row.version;
      }
      if (rows.length < Math.min(left, INDEX.feedRows)) this.through = version;
      left -= rows.length;
      this.unasked += rows.length;
      this.changed = true;
    }
    return this.through >= version;
  }

  /** Makes folded changes searchable. */
  private async settle(): Promise<void> {
    if (this.builder.documents === 0) return;
    this.seal();
    const crowded = this.segments.size > INDEX.crowded;
    await this.segments.merge(crowded ? undefined : INDEX.quickMerge);
  }

  /** Reindexes a stream with its current shape, up to the index's current version. */
  private async reindex(streamNo: number): Promise<void> {
    this.seal();
    await this.segments.killStream(streamNo);
    this.shapes.learn(streamNo);
    this.changed = true;
    for (let after = 0; after < this.through; ) {
      const rows = await this.feed.changes(after, this.through, INDEX.feedRows, streamNo);
      for (const row of rows) await this.fold(row, true);
      if (rows.length < INDEX.feedRows) break;
      after = rows.at(-1)!.version;
    }
  }

  /** `fresh` means that the record is not in the index yet. */
  private async fold(row: SearchFeedRow, fresh = row.born > this.through): Promise<void> {
    const shape = this.shapes.shapeOf(row.streamNo);
    if (!shape) return;
    const name = recordName(row.streamNo, row.id);
    if (!fresh && !this.builder.remove(name)) await this.segments.kill(name);
    if (row.data === null) return;
    const data = JSON.parse(row.data) as JsonObject;
    const time = timeOf(data, shape.timeField);
    const consentField = shape.consentTimeField ?? shape.timeField;
    const consentTime = consentField === shape.timeField ? time : timeOf(data, consentField);
    this.builder.add({ name, version: row.version, shape, data, time, consentTime });
    if (this.builder.full) this.seal();
  }

  private seal(): void {
    if (this.builder.documents === 0) return;
    this.segments.add(this.builder.seal());
    this.builder = new SegmentBuilder();
  }

  /** If another process saved first, its index is used, because both fold the same feed. */
  private async save(): Promise<void> {
    const { put, segments, saved } = this.segments.unsaved();
    const manifest = writeManifest({ through: this.through, shapes: this.shapes.entries(), segments });
    const names = new Set(segments.flatMap(({ name, dead }) => (dead === undefined ? [name] : [name, dead])));
    const drop = [...this.savedNames].filter((name) => !names.has(name));
    if (!(await this.store.save({ expected: this.saved, manifest, put, drop }))) {
      this.loaded = false;
      return;
    }
    saved();
    this.saved = manifest;
    this.savedNames = names;
    this.changed = false;
  }
}

function timeOf(data: JsonObject, field: string | undefined): number {
  const value = field !== undefined && Object.hasOwn(data, field) ? data[field] : undefined;
  return typeof value === "string" ? (parseInstant(value) ?? parseDay(value) ?? Number.NaN) : Number.NaN;
}
