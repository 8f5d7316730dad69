// Responses of the files lens over HTTP: searches, reports, selections, saved queries, sessions, and explanations of
// calls.
import { z } from "zod";
import { bytes, crumb, fileEntry, fileTotals, more, nodeKind } from "./file-answers.ts";
import type { FileFilter, FilterPlan } from "./files.ts";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

const range = z.strictObject({ min: z.number().min(0).optional(), max: z.number().min(0).optional() });

export const fileFilter: z.ZodType<FileFilter> = z.lazy(() =>
  z.union([
    z.strictObject({ and: z.array(fileFilter) }),
    z.strictObject({ or: z.array(fileFilter) }),
    z.strictObject({ not: fileFilter }),
    z.strictObject({ name: z.string(), caseSensitive: z.boolean().optional() }),
    z.strictObject({ path: z.string(), caseSensitive: z.boolean().optional() }),
    z.strictObject({ kind: z.union([nodeKind, z.array(nodeKind)]) }),
    z.strictObject({ type: z.string() }),
    z.strictObject({ size: range }),
    z.strictObject({ modified: z.strictObject({ after: z.string().optional(), before: z.string().optional() }) }),
    z.strictObject({ uid: count }),
    z.strictObject({ gid: count }),
    z.strictObject({
      permission: z.union([z.strictObject({ all: z.string() }), z.strictObject({ any: z.string() })]),
    }),
    z.strictObject({ depth: range }),
    z.strictObject({ duplicate: z.boolean() }),
  ]),
);

export const filterPlan: z.ZodType<FilterPlan> = z.lazy(() =>
  z.strictObject({
    operator: z.string(),
    nanosecondsPerNode: z.number(),
    steps: z.array(filterPlan).optional(),
    filter: fileFilter.optional(),
  }),
);

/** Present if the index does not cover its whole root. Says what is missing, because more files may match (S-16). */
const partial = z.string().optional();
/** Present for a filter on copies if digests are missing. Says how to create them (S-17). */
const digests = z.string().optional();

export const foundNodes = z.strictObject({
  indexId: z.string(),
  partial,
  digests,
  entries: z.array(fileEntry),
  matches: z.strictObject({ nodes: count, files: count, dirs: count, size: bytes }),
  ...more,
});

/** The largest, oldest or newest files. */
export const fileEntries = z.strictObject({ indexId: z.string(), entries: z.array(fileEntry), ...more });

export const typeShare = z.strictObject({
  /** The MIME type for the extension; application/octet-stream for unknown extensions. */
  type: z.string(),
  extensions: z.array(z.string()),
  files: count,
  size: bytes,
});
export const fileTypes = z.strictObject({ indexId: z.string(), types: z.array(typeShare) });

export const ageShare = z.strictObject({
  /** Modified at or after the first time and before the second. The first and the last bucket have only one bound. */
  after: timestamp.optional(),
  before: timestamp.optional(),
  label: z.string(),
  files: count,
  size: bytes,
});
export const fileAges = z.strictObject({ indexId: z.string(), ages: z.array(ageShare) });

const duplicateFiles = z.strictObject({
  sha256: z.string(),
  size: bytes,
  wasted: bytes,
  files: z.array(fileEntry),
  more: count,
});
export const fileDuplicates = z.strictObject({
  indexId: z.string(),
  groups: z.array(duplicateFiles),
  total: z.strictObject({ groups: count, wasted: bytes }),
  ...more,
});

const problem = z.strictObject({ nodeId: z.string(), path: z.string(), text: z.string(), link: z.string() });
export const fileProblems = z.strictObject({ indexId: z.string(), problems: z.array(problem), ...more });

export const fileScan = z.strictObject({
  scan: count,
  jobId: z.string(),
  mode: z.enum(["first", "changed", "verify"]),
  startedAt: timestamp,
  endedAt: timestamp,
  totals: fileTotals,
  /** How many directories had to be read. */
  dirsRead: count,
});
export const fileScans = z.strictObject({ indexId: z.string(), scans: z.array(fileScan) });

const sums = z.strictObject({ files: count, dirs: count, size: bytes, allocated: bytes });
export const grownDir = z.strictObject({
  /** Absent if the directory was deleted. */
  nodeId: z.string().optional(),
  path: z.string(),
  before: sums.optional(),
  after: sums.optional(),
  growth: z.number(),
});
export const fileGrowth = z.strictObject({
  indexId: z.string(),
  from: fileScan,
  to: fileScan,
  growth: z.number(),
  dirs: z.array(grownDir.extend({ link: z.string().optional() })),
  more: z.boolean(),
});

export const sampleRow = z.strictObject({
  nodeId: z.string(),
  name: z.string(),
  /** For rows with the same name: the shortest path ending that tells them apart. */
  path: z.string().optional(),
  size: bytes,
  link: z.string(),
});

export const setCard = z.strictObject({
  selectionId: z.string(),
  name: z.string(),
  indexId: z.string(),
  counts: z.strictObject({ entries: count, files: count, dirs: count }),
  totalSize: bytes,
  /** How many members no longer exist; no count or total includes them. */
  missing: count.optional(),
  entriesUrl: z.string(),
  link: z.string(),
});
export const resourceSet = setCard.extend({ sample: z.array(sampleRow), ...more });
export const resourceSetList = z.strictObject({ sets: z.array(setCard), ...more });
export const resourceSetRemoved = z.strictObject({ selectionId: z.string(), deleted: z.literal(true) });

/** For deleted nodes, the values recorded when they were added. */
const missingEntry = z.strictObject({ nodeId: z.string(), kind: nodeKind, size: bytes, missing: z.literal(true) });
export const resourceSetEntries = z.strictObject({
  selectionId: z.string(),
  name: z.string(),
  indexId: z.string(),
  /** The number of entries on all pages; `missing` of them no longer exist. */
  total: count,
  missing: count.optional(),
  entries: z.array(z.union([fileEntry, missingEntry])),
  ...more,
});

export const queryCard = z.strictObject({
  queryId: z.string(),
  name: z.string(),
  filterSummary: z.string(),
  lastExecutedAt: timestamp.nullable(),
  runUrl: z.string(),
  link: z.string(),
});
export const savedQuery = queryCard.extend({
  indexId: z.string(),
  filter: fileFilter,
  under: z.string().optional(),
  /** The selection that contains the results of the last run. */
  selectionId: z.string().optional(),
});
export const savedQueryList = z.strictObject({ queries: z.array(queryCard), ...more });
export const savedQueryRemoved = z.strictObject({ queryId: z.string(), deleted: z.literal(true) });
export const queryRun = z.strictObject({
  queryId: z.string(),
  selectionId: z.string(),
  sampleUrl: z.string(),
  report: z.strictObject({ matches: count, totalSize: bytes, missing: count.optional(), sample: z.array(sampleRow) }),
  ...more,
  partial,
  digests,
});

export const fileSession = z.strictObject({
  sessionId: z.string(),
  /** Printable. `/` is the level above the roots. */
  cwd: z.string(),
  indexId: z.string().optional(),
  breadcrumb: z.array(crumb),
  link: z.string(),
  units: z.enum(["bytes", "binary", "decimal"]),
  limit: count,
});

/** The plan for a call that was not executed. */
export const explanation = z.strictObject({
  indexId: z.string(),
  explains: z.string(),
  /** The number of nodes in the index, all of which a scan reads. */
  nodes: count,
  /** `keys` reads a few rows by key; `columns` reads every node, column by column. */
  reads: z.enum(["keys", "columns", "digests", "history"]),
  steps: z.array(z.string()),
  under: z.string().optional(),
  order: z.string().optional(),
  descending: z.boolean().optional(),
  filter: fileFilter.optional(),
  filterSummary: z.string().optional(),
  plan: filterPlan.optional(),
});

export type FileEntries = z.infer<typeof fileEntries>;
export type FoundEntries = z.infer<typeof foundNodes>;
export type FileDuplicates = z.infer<typeof fileDuplicates>;
export type FileProblems = z.infer<typeof fileProblems>;
export type FileScans = z.infer<typeof fileScans>;
export type FileGrowth = z.infer<typeof fileGrowth>;
export type ResourceSetRead = z.infer<typeof resourceSet>;
export type ResourceSetList = z.infer<typeof resourceSetList>;
export type ResourceSetEntries = z.infer<typeof resourceSetEntries>;
export type SavedQuery = z.infer<typeof savedQuery>;
export type SavedQueryList = z.infer<typeof savedQueryList>;
export type Explanation = z.infer<typeof explanation>;
