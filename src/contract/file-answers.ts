// Responses of the files lens over HTTP about roots, indexes, nodes and jobs; its types are in files.ts and
// file-shell.ts.
import { z } from "zod";
import { filePower } from "./file-access.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** Not an int, because a whole disk can have more bytes than a JSON integer can express. */
export const bytes = z.number().min(0);
export const nodeKind = z.enum(["dir", "file", "link", "fifo", "socket", "block_device", "character_device", "other"]);
export const jobStatus = z.enum(["queued", "running", "paused", "succeeded", "failed", "cancelled"]);

/** How to get the next page of a list, here and over HTTP. Absent on the last page. */
export const more = { nextCursor: z.string().optional(), nextPageUrl: z.string().optional() };
export const crumb = z.strictObject({ nodeId: z.string(), name: z.string() });

/** A directory that the owner approved. */
export const fileRoot = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  /** A printable form: bytes that are not text, control characters and backslashes are escaped (\xNN, \\). */
  path: z.string(),
  createdAt: timestamp,
  /** True if the directory exists at this moment. */
  available: z.boolean(),
  /** True if scans enter other file systems that are mounted below the root. Only the owner can set this. */
  crossMounts: z.boolean(),
  indexIds: z.array(z.string()),
});

export const fileRootRead = fileRoot.extend({
  /** The id that grants and the records lens use for the root. */
  connectionId: z.string(),
  /** True if the text of the root's files is also available as a stream of records. */
  text: z.boolean(),
  /** The caller's powers on this root. */
  may: z.array(filePower),
  link: z.string(),
});
export const fileRootList = z.strictObject({ roots: z.array(fileRootRead), ...more });

/** Removing a root does not touch the files themselves. */
export const fileRootRemoved = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  path: z.string(),
  connectionId: z.string(),
  removed: z.strictObject({ indexIds: z.array(z.string()), resourceSets: count, queries: count, records: count }),
  deleted: z.literal(true),
});

/** How a scan walks a root. Different options make a different index. */
export const indexOptions = z.strictObject({
  /** How many levels below the root are listed. */
  depthLimit: z.int().optional(),
  /** If true, links to directories inside the root are followed. Links that lead outside never are. */
  followSymlinks: z.boolean().optional(),
  /** Names (`.git`, `*.tmp`) or, with a slash, paths from the root (`/build`, `** /cache`) that are skipped. */
  ignore: z.array(z.string()).optional(),
});

/** Sums over everything below a directory. A file with several names counts once. */
export const fileTotals = z.strictObject({
  files: count,
  dirs: count,
  /** Total length in bytes of files and links. */
  size: bytes,
  /** Bytes used on disk, including directories. */
  allocated: bytes,
  /** Directories and entries that could not be read. */
  problems: count,
});

export const fileIndex = z.strictObject({
  indexId: z.string(),
  rootId: z.string(),
  /** The path of the index's root. */
  path: z.string(),
  name: z.string(),
  options: indexOptions,
  /**
   * `empty` means that nothing has been scanned yet; `partial` means that the first scan is running or was interrupted.
   */
  status: z.enum(["empty", "partial", "complete"]),
  rootNodeId: z.string(),
  totals: fileTotals.optional(),
  scans: count,
  scannedAt: timestamp.optional(),
  /** The unfinished job that is working on the index. */
  jobId: z.string().optional(),
  /** Directories that are listed but were not scanned: too deep, unreadable, or on another file system. */
  unread: count.optional(),
});

/** The job that is working on an index. Until it is done, listings can still grow. */
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
  /** Present if the session uses another index of the root. Says which one, and how to use this one. */
  note: z.string().optional(),
});

/** One entry in a listing. For a directory, `size` and `allocated` are sums over everything below it. */
export const fileNode = z.strictObject({
  nodeId: z.string(),
  parentId: z.string().optional(),
  /** Printable; see FileRoot.path. */
  name: z.string(),
  /** The bytes of an unprintable name, in base64. */
  nameBytes: z.string().optional(),
  kind: nodeKind,
  size: bytes,
  allocated: bytes,
  modifiedAt: timestamp,
  /** For a directory: the number of its direct entries, and of all files and directories below it. */
  counts: z.strictObject({ entries: count, files: count, dirs: count }).optional(),
  /** For a directory: when a file below it last changed. */
  newestAt: timestamp.optional(),
  /** For a directory that was not read: the reason why. */
  state: z.enum(["unread", "unreadable", "too_deep", "mount", "home"]).optional(),
  /**
   * For a directory that was not read, or that contains such a directory: its size and counts are lower bounds (S-16).
   */
  atLeast: z.literal(true).optional(),
  /** For a link that was followed: the directory it leads to. */
  targetId: z.string().optional(),
  /** Present in lists that cover a whole tree. */
  path: z.string().optional(),
});

/** A node in a list. A directory's link opens its listing. */
export const fileEntry = fileNode.extend({ link: z.string() });

export const fileNodeDetail = fileNode.extend({
  indexId: z.string(),
  path: z.string(),
  /** The path from the root down to the node itself. */
  breadcrumb: z.array(crumb),
  depth: count,
  /** In the format of ls: rwxr-xr-x. */
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

/** One version of a file, as found by scans. */
export const fileVersion = z.strictObject({
  size: bytes,
  modifiedAt: timestamp,
  /** When the scan that found this version ended; absent for the oldest known version. */
  foundAt: timestamp.optional(),
});

const nodeUrls = z.strictObject({
  download: z.string().optional(),
  /** A download link that works without a token for 15 minutes, but no longer than the grant is valid. */
  signedDownload: z.string().optional(),
  children: z.string().optional(),
  detail: z.string(),
  /** For a directory, the report on what grew below it; for a file, the detail, which includes its versions. */
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
  /** For a directory: how it changed between the last two scans. */
  growth: dirGrowth.optional(),
  /** For a file: the versions that scans found, newest first. */
  versions: z.array(fileVersion).optional(),
  /** SHA-256, if it was computed for the indexed version of the file. */
  digest: z.string().optional(),
  symlink: z.strictObject({ target: z.string(), targetId: z.string().optional() }).optional(),
  /** The current state of a file on disk, if the caller may download it. */
  now: z
    .strictObject({
      size: bytes,
      modifiedAt: timestamp,
      /** True if the file has changed since it was indexed. */
      changed: z.boolean(),
      /** Detected from the first bytes of the file. */
      mimeType: z.string(),
      /** For a text file: its beginning. */
      preview: z.strictObject({ text: z.string(), bytes: count, truncated: z.boolean() }).optional(),
    })
    .optional(),
  /** Why the file cannot be opened now. */
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
  /** Present if a previous scan shows how much there is to do. */
  percent: z.number().optional(),
  etaSeconds: z.number().optional(),
});

export const fileJob = z.strictObject({
  jobId: z.string(),
  /** A `records` job updates the connection's records to match the last scan (S-14). */
  kind: z.enum(["index", "digest", "records"]),
  status: jobStatus,
  indexId: z.string(),
  startedAt: timestamp,
  updatedAt: timestamp,
  progress: fileJobProgress,
  /** The number of the scan that the job produced. */
  scan: count.optional(),
  error: z.string().optional(),
});

export const fileJobRead = fileJob.extend({
  progressPct: z.number().optional(),
  eta: timestamp.optional(),
  statusUrl: z.string(),
  /** Links to the index, and to its reports once the job is done. */
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
