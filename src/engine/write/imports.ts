// Import jobs in the store: a batch, its blobs, its checkpoint and its report are one transaction.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import type { ImportedFile, ImportJob, ImportProgress } from "../../contract/import.ts";
import type { importBatch, importBegin, importEnd, importTarget } from "../../contract/import-request.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { formatInstant } from "../../core/instant.ts";
import type { Change, JobRow, ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { targetStream } from "./ingest.ts";
import { consentTime, parseLine } from "./parse-line.ts";
import { createConnection, requireConnection } from "./sources.ts";

const KIND = "import";
/** Where a connection remembers which account it is. */
const ACCOUNT = "import.account";
/** Files listed one by one in a report; the rest are in its sums. */
const FILES_MAX = 1000;
const REASONS_MAX = 20;

interface Request {
  connection_id: string;
  connector_key: string;
  importer: string;
  group: string;
  name: string;
}

/** The connection of an account: the one it went to before, or a new one. */
export async function targetOf(
  view: WriteView,
  caller: Caller,
  { connector_key, account, as }: z.infer<typeof importTarget>,
  now: number,
): Promise<object> {
  for (const { connectionId, connectorKey, displayName } of caller.catalog.connections) {
    if (connectorKey !== connector_key) continue;
    if (as !== undefined && displayName === as) return { connection_id: connectionId, created: false };
    const { state } = await view.state(caller.subjectId, connectionId);
    if (as === undefined && state[ACCOUNT] === account.key) return { connection_id: connectionId, created: false };
  }
  const made = await createConnection(
    view,
    caller,
    { connector_id: connector_key, display_name: as ?? account.name },
    now,
  );
  await view.putState(caller.subjectId, made.connection_id, { [ACCOUNT]: account.key }, now);
  return { connection_id: made.connection_id, created: true };
}

/** A new job, or the one that broke off on the same input. */
export async function beginImport(
  view: WriteView,
  caller: Caller,
  asked: z.infer<typeof importBegin>,
  now: number,
): Promise<ImportJob> {
  const connection = requireConnection(caller, asked.connection_id);
  const unfinished = (await view.jobs(caller.subjectId)).find(
    (job) => job.kind === KIND && job.status === "running" && requestOf(job).group === asked.group,
  );
  if (unfinished !== undefined) return jobRead(unfinished);
  const request: Request = {
    connection_id: asked.connection_id,
    connector_key: connection.connectorKey,
    importer: asked.importer,
    group: asked.group,
    name: asked.name,
  };
  const progress: ImportProgress = {
    counts: { imported: 0, changed: 0, unchanged: 0, skipped: 0, failed: 0 },
    streams: {},
    files: [],
    files_left_out: 0,
    bytes: 0,
    total_bytes: asked.total_bytes,
  };
  const job: JobRow = {
    jobId: newId("job"),
    kind: KIND,
    status: "running",
    holder: null,
    request: request as unknown as JsonValue,
    startedAt: now,
    updatedAt: now,
    progress: progress as unknown as JsonValue,
    expiresAt: null,
  };
  await view.putJob(caller.subjectId, job);
  return jobRead(job);
}

export async function storeImportBatch(
  view: WriteView,
  caller: Caller,
  batch: z.infer<typeof importBatch>,
  now: number,
): Promise<ImportJob> {
  const job = await requireImport(view, caller, batch.import_id);
  if (job.status !== "running") throw new PdppError("invalid_request", `the import ${job.jobId} is ${job.status}`);
  const { connection_id } = requestOf(job);
  const report = reportOf(progressOf(job));
  for (const { blob_id, mime_type, size_bytes, sha256 } of batch.blobs) {
    await view.putBlob({ blobId: blob_id, mimeType: mime_type, sizeBytes: size_bytes, sha256 }, now);
  }
  for (const { stream, text } of batch.streams) {
    await storeLines(view, caller, { stream, connection_id }, text, report, now);
  }
  for (const { path, skipped, failed, reasons } of batch.notes) report.note(path, skipped, failed, reasons);
  const progress: ImportProgress = {
    ...report.progress(),
    bytes: batch.bytes,
    ...(batch.checkpoint === undefined ? {} : { checkpoint: batch.checkpoint }),
  };
  const stored = { ...job, updatedAt: now, progress: progress as unknown as JsonValue };
  await view.putJob(caller.subjectId, stored);
  return jobRead(stored);
}

async function storeLines(
  view: WriteView,
  caller: Caller,
  target: { stream: string; connection_id: string },
  text: string,
  report: Report,
  now: number,
): Promise<void> {
  const shape = targetStream(caller, target);
  const changes: Change[] = [];
  const entries: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const change = parseLine(line, shape);
      entries.push(entryOf(change.origin));
      changes.push(change);
    } catch (error) {
      if (!(error instanceof PdppError)) throw error;
      const { provenance } = JSON.parse(line) as { provenance?: { entry?: string; offset?: number } };
      const place = provenance?.offset === undefined ? {} : { offset: provenance.offset };
      report.note(provenance?.entry ?? "", 0, 1, [{ reason: error.message, count: 1, failed: true, ...place }]);
    }
  }
  const outcomes = new Map<number, "created" | "changed">();
  await view.apply(shape.streamNo, changes, {
    appendOnly: shape.declaration.semantics === "append_only",
    timeOf: (data) => consentTime(shape, JSON.parse(data) as JsonObject),
    now,
    onOutcome: (index, outcome) => outcomes.set(index, outcome),
  });
  for (const [index, entry] of entries.entries()) report.record(target.stream, entry, outcomes.get(index));
}

const entryOf = (origin: string | null): string =>
  origin === null ? "" : ((JSON.parse(origin) as { entry?: string }).entry ?? "");

type Report = ReturnType<typeof reportOf>;

/** Sums over a run, and per file. */
function reportOf(before: ImportProgress) {
  const { checkpoint: _checkpoint, ...start } = structuredClone(before);
  const byPath = new Map(start.files.map((file) => [file.path, file]));
  const unlisted: ImportedFile = {
    path: "",
    imported: 0,
    changed: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    reasons: [],
  };
  const fileOf = (path: string): ImportedFile => {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    if (byPath.size >= FILES_MAX) {
      start.files_left_out++;
      return unlisted;
    }
    const file: ImportedFile = { ...unlisted, path, reasons: [] };
    byPath.set(path, file);
    return file;
  };
  const add = (path: string, member: keyof typeof start.counts, count: number): void => {
    start.counts[member] += count;
    fileOf(path)[member] += count;
  };
  return {
    record(stream: string, path: string, outcome: "created" | "changed" | undefined): void {
      add(path, outcome === "created" ? "imported" : outcome === "changed" ? "changed" : "unchanged", 1);
      start.streams[stream] = (start.streams[stream] ?? 0) + 1;
    },
    note(path: string, skipped: number, failed: number, reasons: ImportedFile["reasons"]): void {
      add(path, "skipped", skipped);
      add(path, "failed", failed);
      const file = fileOf(path);
      for (const reason of reasons) {
        const same = file.reasons.find((one) => one.reason === reason.reason && one.failed === reason.failed);
        if (same !== undefined) same.count += reason.count;
        else if (file.reasons.length < REASONS_MAX) file.reasons.push({ ...reason });
      }
    },
    progress: (): ImportProgress => ({
      ...start,
      files: [...byPath.values()],
      ...(before.checkpoint === undefined ? {} : { checkpoint: before.checkpoint }),
    }),
  };
}

export async function endImport(
  view: WriteView,
  caller: Caller,
  { import_id, status, error }: z.infer<typeof importEnd>,
  now: number,
): Promise<ImportJob> {
  const job = await requireImport(view, caller, import_id);
  const { checkpoint: _checkpoint, ...progress } = progressOf(job);
  const ended = {
    ...job,
    status,
    updatedAt: now,
    progress: { ...progress, ...(error === undefined ? {} : { error }) } as unknown as JsonValue,
  };
  await view.putJob(caller.subjectId, ended);
  return jobRead(ended);
}

/** Takes back what a run made; what it only changed cannot be given its old shape and stays. */
export async function undoImport(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<object> {
  const job = await requireImport(view, caller, id);
  const { connection_id } = requestOf(job);
  let removed = 0;
  let kept = 0;
  for (const shape of caller.catalog.streams.filter(({ connectionId }) => connectionId === connection_id)) {
    const rows = await view.recordsOfRun(shape.streamNo, id);
    const gone = rows
      .filter(({ created }) => created)
      .map(
        (row): Change => ({ id: row.id, data: null, ord: null, time: null, emittedAt: now, origin: null, blobs: [] }),
      );
    kept += rows.length - gone.length;
    removed += await view.apply(shape.streamNo, gone, {
      appendOnly: false,
      timeOf: (data) => consentTime(shape, JSON.parse(data) as JsonObject),
      now,
    });
  }
  await view.putJob(caller.subjectId, { ...job, status: "cancelled", updatedAt: now });
  return { object: "import_undone", import_id: id, connection_id, records_removed: removed, records_kept: kept };
}

export async function listImports(view: ReadView, subjectId: string): Promise<ImportJob[]> {
  return (await view.jobs(subjectId)).filter(({ kind }) => kind === KIND).map(jobRead);
}

export async function requireImport(view: ReadView, caller: Caller, id: string): Promise<JobRow> {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind === KIND) return job;
  throw new PdppError("not_found", `no import ${JSON.stringify(id)} here`, {
    param: "id",
    next_step: "`pdpp import list` shows them.",
  });
}

const requestOf = (job: JobRow): Request => job.request as unknown as Request;
const progressOf = (job: JobRow): ImportProgress => job.progress as unknown as ImportProgress;

export function jobRead(job: JobRow): ImportJob {
  const { connection_id, connector_key, importer, name } = requestOf(job);
  return {
    object: "import",
    import_id: job.jobId,
    status: job.status,
    importer,
    name,
    connection_id,
    connector_key,
    started_at: formatInstant(job.startedAt),
    updated_at: formatInstant(job.updatedAt),
    progress: progressOf(job),
  };
}
