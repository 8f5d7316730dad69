// What a reader gets: list envelopes, windows, aggregations, schema documents.
import type { RangeOperator } from "./declaration.ts";
import type { RecordRead, SourceIdentity, Tombstone } from "./record.ts";

export interface Warning {
  code: string;
  message: string;
  param?: string;
}

export interface List<T> {
  object: "list";
  url: string;
  data: T[];
  has_more: boolean;
  next_cursor?: string;
  next_changes_since?: string;
  links: { self: string; next?: string };
  meta: { count?: { kind: "exact" | "estimated"; value: number }; warnings?: Warning[] };
}

export type RecordList = List<RecordRead | Tombstone> & SourceIdentity;

export interface StreamSummary extends SourceIdentity {
  object: "stream";
  name: string;
  record_count: number;
  last_updated: string | null;
  freshness: { last_updated: string | null };
}

export interface FieldWindow extends SourceIdentity {
  object: "field_window";
  record_id: string;
  stream: string;
  field: { path: string; pointer?: string; type: string };
  window: {
    text: string;
    start_chars: number;
    end_chars: number;
    limit_chars: number;
    total_chars: number;
    complete: boolean;
    has_more: boolean;
    match_start_chars?: number;
    match_end_chars?: number;
    next_offset_chars?: number;
    previous_offset_chars?: number;
  };
  next_cursor?: string;
  /** A digest of the whole text: another one means that the record moved. */
  revision: string;
  handle: string;
  next_handle?: string;
}

/** How to read on where an excerpt was cut (L-11). */
export interface FieldWindowRead {
  object: "field_window_read";
  method: "GET";
  route: string;
  handle: string;
}

/** A piece of a field's text that the index proves to match. */
export interface EvidenceExcerpt {
  object: "evidence_excerpt";
  field_path: string;
  preview_text: string;
  /** Code points in the field's text; absent for a list of texts. */
  start_chars?: number;
  end_chars?: number;
  total_chars?: number;
  matches?: { start_chars: number; end_chars: number }[];
  truncated: boolean;
  provenance: "lexical_match";
  read?: FieldWindowRead;
}

export interface SearchResult extends SourceIdentity {
  object: "search_result";
  stream: string;
  record_key: string;
  record_url: string;
  handle: string;
  emitted_at: string;
  authored_at?: string;
  /** What the record is, never what matched (E-18). */
  title: string;
  matched_fields: string[];
  /** Matches in balanced <mark> tags; all else is text with &, < and > escaped. */
  snippet: { field: string; text: string } | null;
  score: number;
  evidence_excerpts: EvidenceExcerpt[];
}

export interface SourceMix extends SourceIdentity {
  stream: string;
  count: number;
}

export interface SearchMeta {
  count: { kind: "exact"; value: number };
  ranking: "bm25";
  mode: "lexical";
  order: "relevance" | "newest";
  searched: { connections: number; streams: number };
  /** How many of all hits each stream has, largest first; only when several have some. */
  source_mix?: SourceMix[];
  relaxed?: string;
  suggestions?: string[];
  facets?: { streams: SourceMix[]; months: { month: string; count: number }[] };
  warnings?: Warning[];
}

export type SearchList = Omit<List<SearchResult>, "meta"> & { meta: SearchMeta };

export interface AggregationGroup {
  key: string | number | boolean | null;
  count: number;
  value?: string | number | null;
}

export interface Aggregation extends SourceIdentity {
  object: "aggregation";
  stream: string;
  metric: string;
  field?: string;
  group_by?: string;
  group_by_time?: string;
  granularity?: string;
  time_zone?: string;
  filtered_record_count: number;
  value?: string | number | null;
  groups?: AggregationGroup[];
  limit?: number;
  other_count?: number;
  approximate: false;
}

export interface FieldCapability {
  type: string;
  format?: string;
  nullable?: boolean;
  granted: true;
  exact_filter: boolean;
  range_filter: RangeOperator[];
  sort: boolean;
  lexical_search: boolean;
  semantic_search: boolean;
  aggregation: {
    count_distinct: boolean;
    group_by: boolean;
    group_by_time: boolean;
    sum: boolean;
    min: boolean;
    max: boolean;
    avg: boolean;
  };
}

export interface ExpandCapability {
  name: string;
  stream: string;
  cardinality: "has_one" | "has_many";
  default_limit: number;
  max_limit: number;
}

export interface Bearer {
  kind: "owner" | "client" | "mcp_package";
  scope: "owner" | "grant" | "package";
  subject_id: string;
  client_id?: string;
  grant_id?: string;
  grant_package_id?: string;
}
