// The shell for indexed disks: nine small operations, the same for MCP, the command line and HTTP (S-02 … S-09).
import type { z } from "zod";
import type * as answers from "./file-answers.ts";
import type { FileNodeRead } from "./file-answers.ts";
import type * as reports from "./file-report-answers.ts";
import type { DirGrowth, FileFilter, FileJobStatus, FileTotals, FileVersion, NodeKind } from "./files.ts";

/** The maximum number of entries in any list of the shell. */
export const SHELL_LIST_MAX = 20;
export const SHELL_SAMPLE_MAX = 10;

export type Crumb = z.infer<typeof answers.crumb>;
export type More = Pick<answers.FileTree, keyof typeof answers.more>;
export type IndexResult = z.infer<typeof answers.scanStarted>;
export type SampleRow = z.infer<typeof reports.sampleRow>;
export type ResourceSetCard = Omit<z.infer<typeof reports.setCard>, "link">;
export type ResourceSetResult = Omit<reports.ResourceSetRead, "link">;
export type QueryCard = Omit<z.infer<typeof reports.queryCard>, "link">;
export type QueryRunResult = z.infer<typeof reports.queryRun>;
export type QueryLookResult = { indexId: string } & Pick<
  QueryRunResult,
  "report" | "nextCursor" | "partial" | "digests"
>;
export type ShellPreferences = Pick<z.infer<typeof reports.fileSession>, "sessionId" | "units" | "limit">;
export type ShellSession = Omit<z.infer<typeof reports.fileSession>, "units" | "limit">;

export interface ShellEntry {
  nodeId: string;
  name: string;
  kind: NodeKind;
  size: number;
  /** For a directory: the counts over everything below it. */
  counts?: { files: number; dirs: number };
  /** Present for everything except directories. */
  modifiedAt?: string;
  /** For a directory that was not read in full: its size and counts are lower bounds. */
  atLeast?: true;
  /** For a directory that was not read: the reason why. */
  note?: string;
  /** Present for a root that was not scanned; other entries use `entryLink`. */
  link?: string;
}

export interface CdResult extends Omit<ShellSession, "link">, More {
  entries: ShellEntry[];
  /**
   * The link template for entries; replace {nodeId}. A directory's link opens its first entries and leads to the next
   * page.
   */
  entryLink?: string;
  /** The number of entries in the directory. */
  total: number;
  /** Present while a scan is running; until it ends, the listing can still grow. */
  job?: { jobId: string; status: FileJobStatus; statusUrl: string };
  /** How to continue, for a root that is not indexed yet or a directory that was not scanned. */
  hint?: string;
}

export interface JobProgressResult {
  jobId: string;
  kind: string;
  status: FileJobStatus;
  startedAt: string;
  progressPct?: number;
  /** RFC 3339. */
  eta?: string;
  indexId?: string;
  report?: Omit<FileTotals, "allocated"> & { rate: number };
  error?: string;
  statusUrl: string;
  /** Links to more detailed metrics. */
  links: Record<string, string>;
}

export interface InspectResult {
  nodeId: string;
  path: string;
  kind: NodeKind;
  size: number;
  atLeast?: true;
  note?: string;
  modifiedAt: string;
  permissions?: string;
  digest?: string;
  mimeType?: string;
  symlink?: { target: string; targetId?: string };
  problems?: string[];
  /** For a directory: how it changed between the last two scans. */
  growth?: DirGrowth;
  /** For a file: the versions that scans found, newest first. */
  versions?: FileVersion[];
  /**
   * For a file whose text is a record: the handles of the record and of a text window, for `fetch` in the records lens.
   */
  text?: { record: string; window: string };
  link: string;
  urls: FileNodeRead["urls"];
}

export type ResourceSetOps =
  | { op: "create"; name: string; indexId?: string; nodeIds?: string[]; sessionId?: string }
  /** Set operations on two or more sets of one index. */
  | { op: "create"; name: string; combine: "union" | "intersection" | "difference"; selectionIds: string[] }
  /** With `whole`, returns the full page size even if names are long. */
  | { op: "list"; cursor?: string; indexId?: string; limit?: number; whole?: boolean }
  | { op: "get"; selectionId: string; cursor?: string }
  | { op: "delete"; selectionId: string }
  | { op: "delete"; selectionId?: undefined; queryId: string }
  | { op: "add" | "remove"; selectionId: string; nodeIds: string[] };

/** Part of every response: the base URL of its links, and how sizes are shown if this session chose a unit. */
export interface ShellUnits {
  base: string;
  units?: ShellPreferences["units"];
}

/**
 * The shell for one caller. It contains only approved roots, and refuses operations for which the caller lacks the
 * power.
 */
export interface FileShell {
  cd(query: {
    path: string;
    limit?: number;
    cursor?: string;
    /** Selects an index other than the fullest one. The session keeps using it as long as it stays in the root. */
    indexId?: string;
    sessionId?: string;
  }): Promise<CdResult & ShellUnits>;
  index(query: {
    root: string;
    depthLimit?: number;
    followSymlinks?: boolean;
    digests?: boolean;
    sessionId?: string;
  }): Promise<IndexResult & ShellUnits>;
  jobProgress(query: { jobId: string }): Promise<JobProgressResult & ShellUnits>;
  inspect(query: { nodeId?: string; path?: string; sessionId?: string }): Promise<InspectResult & ShellUnits>;
  resourceSetOps(
    query: ResourceSetOps,
  ): Promise<
    (
      | ResourceSetResult
      | ({ sets: ResourceSetCard[] } & More)
      | { selectionId: string; deleted: true }
      | { queryId: string; deleted: true }
    ) &
      ShellUnits
  >;
  queryRun(
    query:
      | { queryId: string; cursor?: string }
      | { filter: FileFilter; name?: string; under?: string; indexId?: string; sessionId?: string },
  ): Promise<QueryRunResult & ShellUnits>;
  /** Runs a query without storing anything. */
  queryLook(query: {
    filter: FileFilter;
    under?: string;
    indexId?: string;
    cursor?: string;
    sessionId?: string;
  }): Promise<QueryLookResult & ShellUnits>;
  queryList(query: { cursor?: string }): Promise<{ queries: QueryCard[] } & More & ShellUnits>;
  queryGet(query: {
    queryId: string;
    full?: boolean;
  }): Promise<QueryCard & { filterUrl: string; filter?: FileFilter } & ShellUnits>;
  sessionPreferences(query: {
    sessionId?: string;
    units?: ShellPreferences["units"];
    limit?: number;
  }): Promise<ShellPreferences & Pick<ShellSession, "link"> & ShellUnits>;
}
