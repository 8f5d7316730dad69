// One import into one connection, as its page shows it: progress, speed, and the result of every file.
import type { ImportCounts, ImportJob } from "../../../contract/import.ts";
import {
  type EstimateDifference,
  estimateDifferences,
  groupReasons,
  type ImportVerdict,
  type ReasonGroup,
  verdictOf,
} from "../../../core/import-reasons.ts";
import { fileLine } from "./import-row.ts";

export interface PartView {
  importId: string;
  name: string;
  /** The source's name. */
  source: string;
  status: ImportJob["status"];
  verdict: ImportVerdict;
  connectionId: string;
  /** Absent if the connection has been deleted since. */
  connection?: string;
  counts: ImportCounts;
  /** The number of records deleted here because they were deleted at the source. */
  deleted: number;
  streams: readonly { stream: string; records: number }[];
  bytes: number;
  totalBytes: number;
  perSecond: number;
  secondsLeft?: number;
  /** Reasons why items failed or were skipped, failures first. */
  reasons: readonly ReasonGroup[];
  /** Files that contained a different number of items than planned. */
  surprises: readonly EstimateDifference[];
  /** The number of files that appear only in the totals. */
  filesLeftOut: number;
  remarks: readonly string[];
  error?: string;
  undone?: { recordsRemoved: number; recordsKept: number };
}

/** Until this share is read, the remaining time is unknown. */
const SHARE_KNOWN = 0.01;

export interface ConnectionNames {
  connection: string;
  source: string;
}

export function partOf(job: ImportJob, connections: ReadonlyMap<string, ConnectionNames>): PartView {
  const { import_id, name, importer, status, connection_id, progress } = job;
  const {
    counts,
    deleted = 0,
    streams,
    bytes,
    total_bytes,
    files,
    files_left_out,
    remarks = [],
    error,
    undone,
  } = progress;
  const names = connections.get(connection_id);
  return {
    importId: import_id,
    name: fileLine(name),
    source: names?.source ?? importer,
    status,
    verdict: verdictOf(job),
    connectionId: connection_id,
    ...(names === undefined ? {} : { connection: names.connection }),
    counts,
    deleted,
    streams: Object.entries(streams).map(([stream, records]) => ({ stream, records })),
    bytes: Math.min(bytes, total_bytes),
    totalBytes: total_bytes,
    ...paceOf(job),
    reasons: groupReasons(files).map((group) => ({
      ...group,
      files: group.files.map((file) => ({ ...file, path: fileLine(file.path) })),
    })),
    surprises: estimateDifferences(files).map((file) => ({ ...file, path: fileLine(file.path) })),
    filesLeftOut: files_left_out,
    remarks,
    ...(error === undefined ? {} : { error }),
    ...(undone === undefined
      ? {}
      : { undone: { recordsRemoved: undone.records_removed, recordsKept: undone.records_kept } }),
  };
}

/** Computes the speed over the whole run so far. */
function paceOf({ started_at, updated_at, status, progress }: ImportJob): { perSecond: number; secondsLeft?: number } {
  const { counts, bytes, total_bytes } = progress;
  const seconds = Math.max(0.001, (Date.parse(updated_at) - Date.parse(started_at)) / 1000);
  const perSecond = Math.round((counts.imported + counts.changed + counts.unchanged) / seconds);
  const known = status === "running" && bytes > total_bytes * SHARE_KNOWN && bytes < total_bytes;
  return { perSecond, ...(known ? { secondsLeft: Math.ceil((seconds / bytes) * (total_bytes - bytes)) } : {}) };
}
