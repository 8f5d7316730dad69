// The files lens: roots, indexes, nodes, listings, jobs and reports, as every surface shows them. Times are RFC 3339.

export type NodeKind = "dir" | "file" | "link" | "fifo" | "socket" | "block_device" | "character_device" | "other";

/** A directory that the owner let be looked at. */
export interface FileRoot {
  rootId: string;
  name: string;
  /** Printable: bytes that are no text, control characters and backslashes are escaped (\xNN, \\). */
  path: string;
  createdAt: string;
  /** Whether it stands there at this moment. */
  available: boolean;
  /** Whether scans enter other file systems that are mounted below it. Only the owner sets this. */
  crossMounts: boolean;
  indexIds: string[];
}

/** How a root is walked. Another way of walking is another index. */
export interface IndexOptions {
  /** Levels below the root that are listed. */
  depthLimit?: number;
  /** Links to directories inside the root lead there; none leads out. */
  followSymlinks?: boolean;
  /** Names (`.git`, `*.tmp`) or, with a slash, paths from the root (`/build`, `** /cache`) that are left out. */
  ignore?: string[];
}

/** Sums over all below a directory. A file with several names counts once. */
export interface FileTotals {
  files: number;
  dirs: number;
  /** Bytes of files and links, as they read. */
  size: number;
  /** Bytes taken on the disk, directories included. */
  allocated: number;
  /** What could not be read. */
  problems: number;
}

export interface FileIndex {
  indexId: string;
  rootId: string;
  /** The path of its root. */
  path: string;
  name: string;
  options: IndexOptions;
  /** empty: nothing is known yet; partial: a first scan is under way, or broke off. */
  status: "empty" | "partial" | "complete";
  rootNodeId: string;
  totals?: FileTotals;
  scans: number;
  scannedAt?: string;
  /** The unfinished job that works on it. */
  jobId?: string;
}

/** What a listing says of a directory in the state `home`: a home or a backup of one, whose content is never shown (G-07). */
export const A_HOME = "a Postern home, not shown";

export type DirState = "read" | "unread" | "unreadable" | "too_deep" | "mount" | "home";

/** One entry of a listing. Of a directory, size and allocated are sums over all below it. */
export interface FileNode {
  nodeId: string;
  parentId?: string;
  /** Printable, see FileRoot.path. */
  name: string;
  /** The bytes of a name that cannot be printed as it is, in base64. */
  nameBytes?: string;
  kind: NodeKind;
  size: number;
  allocated: number;
  modifiedAt: string;
  /** Of a directory: what is right in it, and all below it. */
  counts?: { entries: number; files: number; dirs: number };
  /** Of a directory: the newest change of a file below it. */
  newestAt?: string;
  /** Of a directory that was not read: why. */
  state?: Exclude<DirState, "read">;
  /** Of a link that was followed: the directory it leads to. */
  targetId?: string;
  /** In lists over a whole tree. */
  path?: string;
}

export interface FileNodeDetail extends FileNode {
  indexId: string;
  path: string;
  /** From the root down to the node itself. */
  breadcrumb: { nodeId: string; name: string }[];
  depth: number;
  /** As ls prints them: rwxr-xr-x. */
  permissions: string;
  mode: number;
  uid: number;
  gid: number;
  mimeType?: string;
  /** Of what could not be read here: the first few. */
  problems?: string[];
  /** Of a file with several names: how many of them are in this index. */
  names?: number;
}

export type ListingOrder = "name" | "size" | "time";

export interface ListingQuery {
  order?: ListingOrder;
  /** Names ascend by default, sizes and times descend. */
  descending?: boolean;
  limit?: number;
  cursor?: string;
}

export interface FileListing {
  indexId: string;
  parent: FileNode;
  entries: FileNode[];
  /** Entries of the directory in all. */
  total: number;
  nextCursor?: string;
}

export type FileJobStatus = "queued" | "running" | "paused" | "succeeded" | "failed" | "cancelled";

export interface FileJobProgress {
  /** Nodes found, or of a rescan: looked at. */
  nodes: number;
  files: number;
  dirs: number;
  bytes: number;
  problems: number;
  /** Nodes per second. */
  rate: number;
  /** Where the scan before says how much there is. */
  percent?: number;
  etaSeconds?: number;
}

export interface FileJob {
  jobId: string;
  /** records: brings the records of its connection up to date with the last scan (S-14). */
  kind: "index" | "digest" | "records";
  status: FileJobStatus;
  indexId: string;
  startedAt: string;
  updatedAt: string;
  progress: FileJobProgress;
  /** The scan that came of it. */
  scan?: number;
  error?: string;
}

/** What a search over a whole tree looks for. Each object has one operator; `and`, `or` and `not` combine them. */
export type FileFilter =
  | { and: FileFilter[] }
  | { or: FileFilter[] }
  | { not: FileFilter }
  /** A pattern over names: *.pdf, IMG_????.jpg, *.{jpg,png}. */
  | { name: string; caseSensitive?: boolean }
  /** A pattern over paths from the root; ** crosses directories. */
  | { path: string; caseSensitive?: boolean }
  | { kind: NodeKind | NodeKind[] }
  /** By extension: a MIME type, image/* or .pdf. */
  | { type: string }
  /** Bytes; of a directory all below it. */
  | { size: { min?: number; max?: number } }
  /** RFC 3339 times or dates: after ≤ modified < before. */
  | { modified: { after?: string; before?: string } }
  | { uid: number }
  | { gid: number }
  /** Octal: all of these bits, or any of them. */
  | { permission: { all: string } | { any: string } }
  /** Levels below the root: what is right in it has depth 1. */
  | { depth: { min?: number; max?: number } }
  /** Files that were found to have a copy (see duplicates). */
  | { duplicate: boolean };

/** How a filter runs over the columns of an index: the parts of an `and` in this order, cheapest first. */
export interface FilterPlan {
  operator: string;
  /** A rough measure. */
  nanosecondsPerNode: number;
  steps?: FilterPlan[];
  /** Of an operator that combines no others. */
  filter?: FileFilter;
}

export type FindOrder = "tree" | "name" | "size" | "time";

export interface FindQuery {
  filter?: FileFilter;
  /** Only below this directory. */
  under?: string;
  order?: FindOrder;
  descending?: boolean;
  limit?: number;
  cursor?: string;
}

export interface FoundNodes {
  indexId: string;
  entries: FileNode[];
  /** All that match, not only this page. What lies in a directory that matches counts with that, once. */
  matches: { nodes: number; files: number; dirs: number; size: number };
  nextCursor?: string;
}

/** All that match, as columns: entry numbers[i] of directory dirs[i]; DIRECTORY for the directory itself. */
export interface SelectedNodes {
  dirs: Uint32Array;
  numbers: Uint32Array;
  modes: Uint16Array;
  /** Of each; of a directory all below it. */
  sizes: Float64Array;
  files: number;
  directories: number;
  /** Of all together: what lies in a directory that matches counts with that, once. */
  size: number;
}

/** In SelectedNodes.numbers: the directory itself. */
export const DIRECTORY = 0xffff_ffff;

export interface TypeShare {
  /** MIME type by extension; application/octet-stream where the extension says nothing. */
  type: string;
  extensions: string[];
  files: number;
  size: number;
}

export interface AgeShare {
  /** Modified at or after, and before; the first and the last are open. */
  after?: string;
  before?: string;
  label: string;
  files: number;
  size: number;
}

export interface ProblemNode {
  nodeId: string;
  path: string;
  text: string;
}

export interface FileScan {
  scan: number;
  jobId: string;
  mode: "first" | "changed" | "verify";
  startedAt: string;
  endedAt: string;
  totals: FileTotals;
  /** Directories that had to be read. */
  dirsRead: number;
}

export interface GrownDir {
  /** Absent when it is gone. */
  nodeId?: string;
  path: string;
  before?: { files: number; dirs: number; size: number; allocated: number };
  after?: { files: number; dirs: number; size: number; allocated: number };
  growth: number;
}

/** Directories whose sums differ between two scans, the greatest difference first. */
export interface Growth {
  indexId: string;
  from: FileScan;
  to: FileScan;
  /** Of the whole tree, or of `under`. */
  growth: number;
  dirs: GrownDir[];
  more: boolean;
}

export interface DuplicateFiles {
  sha256: string;
  /** Of one of them. */
  size: number;
  /** Bytes that the others take. */
  wasted: number;
  files: FileNode[];
  /** More than are shown. */
  more: number;
}

export interface Duplicates {
  indexId: string;
  groups: DuplicateFiles[];
  total: { groups: number; wasted: number };
  nextCursor?: string;
}
