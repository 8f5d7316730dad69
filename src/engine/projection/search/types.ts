// The search index's types: its dependencies, requests and results.

import type { Feedback } from "../../../core/search/feedback.ts";
import type { SearchedField } from "../../../core/search/field-text.ts";
import type { QueryPlan, Relaxation } from "../../../core/search/query.ts";
import type { Awaitable } from "../../../store/store.ts";

/** One change: the newest version of a record. */
export interface SearchFeedRow {
  version: number;
  streamNo: number;
  id: string;
  /** The version at which this id first appeared. It never changes, not even after a deletion and reinsertion. */
  born: number;
  /** The record's data as JSON text. Null is a tombstone. */
  data: string | null;
}

/** The change feed: rows of all streams or one, with `after < version <= upTo` in ascending order. */
export interface SearchFeed {
  changes(after: number, upTo: number, limit: number, streamNo?: number): Awaitable<SearchFeedRow[]>;
}

/** The searched parts of a stream. If the shape changes, the stream is reindexed. */
export interface SearchShape {
  fields: readonly (SearchedField & { weight: number })[];
  /** When the record was written or happened. Used for tie-breaks, `newest`, date filters and facets. */
  timeField?: string;
  /** The field that a grant's time range applies to. The default is timeField. */
  consentTimeField?: string;
}

/** Returns a stream's shape, or undefined if the stream is not searched. */
export type ShapeLookup = (streamNo: number) => SearchShape | undefined;

/** The part of one stream that the caller may see. Several rows for the same stream are combined. */
export interface SearchScopeRow {
  streamNo: number;
  /** Orders hits that are otherwise equal: the connection and stream as the caller sees them. */
  key: string;
  /** The granted fields. Null if all are granted. */
  fields: ReadonlySet<string> | null;
  /**
   * The range of the consent time in milliseconds: `since` is inclusive and `until` exclusive. A record without a
   * consent time is outside it.
   */
  time?: { since?: number; until?: number };
  ids?: ReadonlySet<string>;
  versions?: KnownVersions;
}

/** The visible versions among those up to `through`. It grows with the feed, and never loses a version. */
export interface KnownVersions {
  readonly through: number;
  readonly versions: ReadonlySet<number>;
}

/**
 * Where segments are stored. The index chooses the names and never uses one twice. `save` is atomic. It returns false
 * and saves nothing if the manifest is no longer the one that this index last loaded or saved (`expected`).
 */
export interface SearchSegmentStore {
  loadManifest(): Awaitable<Uint8Array | undefined>;
  read(name: string): Awaitable<Uint8Array | undefined>;
  save(change: SearchSegmentChange): Awaitable<boolean>;
}

export interface SearchSegmentChange {
  /** The bytes that `loadManifest` would return now. Undefined if there is no manifest. */
  expected: Uint8Array | undefined;
  manifest: Uint8Array;
  put: { name: string; bytes: Uint8Array }[];
  drop: string[];
}

/** Exact sums over the caller's Scope. All pages of a search are scored with the sums from its first page. */
export interface ScopeStatistics {
  /** The number of (record, granted field) pairs with text, and the number of their words. */
  units: number;
  words: number;
  /** How many of these are titles, and the number of their words. */
  titles: number;
  titleWords: number;
  /** The number of units that match each clause. */
  matching: number[];
}

/**
 * The last hit of a page, where the next page starts. It contains nothing that the caller may not see, but should be
 * sealed nevertheless.
 */
export interface SearchPosition {
  relaxation: Relaxation;
  /** Words in the Scope that replaced misspelt ones. */
  near?: string[];
  /** Passages shared by several records that were shown with this score. */
  shown?: number[];
  /** Words added from the best hits of the first page. */
  feedback?: Feedback;
  statistics: ScopeStatistics;
  score: number;
  /** Null for a record without a time. */
  time: number | null;
  key: string;
  id: string;
}

/** Where a page of a blended result ended. */
export interface BlendPosition {
  /** The remaining hits: each record's version, and the index of its nearest passage, or -1. */
  left: [version: number, passage: number][];
  /** The versions of all records that were found by meaning, so that words do not find them again. */
  taken: number[];
  /** The number of earlier hits. */
  place: number;
  /** Where the word hits continue. */
  tail?: SearchPosition;
}

export interface SearchHit {
  /** The window of a field that is closest to the query in meaning, as UTF-16 offsets. */
  meaning?: { field: string; start: number; end: number };
  /** The hit's rank in a blended result. */
  place?: number;
  /** Other hits with an equal passage and the same score, which this hit represents: how many, and the first few. */
  repeats?: { count: number; hits: SearchHit[] };
  streamNo: number;
  id: string;
  version: number;
  score: number;
  /**
   * The language that the index detected for each text, by field, so that building the evidence need not detect it
   * again.
   */
  languages: ReadonlyMap<string, number>;
  /** The authored time, if the caller may see that field. */
  time?: number;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** The number of matching records in the Scope on all pages, and of those that match every clause. */
  total: number;
  all: number;
  countIsExact: true;
  perStream: Map<number, number>;
  /**
   * Counts by month, such as `2024-05`, in UTC. Records without a visible time are counted under "". Only if requested.
   */
  perMonth?: Map<string, number>;
  plan: QueryPlan;
  /** Clauses of the plan that match nothing in the Scope. */
  unmatched: number[];
  /** Words that the best hits share, and that were used to rank the others. */
  related?: string[];
  /** Other spellings, taken from words in the Scope, if nothing matched. */
  suggestions?: string[];
  next?: SearchPosition;
  /** Where the next page would start after each hit, if requested. */
  ends?: SearchPosition[];
  /** For a blended result: the same positions, and how many visible records have no vectors yet. */
  blend?: { next?: BlendPosition; ends?: BlendPosition[]; unread: number };
}
