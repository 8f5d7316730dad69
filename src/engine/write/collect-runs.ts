// Stores connector runs: queues and starts them, stores their batches, and ends them. Cursors are stored at the end,
// and only if the run succeeded.
import type { z } from "zod";
import type { CollectError, CollectLog, CollectRun } from "../../contract/collect.ts";
import type * as requests from "../../contract/collect-request.ts";
import { PdppError } from "../../contract/errors.ts";
import { newId } from "../../contract/ids.ts";
import { COLLECT } from "../../contract/limits.ts";
import type { JsonValue } from "../../contract/record.ts";
import { formatInstant } from "../../core/instant.ts";
import type { JobRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { noteCheck } from "./checks.ts";
import { noCounts, type StoredLines, storeLines } from "./collect-lines.ts";
import { COLLECT_LOG } from "./connection-items.ts";
import { idKeyOrNew } from "./id-keys.ts";
import type { Removal } from "./import-snapshot.ts";
import { requireConnection } from "./sources.ts";
import { requireSetup } from "./stored-setup.ts";

const KIND = "collect";

interface RunRequest {
  connection_id: string;
  connector_key: string;
  connector: string;
  mode: CollectRun["mode"];
  reason: CollectRun["reason"];
}

type RunDetails = Pick<
  CollectRun,
  "ended_at" | "counts" | "streams" | "progress" | "question" | "error" | "rejections" | "report" | "states"
>;

/** The stored form, including the data needed to clean up after the run. */
export interface RunProgress extends RunDetails {
  /**
   * When the run left the queue, in ms, which is the `ingested_at` of its records. Absent in jobs of older versions.
   */
  began?: number;
  scratch?: string;
  pid?: number;
}

export interface CollectTask {
  id: string;
  status: JobRow["status"];
  connection_id: string;
  mode: CollectRun["mode"];
  scratch?: string;
  pid?: number;
}

const requestOf = (job: JobRow): RunRequest => job.request as unknown as RunRequest;
const progressOf = (job: JobRow): RunProgress => job.progress as unknown as RunProgress;
const isOpen = ({ status }: JobRow): boolean => status === "queued" || status === "running";
const emptyReport = (): RunProgress["report"] => ({ skipped: [], coverage: [], gaps: [], remarks: [], left_out: 0 });

/** Sorted newest first. */
async function runsOf(view: ReadView, { subjectId }: Caller, connectionId: string): Promise<JobRow[]> {
  const jobs = await view.jobs(subjectId);
  return jobs.filter((job) => job.kind === KIND && requestOf(job).connection_id === connectionId);
}

/** Creates a run, which waits for the process that runs this home's connectors. */
export async function startRun(
  view: WriteView,
  caller: Caller,
  { connection_id, mode = "incremental", reason = "manual" }: z.infer<typeof requests.collectStart>,
  now: number,
): Promise<CollectRun> {
  const { manifest } = await requireSetup(view, caller, connection_id);
  await idKeyOrNew(view, caller.subjectId, connection_id, now);
  const runs = await runsOf(view, caller, connection_id);
  const open = runs.find(isOpen);
  if (open !== undefined) {
    throw new PdppError("job_already_running", `a run of ${connection_id} is already in progress: ${open.jobId}`, {
      next_step: `GET /v1/runs/${open.jobId} shows its progress; POST /v1/runs/${open.jobId}/cancel stops it.`,
    });
  }
  for (const old of runs.slice(COLLECT.remembered - 1)) {
    await view.deleteJob(caller.subjectId, old.jobId);
    await view.deleteItem(caller.subjectId, COLLECT_LOG, old.jobId);
  }
  const request: RunRequest = {
    connection_id,
    connector_key: manifest.connector_key,
    connector: `${manifest.connector_key} ${manifest.version}`,
    mode,
    reason,
  };
  const job: JobRow = {
    jobId: newId("job"),
    kind: KIND,
    status: "queued",
    holder: null,
    request: request as unknown as JsonValue,
    startedAt: now,
    updatedAt: now,
    progress: null,
    expiresAt: null,
  };
  return runRead(
    await put(view, caller, job, {
      counts: noCounts(),
      streams: {},
      rejections: [],
      report: emptyReport(),
      states: [],
    }),
  );
}

/** For the server itself: waiting runs, and runs that a process has started. */
export async function collectTasks(view: ReadView, { subjectId }: Caller): Promise<CollectTask[]> {
  return (await view.jobs(subjectId))
    .filter((job) => job.kind === KIND && isOpen(job))
    .map((job) => {
      const { connection_id, mode } = requestOf(job);
      const { scratch, pid } = progressOf(job);
      return { id: job.jobId, status: job.status, connection_id, mode, scratch, pid };
    });
}

export async function beginRun(
  view: WriteView,
  caller: Caller,
  { id, scratch }: z.infer<typeof requests.collectBegin>,
  now: number,
) {
  const job = await requireRun(view, caller, id);
  if (job.status !== "queued") throw ended(job);
  return runRead(
    await put(view, caller, { ...job, status: "running", updatedAt: now }, { ...progressOf(job), began: now, scratch }),
  );
}

export async function noteSpawned(
  view: WriteView,
  caller: Caller,
  { id, pid }: z.infer<typeof requests.collectSpawned>,
  now: number,
) {
  const job = await requireOpen(view, caller, id);
  await put(view, caller, { ...job, updatedAt: now }, { ...progressOf(job), pid });
  return {};
}

export interface StoredBatch extends StoredLines {
  rejected: number;
}

export async function storeRunBatch(
  view: WriteView,
  caller: Caller,
  { id, lines, numbers }: z.infer<typeof requests.collectBatch>,
  { now, onReleased }: Removal,
): Promise<StoredBatch> {
  const job = await requireOpen(view, caller, id);
  const { connection_id, connector } = requestOf(job);
  requireConnection(caller, connection_id);
  const progress = structuredClone(progressOf(job));
  const origin = JSON.stringify({ run_id: id, connector });
  // All records of a run get the same time, because the time of a batch depends on earlier records, including hidden
  // ones (G-01).
  const began = progress.began ?? job.startedAt;
  const batch = { connectionId: connection_id, origin, lines, numbers };
  const stored = await storeLines(view, caller, batch, progress, { now: began, onReleased });
  await put(view, caller, { ...job, updatedAt: now }, progress);
  return { ...stored, rejected: progress.counts.rejected };
}

export async function noteRun(
  view: WriteView,
  caller: Caller,
  { id, progress, question }: z.infer<typeof requests.collectNote>,
  now: number,
) {
  const job = await requireOpen(view, caller, id);
  const { question: before, ...rest } = progressOf(job);
  const asked = question === undefined ? before : (question ?? undefined);
  await put(
    view,
    caller,
    { ...job, updatedAt: now },
    { ...rest, ...(progress === undefined ? {} : { progress }), ...(asked === undefined ? {} : { question: asked }) },
  );
  return {};
}

/** Stores the cursors and the end of the run in one write, so after a crash either both are stored or neither is. */
export async function endRun(
  view: WriteView,
  caller: Caller,
  { id, status, error, states, report, log }: z.infer<typeof requests.collectEnd>,
  now: number,
): Promise<CollectRun> {
  const job = await requireRun(view, caller, id);
  const { connection_id } = requestOf(job);
  const { question: _question, scratch: _scratch, pid: _pid, ...progress } = progressOf(job);
  await view.putItem(caller.subjectId, {
    kind: COLLECT_LOG,
    id,
    holder: connection_id,
    createdAt: now,
    dueAt: null,
    body: log,
  });
  // A cancellation in the meantime takes precedence.
  const cancelled = job.status === "cancelled";
  const good = status === "succeeded" && !cancelled;
  const streams = good ? Object.keys(states) : [];
  if (streams.length > 0) await view.putState(caller.subjectId, connection_id, states, now);
  const after: RunProgress = {
    ...progress,
    ...(good || error === undefined ? {} : { error: error as CollectError }),
    report,
    states: streams,
    ended_at: formatInstant(now),
  };
  // A stopped server says nothing about the health of the source.
  if (!cancelled && status !== "cancelled" && error?.code !== "interrupted")
    await noteCheck(view, caller.subjectId, connection_id, {
      at: now,
      ok: good,
      ...(error === undefined ? {} : { message: error.message }),
    });
  return runRead(await put(view, caller, { ...job, status: cancelled ? job.status : status, updatedAt: now }, after));
}

/** Cancels a run. The next message from its runner is refused, and the runner stops. */
export async function cancelRun(
  view: WriteView,
  caller: Caller,
  { id }: { id: string },
  now: number,
): Promise<CollectRun> {
  const job = await requireRun(view, caller, id);
  if (!isOpen(job)) throw ended(job);
  const { question: _question, ...progress } = progressOf(job);
  const error: CollectError = { code: "cancelled", message: "it was cancelled" };
  const after = { ...progress, error, ended_at: formatInstant(now) };
  return runRead(await put(view, caller, { ...job, status: "cancelled", updatedAt: now }, after));
}

/**
 * Checks that the answer fits the question. The process that runs the connector passes it on, and nothing is stored.
 */
export async function answerRun(
  view: ReadView,
  caller: Caller,
  { id, request_id, values = {}, refuse, remember }: z.infer<typeof requests.collectAnswer>,
): Promise<CollectRun> {
  const job = await requireRun(view, caller, id);
  const { question } = progressOf(job);
  if (question === undefined || question.request_id !== request_id) {
    const now = question === undefined ? "is not waiting for an answer" : `asks ${JSON.stringify(question.request_id)}`;
    throw new PdppError("invalid_request", `the run ${id} ${now}`, {
      param: "request_id",
      next_step: `GET /v1/runs/${id} shows the question.`,
    });
  }
  if (refuse) return runRead(job);
  const unknown = Object.keys(values).find((name) => !question.fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new PdppError("invalid_request", `the question has no field ${JSON.stringify(unknown)}`, {
      param: `values.${unknown}`,
    });
  const missing = question.fields.find(({ name, required }) => required && (values[name] ?? "") === "");
  if (missing !== undefined)
    throw new PdppError("invalid_request", `${missing.name} is missing`, { param: `values.${missing.name}` });
  if (remember && question.kind !== "credentials")
    throw new PdppError("invalid_request", "only credentials can be remembered: a code is valid once", {
      param: "remember",
    });
  return runRead(job);
}

export async function readRun(view: ReadView, caller: Caller, { id }: { id: string }): Promise<CollectRun> {
  return runRead(await requireRun(view, caller, id));
}

export async function listRuns(view: ReadView, caller: Caller, connectionId: string): Promise<CollectRun[]> {
  requireConnection(caller, connectionId);
  return (await runsOf(view, caller, connectionId)).map(runRead);
}

export async function lastRun(view: ReadView, caller: Caller, connectionId: string): Promise<CollectRun | undefined> {
  const [last] = await runsOf(view, caller, connectionId);
  return last && runRead(last);
}

export async function readLog(view: ReadView, caller: Caller, { id }: { id: string }): Promise<CollectLog> {
  await requireRun(view, caller, id);
  const body = (await view.item(caller.subjectId, COLLECT_LOG, id))?.body as Pick<CollectLog, "text" | "truncated">;
  return { object: "collect_log", run_id: id, ...(body ?? { text: "", truncated: false }) };
}

/** Deletes a connection's runs along with it. */
export async function dropRuns(view: WriteView, caller: Caller, connectionId: string): Promise<void> {
  for (const { jobId } of await runsOf(view, caller, connectionId)) await view.deleteJob(caller.subjectId, jobId);
}

async function requireRun(view: ReadView, { subjectId }: Caller, id: string): Promise<JobRow> {
  const job = await view.job(subjectId, id);
  if (job?.kind === KIND) return job;
  throw new PdppError("not_found", `there is no run ${JSON.stringify(id)}`, {
    param: "id",
    next_step: "GET /v1/connections/ID/runs lists the runs of a connection.",
  });
}

async function requireOpen(view: ReadView, caller: Caller, id: string): Promise<JobRow> {
  const job = await requireRun(view, caller, id);
  if (job.status !== "running") throw ended(job);
  return job;
}

const ended = ({ jobId, status }: JobRow): PdppError =>
  new PdppError("job_already_running", `the run ${jobId} is ${status}: it accepts no more records`, {
    next_step: `GET /v1/runs/${jobId} shows its result.`,
  });

async function put(view: WriteView, { subjectId }: Caller, job: JobRow, progress: RunProgress): Promise<JobRow> {
  const stored = { ...job, progress: progress as unknown as JsonValue };
  await view.putJob(subjectId, stored);
  return stored;
}

function runRead(job: JobRow): CollectRun {
  const { began: _began, scratch: _scratch, pid: _pid, ...progress } = progressOf(job);
  return {
    object: "collect_run",
    run_id: job.jobId,
    ...requestOf(job),
    status: job.status as CollectRun["status"],
    started_at: formatInstant(job.startedAt),
    updated_at: formatInstant(job.updatedAt),
    ...progress,
  };
}
