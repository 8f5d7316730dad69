// Answers of the files lens over HTTP about roots, indexes, nodes and jobs; files.ts and file-shell.ts name its types.
import { z } from "zod";
import { filePower } from "./file-access.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** Bytes: of a whole disk they may be more than an int of JSON. */
export const bytes = z.number().min(0);
export const nodeKind = z.enum(["dir", "file", "link", "fifo", "socket", "block_device", "character_device", "other"]);
export const jobStatus = z.enum(["queued", "running", "paused", "succeeded", "failed", "cancelled"]);

/** A page of a list: how to continue, here and over HTTP. Absent at the end. */
export const more = { nextCursor: z.string().optional(), nextPageUrl: z.string().optional() };
export const crumb = z.strictObject({ nodeId: z.string(), name: z.string() });

/** A directory that the owner let be looked at. */
export const fileRoot = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  /** Printable: bytes that are no text, control characters and backslashes are escaped (\xNN, \\). */
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
  /** Whether the text of its files is a stream of records, too. */
  text: z.boolean(),
  /** The powers of the caller on this root. */
  may: z.array(filePower),
  link: z.string(),
});
export const fileRootList = z.strictObject({ roots: z.array(fileRootRead), ...more });

/** The files are where they were. */
export const fileRootRemoved = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  path: z.string(),
  connectionId: z.string(),
  removed: z.strictObject({ indexIds: z.array(z.string()), resourceSets: count, queries: count, records: count }),
  deleted: z.literal(true),
});

/** How a root is walked. Another way of walking is another index. */
export const indexOptions = z.strictObject({
  /** Levels below the root that are listed. */
  depthLimit: z.int().optional(),
  /** Links to directories inside the root lead there; none leads out. */
  followSymlinks: z.boolean().optional(),
  /** Names (`.git`, `*.tmp`) or, with a slash, paths from the root (`/build`, `** /cache`) that are left out. */
  ignore: z.array(z.string()).optional(),
});

/** Sums over all below a directory. A file with several names counts once. */
export const fileTotals = z.strictObject({
  files: count,
  dirs: count,
  /** Bytes of files and links, as they read. */
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
  /** empty: nothing is known yet; partial: a first scan is running, or broke off. */
  status: z.enum(["empty", "partial", "complete"]),
  rootNodeId: z.string(),
  totals: fileTotals.optional(),
  scans: count,
  scannedAt: timestamp.optional(),
  /** The unfinished job that works on it. */
  jobId: z.string().optional(),
  /** Directories that are listed and were not scanned: too deep, unreadable, or on another file system. */
  unread: count.optional(),
});

/** The job that works on an index: what is listed may still grow. */
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
  /** When the session keeps to another index of the root: which, and how to use this one. */
  note: z.string().optional(),
});

/** One entry of a listing. Of a directory, size and allocated are sums over all below it. */
export const fileNode = z.strictObject({
  nodeId: z.string(),
  parentId: z.string().optional(),
  /** Printable, see FileRoot.path. */
  name: z.string(),
  /** The bytes of a name that cannot be printed as it is, in base64. */
  nameBytes: z.string().optional(),
  kind: nodeKind,
  size: bytes,
  allocated: bytes,
  modifiedAt: timestamp,
  /** For a directory: its direct entries, and everything below it. */
  counts: z.strictObject({ entries: count, files: count, dirs: count }).optional(),
  /** Of a directory: the newest change of a file below it. */
  newestAt: timestamp.optional(),
  /** Of a directory that was not read: why. */
  state: z.enum(["unread", "unreadable", "too_deep", "mount", "home"]).optional(),
  /** Of a directory that was not read, or that has such a directory below it: size and counts are lower bounds (S-16). */
  atLeast: z.literal(true).optional(),
  /** Of a link that was followed: the directory it leads to. */
  targetId: z.string().optional(),
  /** In lists over a whole tree. */
  path: z.string().optional(),
});

/** In a list; the link of a directory is its listing. */
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
  /** Of a file with several names: how many of them are in this index. */
  names: count.optional(),
});

/** The difference of a directory to the scan before. */
export const dirGrowth = z.strictObject({ since: timestamp, size: z.number(), files: z.int(), dirs: z.int() });

/** A file as scans found it. */
export const fileVersion = z.strictObject({
  size: bytes,
  modifiedAt: timestamp,
  /** The end of the scan that found it so; absent of the oldest that is known. */
  foundAt: timestamp.optional(),
});

const nodeUrls = z.strictObject({
  download: z.string().optional(),
  /** The same for 15 minutes without a token, as long as the grant. */
  signedDownload: z.string().optional(),
  children: z.string().optional(),
  detail: z.string(),
  /** Of a directory what grew below it; of a file with its versions: the same as detail. */
  history: z.string().optional(),
  /** Reports on a directory. */
  largest: z.string().optional(),
  types: z.string().optional(),
});

export const fileNodeRead = fileNodeDetail.extend({
  link: z.string(),
  urls: nodeUrls,
  /** Of a directory: the first of them. */
  children: z.strictObject({ entries: z.array(fileEntry), total: count, ...more }).optional(),
});

export const fileNodeExtended = fileNodeDetail.extend({
  link: z.string(),
  urls: nodeUrls,
  /** Of a directory: since the scan before the last one. */
  growth: dirGrowth.optional(),
  /** Of a file: as scans found it, the current version first. */
  versions: z.array(fileVersion).optional(),
  /** SHA-256, if one was made of the file as the index knows it. */
  digest: z.string().optional(),
  symlink: z.strictObject({ target: z.string(), targetId: z.string().optional() }).optional(),
  /** Of a file, where the caller may download: as it is on the disk now. */
  now: z
    .strictObject({
      size: bytes,
      modifiedAt: timestamp,
      /** Since the index saw it. */
      changed: z.boolean(),
      /** By its first bytes. */
      mimeType: z.string(),
      /** Of a text: its beginning. */
      preview: z.strictObject({ text: z.string(), bytes: count, truncated: z.boolean() }).optional(),
    })
    .optional(),
  /** Why it could not be opened now. */
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
  /** Nodes found, or of a rescan: looked at. */
  nodes: count,
  files: count,
  dirs: count,
  bytes,
  problems: count,
  /** Nodes per second. */
  rate: z.number().min(0),
  /** Where the scan before says how much there is. */
  percent: z.number().optional(),
  etaSeconds: z.number().optional(),
});

export const fileJob = z.strictObject({
  jobId: z.string(),
  /** records: brings the records of its connection up to date with the last scan (S-14). */
  kind: z.enum(["index", "digest", "records"]),
  status: jobStatus,
  indexId: z.string(),
  startedAt: timestamp,
  updatedAt: timestamp,
  progress: fileJobProgress,
  /** The scan that came of it. */
  scan: count.optional(),
  error: z.string().optional(),
});

export const fileJobRead = fileJob.extend({
  progressPct: z.number().optional(),
  eta: timestamp.optional(),
  statusUrl: z.string(),
  /** The index, and its reports when it is done. */
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
