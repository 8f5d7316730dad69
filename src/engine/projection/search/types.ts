// Types of the search index: what it needs from its surroundings, its requests and its answers.

import type { Feedback } from "../../../core/search/feedback.ts";
import type { SearchedField } from "../../../core/search/field-text.ts";
import type { QueryPlan, Relaxation } from "../../../core/search/query.ts";
import type { Awaitable } from "../../../store/store.ts";

/** One change: the newest version of a record. */
export interface SearchFeedRow {
  version: number;
  streamNo: number;
  id: string;
  /** The version at which this id first appeared; it never changes, not even by delete and reinsert. */
  born: number;
  /** JSON text of the record's data; null is a tombstone. */
  data: string | null;
}

/** The change feed: rows with `after < version <= upTo` in ascending order, all streams or one. */
export interface SearchFeed {
  changes(after: number, upTo: number, limit: number, streamNo?: number): Awaitable<SearchFeedRow[]>;
}

/** The searched parts of a stream. When the shape changes, the stream is indexed again. */
export interface SearchShape {
  fields: readonly (SearchedField & { weight: number })[];
  /** When it was written or happened: tie-break, `newest`, date filters, facets. */
  timeField?: string;
  /** The field that a grant's time range applies to; absent: the same as timeField. */
  consentTimeField?: string;
}

/** The shape of a stream; undefined: none of it is searched. */
export type ShapeLookup = (streamNo: number) => SearchShape | undefined;

/** The part of one stream that the caller may see. Several rows for one stream add up. */
export interface SearchScopeRow {
  streamNo: number;
  /** Orders hits that are otherwise equal: connection and stream as the caller knows them. */
  key: string;
  /** Granted fields; null: all. */
  fields: ReadonlySet<string> | null;
  /** Milliseconds of the consent time; since inclusive, until exclusive; a record without one is outside. */
  time?: { since?: number; until?: number };
  ids?: ReadonlySet<string>;
  versions?: KnownVersions;
}

/** The visible versions among those up to `through`. It grows with the feed; a version that is in it stays. */
export interface KnownVersions {
  readonly through: number;
  readonly versions: ReadonlySet<number>;
}

/**
 * Where segments are stored. Names are chosen by the index and never used twice. `save` is atomic: all of it or
 * nothing; it returns false and does nothing if the manifest is no longer the one that this index last loaded or saved
 * (`expected`).
 */
export interface SearchSegmentStore {
  loadManifest(): Awaitable<Uint8Array | undefined>;
  read(name: string): Awaitable<Uint8Array | undefined>;
  save(change: SearchSegmentChange): Awaitable<boolean>;
}

export interface SearchSegmentChange {
  /** The bytes that `loadManifest` would return now, undefined for none. */
  expected: Uint8Array | undefined;
  manifest: Uint8Array;
  put: { name: string; bytes: Uint8Array }[];
  drop: string[];
}

/** Exact sums over the caller's Scope; all pages of one search are scored with those of its first page. */
export interface ScopeStatistics {
  /** (record, granted field) pairs with text, and their words. */
  units: number;
  words: number;
  /** How many of them are titles, and their words. */
  titles: number;
  titleWords: number;
  /** Units that match each clause. */
  matching: number[];
}

/**
 * The last hit of a page: where the next one starts. It contains nothing that the caller may not see; seal it
 * nevertheless.
 */
export interface SearchPosition {
  relaxation: Relaxation;
  /** Words in the Scope that replace misspelt ones. */
  near?: string[];
  /** Passages of several records that were shown with this score. */
  shown?: number[];
  /** Words added from the best hits of the first page. */
  feedback?: Feedback;
  statistics: ScopeStatistics;
  score: number;
  /** null: a record without a time. */
  time: number | null;
  key: string;
  id: string;
}

/** Where a page of a blended answer ended. */
export interface BlendPosition {
  /** The hits that follow: the version of the record, and which of its passages is near, or -1. */
  left: [version: number, passage: number][];
  /** Versions of all records that were found by meaning: words do not find them again. */
  taken: number[];
  /** The number of earlier hits. */
  place: number;
  /** Where the hits by words continue. */
  tail?: SearchPosition;
}

export interface SearchHit {
  /** The window of a field that is near the query in meaning, by UTF-16 offsets. */
  meaning?: { field: string; start: number; end: number };
  /** Its rank in a blended answer. */
  place?: number;
  /** Hits with an equal passage and the same score that it represents: how many, and the first of them. */
  repeats?: { count: number; hits: SearchHit[] };
  streamNo: number;
  id: string;
  version: number;
  score: number;
  /**
   * The language that the index found for each text, by field, so that building the evidence need not detect it again.
   */
  languages: ReadonlyMap<string, number>;
  /** The authored time, if the caller may see that field. */
  time?: number;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** Every matching record in the Scope, on all pages, and those that match every clause. */
  total: number;
  all: number;
  countIsExact: true;
  perStream: Map<number, number>;
  /** `2024-05` to count, in UTC; records without a visible time under "". Only when requested. */
  perMonth?: Map<string, number>;
  plan: QueryPlan;
  /** Clauses of the plan that match nothing in the Scope. */
  unmatched: number[];
  /** Words that the best hits share, and that ranked the others. */
  related?: string[];
  /** Other spellings, from words inside the Scope, when nothing matched. */
  suggestions?: string[];
  next?: SearchPosition;
  /** Where the next page would start after each hit, when requested. */
  ends?: SearchPosition[];
  /** For a blended answer: the same positions, and how many visible records the model has not read. */
  blend?: { next?: BlendPosition; ends?: BlendPosition[]; unread: number };
}
