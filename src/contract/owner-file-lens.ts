// Calls from the owner's pages to the files lens. Reads are not logged; writes are.
import type { ResourceSetCard } from "./file-shell.ts";
import type {
  AgeShare,
  Duplicates,
  FileFilter,
  FileIndex,
  FileJob,
  FileListing,
  FileNode,
  FileNodeDetail,
  FileRoot,
  FileScan,
  FindQuery,
  FoundNodes,
  Growth,
  ListingQuery,
  NodeKind,
  TypeShare,
} from "./files.ts";

/** True if the text of a root's files is also a stream of records; `photos` includes text recognised in photos. */
export type TextChoice = boolean | "photos";

export interface OwnerRoot extends FileRoot {
  connectionId: string;
  text: TextChoice;
  /** Explains whether text in pictures is recognised here, and which packages are missing. */
  recognition: string;
  /** The index to show; absent if the root was never scanned. */
  index?: FileIndex;
  /** The latest job of each kind, over all indexes of the root. */
  jobs: { index?: FileJob; digest?: FileJob; records?: FileJob };
}

/** Created by the owner, or by an app with this client_id. */
interface Made {
  clientId?: string;
  createdAt: string;
}

export interface OwnerSet extends Omit<ResourceSetCard, "entriesUrl">, Made {}

export interface OwnerSavedQuery extends Made {
  queryId: string;
  name: string;
  indexId: string;
  filterSummary: string;
  selectionId?: string;
  lastExecutedAt?: string;
}

/** For deleted entries we keep only what was recorded when they were added. */
export type OwnerSetEntry = FileNode | { nodeId: string; kind: NodeKind; size: number; missing: true };

export interface OwnerFilePage {
  limit?: number;
  cursor?: string;
}

export interface UnderFolder {
  under?: string;
}

export interface OwnerFileLens {
  roots(): Promise<OwnerRoot[]>;
  root(rootId: string): Promise<OwnerRoot>;
  /** The root of an index, together with that index. */
  place(indexId: string): Promise<OwnerRoot & { index: FileIndex }>;
  node(indexId: string, nodeId: string): Promise<FileNodeDetail>;
  /** SHA-256 in hexadecimal, if it was computed. */
  digest(indexId: string, nodeId: string): Promise<string | undefined>;
  children(indexId: string, nodeId: string, query: ListingQuery): Promise<FileListing>;
  find(indexId: string, query: FindQuery): Promise<FoundNodes>;
  largest(
    indexId: string,
    query: OwnerFilePage & UnderFolder & { kind: "file" | "dir" },
  ): Promise<{ entries: FileNode[]; nextCursor?: string }>;
  types(indexId: string, query: UnderFolder): Promise<TypeShare[]>;
  ages(indexId: string, query: UnderFolder): Promise<AgeShare[]>;
  duplicates(indexId: string, query: OwnerFilePage): Promise<Duplicates>;
  /** Newest first. */
  scans(indexId: string): Promise<FileScan[]>;
  growth(indexId: string, query: UnderFolder & { from: number; to?: number; limit?: number }): Promise<Growth>;
  /** All sets of the owner and of apps, newest first. */
  sets(indexId: string): Promise<OwnerSet[]>;
  entries(
    selectionId: string,
    query: OwnerFilePage,
  ): Promise<{ set: OwnerSet; entries: OwnerSetEntry[]; nextCursor?: string }>;
  queries(indexId: string): Promise<OwnerSavedQuery[]>;

  /** Approves a directory and starts a scan. */
  addRoot(root: { path: string; text: boolean }): Promise<FileJob>;
  setText(rootId: string, text: TextChoice): Promise<void>;
  /** Sets whether scans enter other file systems below the root, and scans it again. */
  setCrossMounts(rootId: string, crossMounts: boolean): Promise<void>;
  /** Also returns how many records were deleted with the root. */
  removeRoot(rootId: string): Promise<{ path: string; records: number }>;
  scan(rootId: string): Promise<FileJob>;
  rescan(indexId: string, options: { verify: boolean }): Promise<FileJob>;
  controlJob(jobId: string, verb: "pause" | "resume" | "cancel"): Promise<void>;
  findCopies(indexId: string): Promise<FileJob>;
  syncRecords(rootId: string): Promise<void>;
  /** Saves a filter, and its matches as a selection. */
  keep(query: { indexId: string; filter: FileFilter; under?: string; name: string }): Promise<{ selectionId: string }>;
  runQuery(queryId: string): Promise<{ selectionId: string; matches: number }>;
  deleteQuery(queryId: string): Promise<void>;
  deleteSet(selectionId: string): Promise<void>;
}
