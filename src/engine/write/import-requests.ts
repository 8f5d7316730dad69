// Imports requested over HTTP: the uploaded files, the state, and the resulting imports.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import type { ImportJob, ImportUndone } from "../../contract/import.ts";
import type * as requests from "../../contract/import-request.ts";
import type { ImportRequest, ImportUpload } from "../../contract/import-upload.ts";
import { IMPORT as LIMITS } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";
import { formatInstant } from "../../core/instant.ts";
import type { JobRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { type Removal, undoImport, undoSize } from "./import-snapshot.ts";
import { IMPORT, isUnfinished, jobRead, requireImport, setImportStatus } from "./imports.ts";

const KIND = "import_request";

interface Progress {
  files: { name: string; size: number }[];
  /** Set once the import has been started. */
  run?: { answers: Record<string, string>; as?: string };
  /** The import of each finished group. */
  done: Record<string, string>;
  /** The running import, or the last one. */
  running?: string;
  /** The number of groups. */
  parts?: number;
  left: ImportRequest["left_out"];
  error?: string;
}

/** An import, as the server that runs it sees it. */
export interface ImportTask {
  id: string;
  status: JobRow["status"];
  progress: Progress;
  expiresAt: number;
}

const progressOf = (job: JobRow): Progress => job.progress as unknown as Progress;

export async function createImport(
  view: WriteView,
  caller: Caller,
  { name, size, import_id }: z.infer<typeof requests.importCreate>,
  now: number,
): Promise<ImportUpload> {
  const open = (await view.jobs(caller.subjectId)).filter((job) => job.kind === KIND && isWaiting(job, now));
  const waiting = open.flatMap((job) => progressOf(job).files).reduce((sum, file) => sum + file.size, 0);
  if (waiting + size > LIMITS.diskBytes) {
    throw new PdppError("storage_full", `waiting files may use at most ${LIMITS.diskBytes} bytes in total`, {
      next_step:
        "Run or cancel waiting imports (POST /v1/imports/ID/run or /cancel), or import it here: `pdpp import PATH`.",
    });
  }
  if (import_id === undefined && open.length >= LIMITS.openMax)
    throw new PdppError("resource_limit", `${LIMITS.openMax} imports are already waiting`, {
      next_step: "GET /v1/imports lists them; run or cancel one first (POST /v1/imports/ID/run or /cancel).",
    });
  const job =
    import_id === undefined ? newRequest(now) : requireOpen(await requireRequest(view, caller, import_id), now);
  const progress = progressOf(job);
  if (progress.files.length >= LIMITS.filesMax)
    throw new PdppError("resource_limit", `an import has at most ${LIMITS.filesMax} files`, {
      next_step: "Cancel this one, and send the files as one archive: POST /v1/imports with its name and size.",
    });
  const files = [...progress.files, { name, size }];
  const stored = { ...job, updatedAt: now, expiresAt: now + LIMITS.lifetimeMs };
  await put(view, caller, stored, { ...progress, files });
  return uploadOf(stored, files.length - 1, files.at(-1)!);
}

function newRequest(now: number): JobRow {
  const progress: Progress = { files: [], done: {}, left: [] };
  return {
    jobId: newId("job"),
    kind: KIND,
    status: "queued",
    holder: null,
    request: null,
    startedAt: now,
    updatedAt: now,
    progress: progress as unknown as JsonValue,
    expiresAt: now + LIMITS.lifetimeMs,
  };
}

const isWaiting = ({ status, expiresAt }: JobRow, now: number): boolean =>
  (status === "queued" || status === "running" || status === "paused") && now < expiresAt!;

function requireOpen(job: JobRow, now: number): JobRow {
  if (progressOf(job).run === undefined && job.status === "queued" && now < job.expiresAt!) return job;
  throw new PdppError("job_already_running", `the import ${job.jobId} accepts no more files`, {
    next_step: "Start another: POST /v1/imports without import_id.",
  });
}

/** An upload id contains its import's id and the file's index in it. */
function uploadOf(job: JobRow, index: number, { name, size }: { name: string; size: number }): ImportUpload {
  const id = `${job.jobId}.${index}`;
  return {
    object: "import_upload",
    import_id: job.jobId,
    import_upload_id: id,
    name,
    size,
    offset: 0,
    upload_url: `/v1/imports/uploads/${encodeURIComponent(id)}`,
    expires_at: formatInstant(job.expiresAt!),
  };
}

/** `open` means that more bytes are about to arrive. */
export async function readUpload(
  view: ReadView,
  caller: Caller,
  { id, open }: { id: string; open?: boolean },
  now: number,
): Promise<ImportUpload> {
  const [jobId, index] = id.split(".");
  const job = await requireRequest(view, caller, jobId!);
  const file = progressOf(job).files[Number(index)];
  if (file === undefined) throw noImport(id);
  if (open) requireOpen(job, now);
  return uploadOf(job, Number(index), file);
}

/** A form gives only the total size. The size of each file is reported after the upload. */
export async function sizeUpload(
  view: WriteView,
  caller: Caller,
  { id, size }: z.infer<typeof requests.uploadSize>,
  now: number,
) {
  const [jobId, index] = id.split(".");
  const job = requireOpen(await requireRequest(view, caller, jobId!), now);
  const progress = progressOf(job);
  const files = progress.files.map((file, at) => (at === Number(index) ? { ...file, size } : file));
  await put(view, caller, { ...job, updatedAt: now }, { ...progress, files });
  return {};
}

export async function startImport(
  view: WriteView,
  caller: Caller,
  { id, answers = {}, as }: z.infer<typeof requests.importStart>,
  now: number,
): Promise<ImportRequest> {
  const job = requireOpen(await requireRequest(view, caller, id), now);
  const progress: Progress = { ...progressOf(job), run: { answers, ...(as === undefined ? {} : { as }) } };
  return requestRead(view, caller, await put(view, caller, { ...job, updatedAt: now }, progress));
}

/** The possible actions in each state. */
const NEXT: Record<ImportRequest["status"], string> = {
  open: "Start it with POST /v1/imports/ID/run, or end it with /cancel.",
  queued: "It is queued; POST /v1/imports/ID/pause or /cancel stops it.",
  running: "It is running; POST /v1/imports/ID/pause or /cancel stops it.",
  paused: "It is paused; POST /v1/imports/ID/resume continues it, /cancel ends it.",
  succeeded: "It has finished; POST /v1/imports/ID/undo removes what it added.",
  failed: "It has ended; POST /v1/imports starts another with the same files.",
  cancelled: "It has ended; POST /v1/imports starts another with the same files.",
};

/**
 * Changes the status of a request or of one of its imports. Only a whole request can be resumed; one of its imports can
 * be paused or cancelled.
 */
export function setImportRequestStatus(
  view: WriteView,
  caller: Caller,
  ref: { id: string },
  to: "queued",
  now: number,
): Promise<ImportRequest>;
export function setImportRequestStatus(
  view: WriteView,
  caller: Caller,
  ref: { id: string },
  to: "paused" | "cancelled",
  now: number,
): Promise<ImportJob | ImportRequest>;
export async function setImportRequestStatus(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  to: "paused" | "queued" | "cancelled",
  now: number,
): Promise<ImportJob | ImportRequest> {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind !== KIND) {
    if (to !== "queued") return setImportStatus(view, caller, { id }, to, now);
    await requireImport(view, caller, id);
    throw new PdppError("invalid_request", `${id} is one part of an import and cannot be resumed on its own`, {
      next_step: "Resume the whole import (POST /v1/imports/ID/resume), or run the same `pdpp import` again.",
    });
  }
  const { run } = progressOf(job);
  const fits = { paused: ["queued", "running"], queued: ["paused"], cancelled: ["queued", "running", "paused"] }[to];
  if (!fits.includes(job.status) || (to === "paused" && run === undefined))
    throw new PdppError("invalid_request", `the import ${id} is ${statusOf(job)}, so it cannot be ${to}`, {
      next_step: NEXT[statusOf(job)].replaceAll("ID", id),
    });
  if (to === "cancelled") {
    for (const part of await partsOf(view, caller, job))
      if (isUnfinished(part)) await setImportStatus(view, caller, { id: part.jobId }, to, now);
  }
  return requestRead(view, caller, await put(view, caller, { ...job, status: to, updatedAt: now }, progressOf(job)));
}

/** A request's imports so far. */
async function partsOf(view: ReadView, { subjectId }: Caller, job: JobRow): Promise<JobRow[]> {
  const { done, running } = progressOf(job);
  const parts: JobRow[] = [];
  for (const id of new Set([...Object.values(done), ...(running === undefined ? [] : [running])])) {
    const part = await view.job(subjectId, id);
    if (part?.kind === IMPORT) parts.push(part);
  }
  return parts;
}

/** The records that undoing a request or one import would remove. */
export async function undoImportsSize(view: ReadView, caller: Caller, { id }: { id: string }) {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind !== KIND) return undoSize(view, caller, { id });
  const sum = { records_removed: 0, records_kept: 0 };
  for (const { jobId } of await partsOf(view, caller, job)) {
    const size = await undoSize(view, caller, { id: jobId });
    sum.records_removed += size.records_removed;
    sum.records_kept += size.records_kept;
  }
  return sum;
}

export async function undoImports(view: WriteView, caller: Caller, { id }: { id: string }, removal: Removal) {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind !== KIND) return undoImport(view, caller, { id }, removal);
  const parts: ImportUndone[] = [];
  for (const { jobId } of await partsOf(view, caller, job))
    parts.push(await undoImport(view, caller, { id: jobId }, removal));
  if (parts.length === 0)
    throw new PdppError("invalid_request", `the import ${id} has imported nothing`, {
      next_step: `There is nothing to undo; GET /v1/imports/${id} shows its state.`,
    });
  const sum = (member: "records_removed" | "records_kept"): number => parts.reduce((all, one) => all + one[member], 0);
  await put(view, caller, { ...job, status: "cancelled", updatedAt: removal.now }, progressOf(job));
  return {
    object: "import_undone",
    import_id: id,
    connection_id: parts[0]!.connection_id,
    records_removed: sum("records_removed"),
    records_kept: sum("records_kept"),
  };
}

/** For the server itself: every request that was not deleted. */
export async function importTasks(view: ReadView, { subjectId }: Caller): Promise<ImportTask[]> {
  return (await view.jobs(subjectId))
    .filter(({ kind }) => kind === KIND)
    .map((job) => ({ id: job.jobId, status: job.status, progress: progressOf(job), expiresAt: job.expiresAt! }));
}

/** Called by the server itself. A stop or resume in the meantime takes precedence. */
export async function settleImport(
  view: WriteView,
  caller: Caller,
  { id, status, done, running, parts, left, error }: z.infer<typeof requests.importSettled>,
  now: number,
) {
  const job = await requireRequest(view, caller, id);
  const stands =
    job.status === "cancelled" ||
    (job.status === "paused" && status !== "succeeded") ||
    // The request was resumed before the pause was complete.
    (job.status === "queued" && status === "paused");
  const progress: Progress = {
    ...progressOf(job),
    done,
    left,
    ...(running === undefined ? {} : { running }),
    ...(parts === undefined ? {} : { parts }),
    ...(error === undefined ? {} : { error }),
  };
  await put(view, caller, { ...job, status: stands ? job.status : status, updatedAt: now }, progress);
  return {};
}

async function requireRequest(view: ReadView, caller: Caller, id: string): Promise<JobRow> {
  const job = await view.job(caller.subjectId, id);
  if (job?.kind !== KIND) throw noImport(id);
  return job;
}

const noImport = (id: string): PdppError =>
  new PdppError("not_found", `there is no import ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "GET /v1/imports lists them; POST /v1/imports starts one.",
  });

export async function readImport(view: ReadView, caller: Caller, { id }: { id: string }) {
  const job = await view.job(caller.subjectId, id);
  return job?.kind === KIND ? requestRead(view, caller, job) : jobRead(await requireImport(view, caller, id));
}

/** Sorted newest first. */
export async function listRequests(view: ReadView, caller: Caller): Promise<ImportRequest[]> {
  const requests: ImportRequest[] = [];
  for (const job of await view.jobs(caller.subjectId))
    if (job.kind === KIND) requests.push(await requestRead(view, caller, job));
  return requests;
}

export async function readRequest(view: ReadView, caller: Caller, id: string): Promise<ImportRequest> {
  return requestRead(view, caller, await requireRequest(view, caller, id));
}

const statusOf = (job: JobRow): ImportRequest["status"] =>
  job.status === "queued" && progressOf(job).run === undefined ? "open" : job.status;

async function requestRead(view: ReadView, caller: Caller, job: JobRow): Promise<ImportRequest> {
  const { files, parts, left, error } = progressOf(job);
  return {
    object: "import_request",
    import_id: job.jobId,
    status: statusOf(job),
    files: files.map((file, index) => {
      const { import_upload_id, name, size, offset } = uploadOf(job, index, file);
      return { import_upload_id, name, size, offset };
    }),
    imports: (await partsOf(view, caller, job)).map(jobRead),
    ...(parts === undefined ? {} : { parts }),
    left_out: left,
    ...(error === undefined ? {} : { error }),
    created_at: formatInstant(job.startedAt),
    expires_at: formatInstant(job.expiresAt!),
  };
}

async function put(view: WriteView, caller: Caller, job: JobRow, progress: Progress): Promise<JobRow> {
  const stored = { ...job, progress: progress as unknown as JsonValue };
  await view.putJob(caller.subjectId, stored);
  return stored;
}
