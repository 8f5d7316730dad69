// What the files lens answers over HTTP about roots, indexes, nodes and jobs. Equal to the types of files.ts and file-shell.ts.
import { z } from "zod";
import { filePower } from "./file-access.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

/** Bytes: of a whole disk they may be more than an int of JSON. */
export const bytes = z.number().min(0);
export const nodeKind = z.enum(["dir", "file", "link", "fifo", "socket", "block_device", "character_device", "other"]);
const jobStatus = z.enum(["queued", "running", "paused", "succeeded", "failed", "cancelled"]);

/** How a list goes on: absent at its end. */
export const more = { nextCursor: z.string().optional(), nextPageUrl: z.string().optional() };
const crumbs = z.array(z.strictObject({ nodeId: z.string(), name: z.string() }));

export const fileRoot = z.strictObject({
  rootId: z.string(),
  name: z.string(),
  path: z.string(),
  createdAt: timestamp,
  available: z.boolean(),
  /** Whether scans enter other file systems that are mounted below it. Only the owner sets this. */
  crossMounts: z.boolean(),
  indexIds: z.array(z.string()),
});

export const fileRootRead = fileRoot.extend({
  /** What grants, and the records lens, call it. */
  connectionId: z.string(),
  /** Whether what is in its files is a stream of records, too. */
  text: z.boolean(),
  /** What the caller may do there. */
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

export const indexOptions = z.strictObject({
  depthLimit: z.int().optional(),
  followSymlinks: z.boolean().optional(),
  ignore: z.array(z.string()).optional(),
});

export const fileTotals = z.strictObject({
  files: count,
  dirs: count,
  size: bytes,
  allocated: bytes,
  problems: count,
});

export const fileIndex = z.strictObject({
  indexId: z.string(),
  rootId: z.string(),
  path: z.string(),
  name: z.string(),
  options: indexOptions,
  status: z.enum(["empty", "partial", "complete"]),
  rootNodeId: z.string(),
  totals: fileTotals.optional(),
  scans: count,
  scannedAt: timestamp.optional(),
  jobId: z.string().optional(),
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
});

export const fileNode = z.strictObject({
  nodeId: z.string(),
  parentId: z.string().optional(),
  name: z.string(),
  nameBytes: z.string().optional(),
  kind: nodeKind,
  size: bytes,
  allocated: bytes,
  modifiedAt: timestamp,
  counts: z.strictObject({ entries: count, files: count, dirs: count }).optional(),
  newestAt: timestamp.optional(),
  state: z.enum(["unread", "unreadable", "too_deep", "mount", "home"]).optional(),
  targetId: z.string().optional(),
  path: z.string().optional(),
});

/** In a list; the link of a directory is its listing. */
export const fileEntry = fileNode.extend({ link: z.string() });

export const fileNodeDetail = fileNode.extend({
  indexId: z.string(),
  path: z.string(),
  breadcrumb: crumbs,
  depth: count,
  permissions: z.string(),
  mode: count,
  uid: count,
  gid: count,
  mimeType: z.string().optional(),
  problems: z.array(z.string()).optional(),
  names: count.optional(),
});

const nodeUrls = z.strictObject({
  download: z.string().optional(),
  children: z.string().optional(),
  detail: z.string(),
  history: z.string().optional(),
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

const fileJobProgress = z.strictObject({
  nodes: count,
  files: count,
  dirs: count,
  bytes,
  problems: count,
  rate: z.number().min(0),
  percent: z.number().optional(),
  etaSeconds: z.number().optional(),
});

export const fileJob = z.strictObject({
  jobId: z.string(),
  kind: z.enum(["index", "digest", "records"]),
  status: jobStatus,
  indexId: z.string(),
  startedAt: timestamp,
  updatedAt: timestamp,
  progress: fileJobProgress,
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
