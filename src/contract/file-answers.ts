// Answers of the files lens over HTTP about roots, indexes, nodes and jobs; files.ts and file-shell.ts have its types.
import { z } from "zod";
import { filePower } from "./file-access.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** Bytes: for a whole disk they may exceed an int of JSON. */
export const bytes = z.number().min(0);
export const nodeKind = z.enum(["dir", "file", "link", "fifo", "socket", "block_device", "character_device", "other"]);
export const jobStatus = z.enum(["queued", "running", "paused", "succeeded", "failed", "cancelled"]);

/** A page of a list: how to continue, here and over HTTP. Absent at the end. */
export const more = { nextCursor: z.string().optional(), nextPageUrl: z.string().optional() };
export const crumb = z.strictObject({ nodeId: z.string(), name: z.string() });

/** A directory that the owner approved. */
export const fileRoot = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  /** Printable: bytes that are not text, control characters and backslashes are escaped (\xNN, \\). */
  path: z.string(),
  createdAt: timestamp,
  /** Whether the directory exists at this moment. */
  available: z.boolean(),
  /** Whether scans enter other file systems that are mounted below it. Only the owner sets this. */
  crossMounts: z.boolean(),
  indexIds: z.array(z.string()),
});

export const fileRootRead = fileRoot.extend({
  /** The name that grants and the records lens use for it. */
  connectionId: z.string(),
  /** Whether the text of its files is also a stream of records. */
  text: z.boolean(),
  /** The powers of the caller on this root. */
  may: z.array(filePower),
  link: z.string(),
});
export const fileRootList = z.strictObject({ roots: z.array(fileRootRead), ...more });

/** The files themselves are not touched. */
export const fileRootRemoved = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  path: z.string(),
  connectionId: z.string(),
  removed: z.strictObject({ indexIds: z.array(z.string()), resourceSets: count, queries: count, records: count }),
  deleted: z.literal(true),
});

/** How a root is walked. Different options make a different index. */
export const indexOptions = z.strictObject({
  /** How many levels below the root are listed. */
  depthLimit: z.int().optional(),
  /** Links to directories inside the root are followed; links that lead outside never are. */
  followSymlinks: z.boolean().optional(),
  /** Names (`.git`, `*.tmp`) or, with a slash, paths from the root (`/build`, `** /cache`) that are skipped. */
  ignore: z.array(z.string()).optional(),
});

/** Sums over everything below a directory. A file with several names counts once. */
export const fileTotals = z.strictObject({
  files: count,
  dirs: count,
  /** Bytes of files and links, by their length. */
  size: bytes,
  /** Bytes taken on the disk, directories included. */
  allocated: bytes,
  /** Directories and entries that could not be read. */
  problems: count,
});

export const fileIndex = z.strictObject({
  indexId: z.string(),
  rootId: z.string(),
  /** The path of its root. */
  path: z.string(),
  name: z.string(),
  options: indexOptions,
  /** empty: nothing is known yet; partial: the first scan is running, or was interrupted. */
  status: z.enum(["empty", "partial", "complete"]),
  rootNodeId: z.string(),
  totals: fileTotals.optional(),
  scans: count,
  scannedAt: timestamp.optional(),
  /** The unfinished job that works on it. */
  jobId: z.string().optional(),
  /** Directories that are listed but were not scanned: too deep, unreadable, or on another file system. */
  unread: count.optional(),
});

/** The job that works on an index: listings may still grow. */
const jobUnderWay = z.strictObject({ jobId: z.string(), status: jobStatus, statusUrl: z.string() });

export const fileIndexRead = fileIndex.extend({
  link: z.string(),
  job: jobUnderWay.optional(),
  urls: z.strictObject({
    tree: z.string(),
    find: z.string(),
    scans: z.string(),
    reports: z.record(z.string(), z.string()),
  }),
});
export const fileIndexList = z.strictObject({ indexes: z.array(fileIndexRead) });

export const fileIndexRemoved = z.strictObject({
  indexId: z.string(),
  rootId: z.string(),
  path: z.string(),
  removed: z.strictObject({ resourceSets: count, queries: count }),
  deleted: z.literal(true),
});

export const scanStarted = z.strictObject({
  jobId: z.string(),
  indexId: z.string().optional(),
  statusUrl: z.string(),
  progressUrl: z.string(),
  cwdHint: z.string(),
  /** Present when the session uses another index of the root: which one, and how to use this one. */
  note: z.string().optional(),
});

/** One entry of a listing. For a directory, size and allocated are sums over everything below it. */
export const fileNode = z.strictObject({
  nodeId: z.string(),
  parentId: z.string().optional(),
  /** Printable, see FileRoot.path. */
  name: z.string(),
  /** The bytes of a name that is not printable, in base64. */
  nameBytes: z.string().optional(),
  kind: nodeKind,
  size: bytes,
  allocated: bytes,
  modifiedAt: timestamp,
  /** For a directory: its direct entries, and everything below it. */
  counts: z.strictObject({ entries: count, files: count, dirs: count }).optional(),
  /** For a directory: the newest change of a file below it. */
  newestAt: timestamp.optional(),
  /** For a directory that was not read: the reason. */
  state: z.enum(["unread", "unreadable", "too_deep", "mount", "home"]).optional(),
  /** For a directory that was not read, or that contains such a directory: size and counts are lower bounds (S-16). */
  atLeast: z.literal(true).optional(),
  /** For a link that was followed: the directory it leads to. */
  targetId: z.string().optional(),
  /** In lists over a whole tree. */
  path: z.string().optional(),
});

/** In a list; the link of a directory opens its listing. */
export const fileEntry = fileNode.extend({ link: z.string() });

export const fileNodeDetail = fileNode.extend({
  indexId: z.string(),
  path: z.string(),
  /** From the root down to the node itself. */
  breadcrumb: z.array(crumb),
  depth: count,
  /** As ls prints them: rwxr-xr-x. */
  permissions: z.string(),
  mode: count,
  uid: count,
  gid: count,
  mimeType: z.string().optional(),
  /** The first few entries that could not be read here. */
  problems: z.array(z.string()).optional(),
  /** For a file with several names: how many of them are in this index. */
  names: count.optional(),
});

/** How a directory changed since the previous scan. */
export const dirGrowth = z.strictObject({ since: timestamp, size: z.number(), files: z.int(), dirs: z.int() });

/** A file as scans found it. */
export const fileVersion = z.strictObject({
  size: bytes,
  modifiedAt: timestamp,
  /** The end of the scan that found this version; absent for the oldest known one. */
  foundAt: timestamp.optional(),
});

const nodeUrls = z.strictObject({
  download: z.string().optional(),
  /** A download link that works without a token for 15 minutes, but no longer than the grant is valid. */
  signedDownload: z.string().optional(),
  children: z.string().optional(),
  detail: z.string(),
  /** For a directory, what grew below it; for a file, the detail, which has its versions. */
  history: z.string().optional(),
  /** Reports on a directory. */
  largest: z.string().optional(),
  types: z.string().optional(),
});

export const fileNodeRead = fileNodeDetail.extend({
  link: z.string(),
  urls: nodeUrls,
  /** For a directory: its first entries. */
  children: z.strictObject({ entries: z.array(fileEntry), total: count, ...more }).optional(),
});

export const fileNodeExtended = fileNodeDetail.extend({
  link: z.string(),
  urls: nodeUrls,
  /** For a directory: the change since the scan before the last one. */
  growth: dirGrowth.optional(),
  /** For a file: the versions that scans found, the current one first. */
  versions: z.array(fileVersion).optional(),
  /** SHA-256, if one was computed for the file as indexed. */
  digest: z.string().optional(),
  symlink: z.strictObject({ target: z.string(), targetId: z.string().optional() }).optional(),
  /** For a file, if the caller may download: its current state on the disk. */
  now: z
    .strictObject({
      size: bytes,
      modifiedAt: timestamp,
      /** Changed since it was indexed. */
      changed: z.boolean(),
      /** Detected from its first bytes. */
      mimeType: z.string(),
      /** For a text: its beginning. */
      preview: z.strictObject({ text: z.string(), bytes: count, truncated: z.boolean() }).optional(),
    })
    .optional(),
  /** Why it cannot be opened now. */
  unreadable: z.string().optional(),
});

export const fileTree = z.strictObject({
  indexId: z.string(),
  parent: fileEntry,
  entries: z.array(fileEntry),
  total: count,
  job: jobUnderWay.optional(),
  ...more,
});

export const fileJobProgress = z.strictObject({
  /** Nodes found; for a rescan, nodes checked. */
  nodes: count,
  files: count,
  dirs: count,
  bytes,
  problems: count,
  /** Nodes per second. */
  rate: z.number().min(0),
  /** Present if a previous scan tells how much there is. */
  percent: z.number().optional(),
  etaSeconds: z.number().optional(),
});

export const fileJob = z.strictObject({
  jobId: z.string(),
  /** records: updates the records of its connection to match the last scan (S-14). */
  kind: z.enum(["index", "digest", "records"]),
  status: jobStatus,
  indexId: z.string(),
  startedAt: timestamp,
  updatedAt: timestamp,
  progress: fileJobProgress,
  /** The number of the resulting scan. */
  scan: count.optional(),
  error: z.string().optional(),
});

export const fileJobRead = fileJob.extend({
  progressPct: z.number().optional(),
  eta: timestamp.optional(),
  statusUrl: z.string(),
  /** The index, and its reports once it is done. */
  links: z.record(z.string(), z.string()),
});

export type FileRootRead = z.infer<typeof fileRootRead>;
export type FileRootList = z.infer<typeof fileRootList>;
export type FileRootRemoved = z.infer<typeof fileRootRemoved>;
export type FileIndexRead = z.infer<typeof fileIndexRead>;
export type FileIndexList = z.infer<typeof fileIndexList>;
export type FileIndexRemoved = z.infer<typeof fileIndexRemoved>;
export type FileEntry = z.infer<typeof fileEntry>;
export type FileNodeRead = z.infer<typeof fileNodeRead>;
export type FileNodeExtended = z.infer<typeof fileNodeExtended>;
export type FileTree = z.infer<typeof fileTree>;
export type FileJobRead = z.infer<typeof fileJobRead>;
