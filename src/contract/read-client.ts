// ReadClient: the interface that the CLI and MCP are written against; the engine and HTTP both implement it.
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
  /** A handle for a query; nothing is counted or read. */
  exportHandle(query: ExportQuery): Promise<ExportHandleRead>;
  /** Describes the export of a query or a handle and how to get it. Starts nothing. */
  exportInfo(query: ExportQuery): Promise<ExportInfo>;
  /** Metadata of a blob; its bytes are a download. */
  blob(query: BlobQuery): Promise<StoredBlob>;
  /** An address that opens a download without a token. */
  link(query: LinkRequest): Promise<SignedLink>;
  connections(): Promise<List<ConnectionRead>>;
}
