// Export jobs: one row each, visible to the owner and under the grant that started the job.
import { z } from "zod";
import type { Bearer, ExportJob } from "../../contract/answers.ts";
import { type ErrorBody, errorBody, fromErrorBody, PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import { EXPORT, NAME_MAX } from "../../contract/limits.ts";
import type { ExportFileQuery, ExportFormat } from "../../contract/read.ts";
import type { JsonValue } from "../../contract/record.ts";
import { parseInstant } from "../../core/instant.ts";
import { isOwner, type ScopeRow } from "../../core/scope.ts";
import type { GrantRow, JobRow } from "../../store/rows.ts";
import type { ReadView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { WriteContext } from "../calls/define.ts";
import { type Answer, listJson, type ReadContext } from "../read/context.ts";
import { exportRequest, type SourcedQuery } from "./request.ts";

const KIND = "export";

export interface ExportJobRequest {
  query: SourcedQuery;
  format: ExportFormat;
  grant_id?: string;
}

export interface JobProgress {
  records: number;
  total?: number;
  /** How many times the export was started. An export that crashes the server each time is not repeated forever. */
  attempts: number;
  /** The name of the finished file. Each attempt writes its own. */
  file?: string;
  size_bytes?: number;
  sha256?: string;
  error?: ErrorBody;
}

/** An export, as the server that runs it sees it. */
export interface ExportTask {
  id: string;
  status: Exclude<JobRow["status"], "paused">;
  /** The grant that the export reads under. Null for the owner. */
  holder: string | null;
  request: ExportJobRequest;
  progress: JobProgress;
  expiresAt: number;
  /** True if the grant and the connection that the export depends on still exist. */
  stands: boolean;
}

const taskOf = ({ jobId, status, holder, request, progress, expiresAt }: JobRow): Omit<ExportTask, "stands"> => ({
  id: jobId,
  // Exports cannot be paused, so the status is always one of the statuses of a task.
  status: status as ExportTask["status"],
  holder,
  request: request as unknown as ExportJobRequest,
  progress: progress as unknown as JobProgress,
  expiresAt: expiresAt!,
});

function holderOf({ grant_package_id, grant_id }: Bearer): string | null {
  return grant_package_id ?? grant_id ?? null;
}

export async function createExport(context: WriteContext, { format = "jsonl", ...asked }: ExportFileQuery) {
  const { view, caller, now } = context;
  const { query, row } = exportRequest(context, asked);
  const holder = isOwner(caller.scope) ? null : holderOf(caller.scope.bearer);
  const own = (await exportRows(view, caller)).filter((job) => job.holder === holder && now < job.expiresAt!);
  if (own.length >= EXPORT.perHolder) {
    throw new PdppError(
      "resource_limit",
      `there are already ${own.length} exports; at most ${EXPORT.perHolder} are kept`,
      {
        next_step: `Remove one that is no longer needed: DELETE /v1/exports/${own.at(-1)!.jobId}`,
      },
    );
  }
  const request: ExportJobRequest = { query, format, ...(row.grantId === undefined ? {} : { grant_id: row.grantId }) };
  const progress: JobProgress = { records: 0, attempts: 0 };
  const job: JobRow = {
    jobId: newId("job"),
    kind: KIND,
    status: "queued",
    holder,
    request: request as unknown as JsonValue,
    startedAt: now,
    updatedAt: now,
    progress: progress as unknown as JsonValue,
    expiresAt: now + EXPORT.lifetimeMs,
  };
  await view.putJob(caller.subjectId, job);
  return exportJobOf(job);
}

export async function readExports({ view, caller, now }: ReadContext & { now: number }): Promise<Answer> {
  const jobs = (await exportRows(view, caller)).filter((job) => mayTouch(caller, job) && now < job.expiresAt!);
  const items = jobs.map((job) => JSON.stringify(exportJobOf(job)));
  const body = listJson({ url: "/v1/exports", self: "/v1/exports", items, hasMore: false });
  return { body, records: 0, reads: [] };
}

export async function readExportJob(context: ReadContext & { now: number }, { id }: { id: string }): Promise<Answer> {
  const job = await findExport(context, id);
  return { body: JSON.stringify(exportJobOf(job)), records: 0, reads: [] };
}

/**
 * Writes the audit entry before the first byte of a finished file. The grant must still show what it showed when the
 * file was made.
 */
export async function openExportFile(
  context: ReadContext & { now: number },
  { id }: { id: string },
): Promise<Answer<ExportJob & { file: string }>> {
  const job = await findExport(context, id);
  const { request, progress, status } = taskOf(job);
  if (progress.error !== undefined) throw fromErrorBody(progress.error);
  if (status !== "succeeded") {
    throw new PdppError("job_already_running", "the export is not ready yet", {
      next_step: `Poll until status is succeeded: GET /v1/exports/${id}`,
    });
  }
  const row = await rowStill(context, request, job);
  return { body: JSON.stringify({ ...exportJobOf(job), file: progress.file ?? id }), row, records: 0, bytes: 0 };
}

/**
 * A file contains what its grant showed at the time, so it can no longer be downloaded once the grant ends or changes.
 */
const isUnchanged = (row: GrantRow | undefined, { startedAt }: Pick<JobRow, "startedAt">): boolean =>
  row?.revokedAt === null &&
  row.grant.paused_at === undefined &&
  (row.grant.changed_at === undefined || parseInstant(row.grant.changed_at)! < startedAt);

/** The grant that the file was created under must be valid, unchanged and one of the caller's. */
async function rowStill(context: ReadContext, { query, grant_id }: ExportJobRequest, job: JobRow): Promise<ScopeRow> {
  const { row } = exportRequest(context, query);
  if (isOwner(context.caller.scope)) return row;
  if (row.grantId === grant_id && isUnchanged(await context.view.grant(grant_id!), job)) return row;
  throw new PdppError("grant_revoked", "the grant that this export was created under has ended");
}

export async function deleteExport(context: WriteContext, { id }: { id: string }) {
  const { view, caller } = context;
  const job = await view.job(caller.subjectId, id);
  if (job === undefined || !mayTouch(caller, job)) throw noExport(id);
  await view.deleteJob(caller.subjectId, id);
  return {};
}

/** Returns all exports, for the server itself. */
export async function readExportTasks({ view, caller }: ReadContext): Promise<ExportTask[]> {
  const tasks: ExportTask[] = [];
  for (const job of await exportRows(view, caller)) {
    const task = taskOf(job);
    const { grant_id, query } = task.request;
    const granted = grant_id === undefined || isUnchanged(await view.grant(grant_id), job);
    const connected = caller.catalog.connections.some((row) => row.connectionId === query.connection_id);
    tasks.push({ ...task, stands: granted && connected });
  }
  return tasks;
}

export const exportSettled = z.strictObject({
  id: z.string().max(NAME_MAX),
  status: z.enum(["queued", "running", "succeeded", "failed"]),
  progress: z.custom<JobProgress>(),
});

/** Called by the server itself. Does nothing if the job was removed in the meantime. */
export async function settleExport(
  { view, caller, now }: WriteContext,
  { id, status, progress }: z.infer<typeof exportSettled>,
) {
  const job = await view.job(caller.subjectId, id);
  if (job === undefined) return { gone: true };
  await view.putJob(caller.subjectId, {
    ...job,
    status,
    progress: progress as unknown as JsonValue,
    updatedAt: now,
    // A file is kept for a day after it is ready.
    expiresAt: status === "succeeded" ? now + EXPORT.lifetimeMs : job.expiresAt,
  });
  return {};
}

async function exportRows(view: ReadView, { subjectId }: Caller): Promise<JobRow[]> {
  return (await view.jobs(subjectId)).filter(({ kind }) => kind === KIND);
}

const mayTouch = ({ scope }: Caller, { kind, holder }: JobRow): boolean =>
  kind === KIND && (isOwner(scope) || holder === holderOf(scope.bearer));

async function findExport({ view, caller, now }: ReadContext & { now: number }, id: string): Promise<JobRow> {
  const job = await view.job(caller.subjectId, id);
  if (job === undefined || !mayTouch(caller, job)) throw noExport(id);
  if (now >= job.expiresAt!) throw exportExpired();
  return job;
}

function noExport(id: string): PdppError {
  return new PdppError("not_found", `there is no export ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "GET /v1/exports lists them.",
  });
}

export function exportExpired(): PdppError {
  return new PdppError("export_expired", "the export has expired and its file was deleted", {
    next_step: "Start it again: POST /v1/exports.",
  });
}

/** A job's error, as stored and shown. */
export function jobError(error: PdppError): ErrorBody {
  const { request_id: _request, ...body } = errorBody(error);
  return body;
}

function exportJobOf(job: JobRow): ExportJob {
  const { request, progress, status } = taskOf(job);
  const { query, format } = request;
  const { records, total, size_bytes, sha256, error } = progress;
  return {
    object: "export",
    export_id: job.jobId,
    status,
    stream: query.stream,
    connection_id: query.connection_id,
    format,
    progress: { records, ...(total === undefined ? {} : { total }) },
    created_at: new Date(job.startedAt).toISOString(),
    expires_at: new Date(job.expiresAt!).toISOString(),
    ...(size_bytes === undefined ? {} : { size_bytes }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(error === undefined ? {} : { error }),
    ...(status === "failed" ? {} : { download_url: `/v1/exports/${encodeURIComponent(job.jobId)}/download` }),
  };
}
