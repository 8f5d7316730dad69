// Import jobs in the store. A batch, its blobs, its checkpoint and its report are stored in one transaction.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import type { ImportJob, ImportRun } from "../../contract/import.ts";
import type * as requests from "../../contract/import-request.ts";
import { ATTACHED_TEXT_STREAM } from "../../contract/recognition-request.ts";
import type { JsonValue } from "../../contract/record.ts";
import { formatInstant } from "../../core/instant.ts";
import type { JobRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { putBlobs } from "../unused-blobs.ts";
import { noteCheck } from "./checks.ts";
import { idKeyOrNew } from "./id-keys.ts";
import { compareWithPlan } from "./import-estimates.ts";
import { storeFound } from "./import-lines.ts";
import { atCheckpoint, reportOf, type StoredProgress, withoutEntry } from "./import-report.ts";
import { deleteUnseen, type Removal } from "./import-snapshot.ts";
import { createConnection, requireConnection } from "./sources.ts";

export const IMPORT = "import";
/** The item that stores which account a connection belongs to. */
const ACCOUNT = "import.account";

interface Request {
  connection_id: string;
  connector_key: string;
  importer: string;
  group: string;
  fingerprint: string;
  content?: string;
  name: string;
  answers?: Record<string, string>;
}

/** The account that a connection was imported from, in its importer's spelling. */
export async function accountOf(view: ReadView, subjectId: string, connectionId: string): Promise<string | undefined> {
  const account = (await view.state(subjectId, connectionId)).state[ACCOUNT];
  return typeof account === "string" ? account : undefined;
}

/** An account's connection: the one it was imported into before, or a new one. */
export async function targetOf(
  view: WriteView,
  caller: Caller,
  { connector_key, account, as }: z.infer<typeof requests.importTarget>,
  now: number,
) {
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

export async function beginImport(
  view: WriteView,
  caller: Caller,
  asked: z.infer<typeof requests.importBegin>,
  now: number,
): Promise<ImportRun> {
  const run = await newOrUnfinished(view, caller, asked, now);
  const id_key = await idKeyOrNew(view, caller.subjectId, asked.connection_id, now);
  return { ...run, ...(id_key === undefined ? {} : { id_key }) };
}

/** A new job, or an interrupted one on exactly the same input. */
async function newOrUnfinished(
  view: WriteView,
  caller: Caller,
  asked: z.infer<typeof requests.importBegin>,
  now: number,
): Promise<ImportRun> {
  const { connectorKey } = requireConnection(caller, asked.connection_id);
  const { total_bytes, ...named } = asked;
  const request: Request = { ...named, connector_key: connectorKey };
  const jobs = await view.jobs(caller.subjectId);
  for (const job of jobs) {
    if (job.kind !== IMPORT || !isUnfinished(job)) continue;
    const { group, connection_id, fingerprint } = requestOf(job);
    if (group !== asked.group || connection_id !== asked.connection_id) continue;
    if (fingerprint === asked.fingerprint) return takeOver(view, caller, job, now);
    const remarks = ["its input changed before the import was complete; a newer import replaced it"];
    await put(view, caller, { ...job, status: "cancelled", updatedAt: now }, { ...progressOf(job), remarks });
  }
  const repeated = await unchangedSince(view, caller, jobs, asked);
  const progress: StoredProgress = repeated ?? {
    counts: { imported: 0, changed: 0, unchanged: 0, skipped: 0, failed: 0 },
    streams: {},
    files: [],
    files_left_out: 0,
    bytes: 0,
    total_bytes,
    attempt: 1,
    began: now,
    broken: [],
  };
  const job: JobRow = {
    jobId: newId("job"),
    kind: IMPORT,
    status: repeated === undefined ? "running" : "succeeded",
    holder: null,
    request: request as unknown as JsonValue,
    startedAt: now,
    updatedAt: now,
    progress: null,
    expiresAt: null,
  };
  if (repeated !== undefined) await noteCheck(view, caller.subjectId, asked.connection_id, { at: now, ok: true });
  return runOf(await put(view, caller, job, progress));
}

/**
 * The result of an earlier import of exactly the same input into the same connection, if all of it could be read and
 * nothing in the connection has changed since. Reading the input again would then change nothing.
 */
async function unchangedSince(
  view: ReadView,
  caller: Caller,
  jobs: readonly JobRow[],
  { content, connection_id, total_bytes }: z.infer<typeof requests.importBegin>,
): Promise<StoredProgress | undefined> {
  if (content === undefined) return undefined;
  const before = jobs
    .filter((job) => job.kind === IMPORT && job.status === "succeeded")
    .filter((job) => requestOf(job).content === content && requestOf(job).connection_id === connection_id)
    .sort((one, other) => other.updatedAt - one.updatedAt)[0];
  if (before === undefined) return undefined;
  const { ended, counts, remarks: _remarks, deleted: _deleted, ...progress } = progressOf(before);
  if (ended === undefined || counts.failed > 0 || progress.broken.length > 0) return undefined;
  const version = await view.version();
  if (ended.version > version || ended.era !== (await eraOf(view))) return undefined;
  for (const { streamNo, connectionId, name } of await view.streams(caller.subjectId)) {
    // Text that was recognised in the connection's files since then does not count as a change.
    if (connectionId !== connection_id || name === ATTACHED_TEXT_STREAM) continue;
    if ((await view.changes(streamNo, ended.version, version, 1)).length > 0) return undefined;
  }
  return {
    ...progress,
    counts: {
      imported: 0,
      changed: 0,
      unchanged: counts.imported + counts.changed + counts.unchanged,
      skipped: counts.skipped,
      failed: 0,
    },
    files: progress.files.map(({ imported, changed, unchanged, ...file }) => ({
      ...file,
      imported: 0,
      changed: 0,
      unchanged: imported + changed + unchanged,
    })),
    total_bytes,
    bytes: total_bytes,
    attempt: 1,
    ended,
    remarks: ["nothing has changed since the last import, so the files were not read again"],
  };
}

/** Identifies the feed's era. After a restore, the same version may refer to a different change. */
const eraOf = async (view: ReadView): Promise<string> => JSON.stringify((await view.eras()).at(-1) ?? null);

/** From now on, batches from the previous runner are refused. */
async function takeOver(view: WriteView, caller: Caller, job: JobRow, now: number): Promise<ImportRun> {
  const progress = atCheckpoint(progressOf(job));
  const taken = { ...progress, attempt: progress.attempt + 1, began: now };
  return runOf(await put(view, caller, { ...job, status: "running", updatedAt: now }, taken));
}

export async function storeImportBatch(
  view: WriteView,
  caller: Caller,
  batch: z.infer<typeof requests.importBatch>,
  { now, onReleased }: Removal,
): Promise<ImportJob> {
  const job = await requireRun(view, caller, batch);
  const { connection_id } = requestOf(job);
  const before = progressOf(job);
  const report = reportOf(before);
  await putBlobs(view, batch.blobs, now);
  const run = { connection_id, id: job.jobId, mayRepeat: before.attempt > 1 };
  await storeFound(view, caller, run, batch, report, { now: runTime(job), onReleased });
  for (const { path, skipped, failed, reasons } of batch.notes) report.note(path, skipped, failed, reasons);
  const { settled: _settled, ...progress } = { ...report.progress(), bytes: batch.bytes };
  const after: StoredProgress =
    batch.checkpoint === undefined
      ? { ...progress, settled: before.settled ?? settledOf(before) }
      : { ...progress, checkpoint: batch.checkpoint };
  return jobRead(await put(view, caller, { ...job, updatedAt: now }, after));
}

function settledOf({ attempt: _attempt, began: _began, broken: _broken, ...progress }: StoredProgress) {
  return progress;
}

/**
 * The time of every record in a run, as `emitted_at` and `ingested_at`. All records have the same time, because the
 * time at which a batch was stored depends on how much was read before it, including hidden records (G-01).
 */
const runTime = (job: JobRow): number => progressOf(job).began ?? job.startedAt;

/** An entry crashed the parser. Only that entry is lost, and reported. */
export async function breakImport(
  view: WriteView,
  caller: Caller,
  { path, reason, ...run }: z.infer<typeof requests.importBroken>,
  now: number,
): Promise<ImportRun> {
  const job = await requireRun(view, caller, run);
  const progress = withoutEntry(progressOf(job), path, reason);
  return runOf(await put(view, caller, { ...job, updatedAt: now }, { ...progress, attempt: progress.attempt + 1 }));
}

export async function endImport(
  view: WriteView,
  caller: Caller,
  { status, error, snapshot_of, seen, expected = [], ...run }: z.infer<typeof requests.importEnd>,
  removal: Removal,
): Promise<ImportJob> {
  const job = await requireRun(view, caller, run);
  const { connection_id, name } = requestOf(job);
  const { checkpoint: _checkpoint, settled: _settled, ...progress } = progressOf(job);
  if (error !== undefined) progress.error = error;
  // Files after the last batch were read too, although nothing was found in them.
  if (status === "succeeded") progress.bytes = Math.max(progress.bytes, progress.total_bytes);
  if (status === "succeeded") compareWithPlan(progress, expected);
  const isWhole = snapshot_of.length === 0 || (seen !== undefined && progress.counts.failed === 0);
  if (status === "succeeded" && snapshot_of.length > 0) {
    if (seen === undefined || progress.counts.failed > 0) {
      const why = seen === undefined ? "this run did not read everything" : "not everything could be read";
      const remark = `nothing was deleted, because ${why}; import it again to detect records that were deleted at the source`;
      progress.remarks = [...(progress.remarks ?? []), remark];
    } else {
      const place = { connection_id, file: name, runId: job.jobId };
      progress.deleted = await deleteUnseen(view, caller, place, seen, { ...removal, now: runTime(job) });
    }
  }
  // Recorded only if everything was read. Otherwise a later run on the same input must not be skipped, because it may
  // find deletions that this one could not detect.
  if (status === "succeeded" && isWhole) progress.ended = { version: await view.version(), era: await eraOf(view) };
  if (status === "succeeded") await noteCheck(view, caller.subjectId, connection_id, { at: removal.now, ok: true });
  return jobRead(await put(view, caller, { ...job, status, updatedAt: removal.now }, progress));
}

/** Called by the runner, or by the owner from elsewhere. If the owner calls it, the runner's next batch is refused. */
export async function setImportStatus(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  status: "paused" | "cancelled",
  now: number,
): Promise<ImportJob> {
  const job = await requireImport(view, caller, id);
  if (!isUnfinished(job)) throw new PdppError("invalid_request", `the import ${id} is already ${job.status}`);
  return jobRead(await put(view, caller, { ...job, status, updatedAt: now }, progressOf(job)));
}

export async function listImports(view: ReadView, subjectId: string): Promise<ImportJob[]> {
  return (await view.jobs(subjectId)).filter(({ kind }) => kind === IMPORT).map(jobRead);
}

export async function requireImport(view: ReadView, caller: Caller, id: string): Promise<JobRow> {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind === IMPORT) return job;
  throw new PdppError("not_found", `there is no import ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "`pdpp import list`, or GET /v1/imports, shows them.",
  });
}

async function requireRun(
  view: ReadView,
  caller: Caller,
  { import_id, attempt }: { import_id: string; attempt: number },
): Promise<JobRow> {
  const job = await requireImport(view, caller, import_id);
  if (job.status !== "running")
    throw new PdppError("job_already_running", `the import ${import_id} is ${job.status}: it accepts no more records`);
  if (progressOf(job).attempt !== attempt)
    throw new PdppError("job_already_running", `another process has taken over the import ${import_id}`);
  return job;
}

export const isUnfinished = ({ status }: JobRow): boolean => status === "running" || status === "paused";

async function put(view: WriteView, caller: Caller, job: JobRow, progress: StoredProgress): Promise<JobRow> {
  const stored = { ...job, progress: progress as unknown as JsonValue };
  await view.putJob(caller.subjectId, stored);
  return stored;
}

export const requestOf = (job: JobRow): Request => job.request as unknown as Request;
const progressOf = (job: JobRow): StoredProgress => job.progress as unknown as StoredProgress;

function runOf(job: JobRow): ImportRun {
  const { attempt, broken } = progressOf(job);
  return { job: jobRead(job), attempt, broken };
}

export function jobRead(job: JobRow): ImportJob {
  const { connection_id, connector_key, importer, name, answers } = requestOf(job);
  const {
    attempt: _attempt,
    began: _began,
    broken: _broken,
    ended: _ended,
    last_unlisted: _last,
    settled: _settled,
    ...progress
  } = progressOf(job);
  return {
    object: "import",
    import_id: job.jobId,
    status: job.status,
    importer,
    name,
    connection_id,
    connector_key,
    ...(answers === undefined ? {} : { answers }),
    started_at: formatInstant(job.startedAt),
    updated_at: formatInstant(job.updatedAt),
    progress,
  };
}
