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
