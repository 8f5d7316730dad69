// The response types by name. This file exports only types, so importing it loads no schema.
export type { Aggregation, AggregationGroup } from "./aggregation.ts";
export type { Bearer } from "./bearer.ts";
export type { ExpandCapability, FieldCapability } from "./capability.ts";
export type { ExportHandleRead, ExportInfo, ExportJob } from "./export.ts";
export type { FieldWindow } from "./field-window.ts";
export type { List, Warning } from "./list.ts";
export type { RecordList } from "./record.ts";
export type { EvidenceExcerpt, SearchList, SearchMeta, SearchResult, SourceMix } from "./search.ts";
export type { StreamSummary } from "./stream.ts";
