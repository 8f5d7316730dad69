// ReadClient: the interface that the CLI and MCP use; the engine and HTTP both implement it.
import type {
  Aggregation,
  ExportHandleRead,
  ExportInfo,
  FieldWindow,
  List,
  RecordList,
  SearchList,
  StreamSummary,
} from "./answers.ts";
import type { StoredBlob } from "./blob.ts";
import type { ConnectionRead } from "./connection.ts";
import type { LinkRequest } from "./link.ts";
import type {
  AggregateQuery,
  BlobQuery,
  ExportQuery,
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
import type { SignedLink } from "./signed-link.ts";

/** Each call runs under the caller's Scope and fails only with a PdppError. */
export interface ReadClient {
  schema(query: SchemaQuery): Promise<SchemaDocument>;
  streams(query: StreamsQuery): Promise<List<StreamSummary>>;
  stream(query: StreamQuery): Promise<StreamMetadata>;
  records(query: RecordsQuery): Promise<RecordList>;
  record(query: RecordQuery): Promise<RecordRead>;
  window(query: WindowQuery): Promise<FieldWindow>;
  aggregate(query: AggregateQuery): Promise<Aggregation>;
  search(query: SearchQuery): Promise<SearchList>;
  /** Returns a handle for a query, without counting or reading anything. */
  exportHandle(query: ExportQuery): Promise<ExportHandleRead>;
  /** Describes the export of a query or handle and how to get it, without starting anything. */
  exportInfo(query: ExportQuery): Promise<ExportInfo>;
  /** Returns the metadata of a blob; its bytes are downloaded separately. */
  blob(query: BlobQuery): Promise<StoredBlob>;
  /** Returns a URL that opens a download without a token. */
  link(query: LinkRequest): Promise<SignedLink>;
  connections(): Promise<List<ConnectionRead>>;
}
