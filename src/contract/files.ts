// The files lens: roots, indexes, nodes, listings, jobs and reports, as every surface shows them. Times are RFC 3339.
import type { z } from "zod";
import type * as answers from "./file-answers.ts";
import type * as reports from "./file-report-answers.ts";

export type NodeKind = z.infer<typeof answers.nodeKind>;
export type FileJobStatus = z.infer<typeof answers.jobStatus>;
export type FileRoot = z.infer<typeof answers.fileRoot>;
export type IndexOptions = z.infer<typeof answers.indexOptions>;
export type FileTotals = z.infer<typeof answers.fileTotals>;
export type FileIndex = z.infer<typeof answers.fileIndex>;
export type FileNode = z.infer<typeof answers.fileNode>;
export type FileNodeDetail = z.infer<typeof answers.fileNodeDetail>;
export type FileJobProgress = z.infer<typeof answers.fileJobProgress>;
export type FileJob = z.infer<typeof answers.fileJob>;
export type TypeShare = z.infer<typeof reports.typeShare>;
export type AgeShare = z.infer<typeof reports.ageShare>;
export type FileScan = z.infer<typeof reports.fileScan>;
export type DirGrowth = z.infer<typeof answers.dirGrowth>;
export type FileVersion = z.infer<typeof answers.fileVersion>;
export type GrownDir = z.infer<typeof reports.grownDir>;

/**
 * Explains why a listing shows nothing below a directory that was not read. The content of a home or its backup is
 * never shown (G-07).
 */
export const NOT_READ: Record<NonNullable<FileNode["state"]>, string> = {
  unread: "not scanned yet",
  unreadable: "cannot be read",
  too_deep: "not scanned below this depth",
  mount: "another file system, not scanned",
  home: "a Postern home, not shown",
};

export type DirState = "read" | NonNullable<FileNode["state"]>;

export type ListingOrder = "name" | "size" | "time";

export interface ListingQuery {
  order?: ListingOrder;
  /** By default, names are in ascending order, and sizes and times in descending order. */
  descending?: boolean;
  limit?: number;
  cursor?: string;
}

export interface FileListing {
  indexId: string;
  parent: FileNode;
  entries: FileNode[];
  /** The number of entries in the directory. */
  total: number;
  nextCursor?: string;
}

/**
 * Conditions for a search over a whole tree. Each object has one operator; `and`, `or` and `not` combine conditions.
 */
export type FileFilter =
  | { and: FileFilter[] }
  | { or: FileFilter[] }
  | { not: FileFilter }
  /** A pattern for names: *.pdf, IMG_????.jpg, *.{jpg,png}. */
  | { name: string; caseSensitive?: boolean }
  /** A pattern for paths from the root; ** matches across directories. */
  | { path: string; caseSensitive?: boolean }
  | { kind: NodeKind | NodeKind[] }
  /** A MIME type, image/* or .pdf; determined from the extension. */
  | { type: string }
  /** Bytes; for a directory, the sum over everything below it. */
  | { size: { min?: number; max?: number } }
  /** RFC 3339 times or dates: after ≤ modified < before. */
  | { modified: { after?: string; before?: string } }
  | { uid: number }
  | { gid: number }
  /** Octal; requires all of these bits, or any of them. */
  | { permission: { all: string } | { any: string } }
  /** Levels below the root; direct entries of the root have depth 1. */
  | { depth: { min?: number; max?: number } }
  /** Files that are known to have a copy (see duplicates). */
  | { duplicate: boolean };

/** How a filter runs over the columns of an index. The parts of an `and` run in this order, cheapest first. */
export interface FilterPlan {
  operator: string;
  /** An estimate. */
  nanosecondsPerNode: number;
  steps?: FilterPlan[];
  /** Present for operators that do not combine others. */
  filter?: FileFilter;
}

export type FindOrder = "tree" | "name" | "size" | "time";

export interface FindQuery {
  filter?: FileFilter;
  /** Searches only below this directory. */
  under?: string;
  order?: FindOrder;
  descending?: boolean;
  limit?: number;
  cursor?: string;
}

export interface FoundNodes {
  indexId: string;
  entries: FileNode[];
  /** Counts all matches, not only those on this page. The size of a match inside a matching directory counts once. */
  matches: { nodes: number; files: number; dirs: number; size: number };
  nextCursor?: string;
}

/**
 * All matches as columns: match i is entry numbers[i] of directory dirs[i], or the directory itself if that number is
 * DIRECTORY.
 */
export interface SelectedNodes {
  dirs: Uint32Array;
  numbers: Uint32Array;
  modes: Uint16Array;
  /** The size of each match; for a directory, the sum over everything below it. */
  sizes: Float64Array;
  files: number;
  directories: number;
  /** The total size. A match inside a matching directory counts once. */
  size: number;
}

/** The value in SelectedNodes.numbers that stands for the directory itself. */
export const DIRECTORY = 0xffff_ffff;

export interface ProblemNode {
  nodeId: string;
  path: string;
  text: string;
}

/** Directories whose totals differ between two scans, largest difference first. */
export interface Growth {
  indexId: string;
  from: FileScan;
  to: FileScan;
  /** The growth of the whole tree, or of `under`. */
  growth: number;
  dirs: GrownDir[];
  more: boolean;
}

export interface DuplicateFiles {
  sha256: string;
  /** The size of one copy. */
  size: number;
  /** Bytes that the other copies use. */
  wasted: number;
  files: FileNode[];
  /** How many copies are not shown. */
  more: number;
}

export interface Duplicates {
  indexId: string;
  groups: DuplicateFiles[];
  total: { groups: number; wasted: number };
  nextCursor?: string;
}

export const isUnfinished = ({ status }: Pick<FileJob, "status">): boolean =>
  ["queued", "running", "paused"].includes(status);
