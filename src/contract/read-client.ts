// ReadClient: the one interface that CLI and MCP are written over; the engine and HTTP both implement it.
import type { Aggregation, FieldWindow, List, RecordList, SearchList, StreamSummary } from "./answers.ts";
import type { ConnectionRead } from "./connection.ts";
import type {
  AggregateQuery,
  RecordQuery,
  RecordsQuery,
  SchemaQuery,
  SearchQuery,
  StreamQuery,
  StreamsQuery,
  WindowQuery,
} from "./read.ts";
import type { RecordRead } from "./record.ts";
import type { SchemaDocument, StreamMetadata } from "./schema-document.ts";

/** Each call runs under the caller's Scope and fails with a PdppError. */
export interface ReadClient {
  schema(query: SchemaQuery): Promise<SchemaDocument>;
  streams(query: StreamsQuery): Promise<List<StreamSummary>>;
  stream(query: StreamQuery): Promise<StreamMetadata>;
  records(query: RecordsQuery): Promise<RecordList>;
  record(query: RecordQuery): Promise<RecordRead>;
  window(query: WindowQuery): Promise<FieldWindow>;
  aggregate(query: AggregateQuery): Promise<Aggregation>;
  search(query: SearchQuery): Promise<SearchList>;
  connections(): Promise<List<ConnectionRead>>;
}
