// One import into one connection, as its page shows it: how far, how fast, and what became of every file.
import type { ImportCounts, ImportedFile, ImportJob } from "../../../contract/import.ts";
import { fileLine } from "./import-row.ts";

export interface PartView {
  importId: string;
  name: string;
  importer: string;
  status: ImportJob["status"];
  connectionId: string;
  /** Absent: it was deleted since. */
  connection?: string;
  counts: ImportCounts;
  /** Gone at the source, and so here. */
  deleted: number;
  streams: readonly { stream: string; records: number }[];
  bytes: number;
  totalBytes: number;
  perSecond: number;
  secondsLeft?: number;
  /** Those with something to say. */
  files: readonly ImportedFile[];
  /** Files that say something too, and are not listed. */
  filesLeftOut: number;
  remarks: readonly string[];
  error?: string;
  undone?: { recordsRemoved: number; recordsKept: number };
}

/** Files named one by one. */
const FILES_SHOWN = 100;
/** Before so much of it is read, nobody knows how long the rest takes. */
const SHARE_KNOWN = 0.01;

export function partOf(job: ImportJob, connections: ReadonlyMap<string, string>): PartView {
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
  const connection = connections.get(connection_id);
  const told = files.filter(({ reasons }) => reasons.length > 0);
  return {
    importId: import_id,
    name: fileLine(name),
    importer,
    status,
    connectionId: connection_id,
    ...(connection === undefined ? {} : { connection }),
    counts,
    deleted,
    streams: Object.entries(streams).map(([stream, records]) => ({ stream, records })),
    bytes: Math.min(bytes, total_bytes),
    totalBytes: total_bytes,
    ...paceOf(job),
    files: told.slice(0, FILES_SHOWN).map((file) => ({ ...file, path: fileLine(file.path) })),
    filesLeftOut: Math.max(0, told.length - FILES_SHOWN) + files_left_out,
    remarks,
    ...(error === undefined ? {} : { error }),
    ...(undone === undefined
      ? {}
      : { undone: { recordsRemoved: undone.records_removed, recordsKept: undone.records_kept } }),
  };
}

/** Over its whole run so far. */
function paceOf({ started_at, updated_at, status, progress }: ImportJob): { perSecond: number; secondsLeft?: number } {
  const { counts, bytes, total_bytes } = progress;
  const seconds = Math.max(0.001, (Date.parse(updated_at) - Date.parse(started_at)) / 1000);
  const perSecond = Math.round((counts.imported + counts.changed + counts.unchanged) / seconds);
  const known = status === "running" && bytes > total_bytes * SHARE_KNOWN && bytes < total_bytes;
  return { perSecond, ...(known ? { secondsLeft: Math.ceil((seconds / bytes) * (total_bytes - bytes)) } : {}) };
}
