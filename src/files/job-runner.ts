// Runs index jobs in a thread, one of each kind at a time per home. Jobs that were running when a server ended are
// resumed.
import { PdppError } from "../contract/errors.ts";
import type { FileJobProgress } from "../contract/files.ts";
import { newId } from "../contract/ids.ts";
import { type HomeLock, tryLockHome } from "../engine/home-lock.ts";
import { CalledThread } from "../engine/threads/thread-calls.ts";
import type { Catalogue, FileJobRequest, FileJobRow, JobHolder } from "./catalogue.ts";
import type { JobEnd, JobNews, JobOrder, WorkProgress } from "./job-thread.ts";

export interface JobRunnerOptions {
  kind: FileJobRow["kind"];
  catalogue: Catalogue;
  now: () => number;
  /** The process that has locked this directory runs the jobs of this kind. */
  lockDirectory: string;
  /** The script that the worker thread runs. */
  program: URL;
  /** How long an idle thread waits for another job before it ends. */
  keepThreadMs?: number;
  /** Returns the job's input, or undefined if there is nothing left to work on. */
  dataOf: (job: FileJobRow) => object | undefined;
  /** Handles requests from a job's thread. */
  answer?: (asked: unknown) => Promise<unknown>;
  /** If true, jobs are only stored, and another process runs them. */
  elsewhere?: boolean;
}

type JobThread = CalledThread<object, JobEnd, JobOrder, JobNews>;

/** How often a job's row is updated with its progress. */
const NOTE_MS = 500;
/** How soon to try again if another process holds the lock, such as a command that runs next to a server. */
const RETRY_MS = 1000;
const NOTHING: FileJobProgress = { nodes: 0, files: 0, dirs: 0, bytes: 0, problems: 0, rate: 0 };

export const isFinished = ({ status }: FileJobRow): boolean =>
  status === "succeeded" || status === "failed" || status === "cancelled";

interface RunningJob {
  job: FileJobRow;
  thread: JobThread;
  /** The status to set once the job has stopped as requested. */
  ends?: "cancelled" | "queued" | "paused";
  gone: Promise<void>;
  since: number;
  /** When the job's row was last written. */
  noted: number;
}

export class JobRunner {
  readonly #options: JobRunnerOptions;
  #running: RunningJob | undefined;
  #thread: JobThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lock: HomeLock | undefined;
  #retry: NodeJS.Timeout | undefined;
  #listeners = new Set<(job: FileJobRow) => void>();
  #closed = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** Starts the thread, so that it loads while the caller sets up the job. */
  prepare(): void {
    if (this.#thread !== undefined || this.#closed || this.#options.elsewhere) return;
    this.#startThread();
    this.#endIdleThread();
  }

  /** Returns the unfinished job for the index, or starts a new one. */
  start(index: number, request: FileJobRequest): FileJobRow {
    const { catalogue, now, kind } = this.#options;
    const open = this.#unfinished().find((job) => job.index === index);
    if (open !== undefined) {
      this.#share(open, request.holders);
      // An app does not resume a job that the owner paused.
      const isOwners = open.request.holders === undefined && request.holders !== undefined;
      if (open.status === "paused" && isOwners) return this.job(open.jobId);
      if (open.status === "paused") return this.resume(open.jobId);
      this.wake();
      return this.job(open.jobId);
    }
    const job: FileJobRow = {
      jobId: newId("job"),
      kind,
      index,
      request,
      status: "queued",
      startedAt: now(),
      updatedAt: now(),
      progress: NOTHING,
      scan: null,
      error: null,
    };
    this.#put(job);
    this.wake();
    return catalogue.job(job.jobId)!;
  }

  /** Adds another caller to a job. The job continues as long as at least one caller is still allowed to run it. */
  #share(job: FileJobRow, holders: JobHolder[] | undefined): void {
    const { holders: before, ...request } = job.request;
    if (before === undefined) return;
    const others = holders?.filter(({ grant }) => !before.some((one) => one.grant === grant));
    this.#put({ ...job, request: others === undefined ? request : { ...request, holders: [...before, ...others] } });
  }

  job(jobId: string): FileJobRow {
    const job = this.#options.catalogue.job(jobId);
    if (job !== undefined) return this.live(job);
    throw new PdppError("not_found", `there is no files job ${JSON.stringify(jobId.slice(0, 60))}`, {
      param: "jobId",
      next_step: "Index a root to start one, or list the existing jobs.",
    });
  }

  pause(jobId: string): FileJobRow {
    const job = this.#requireUnfinished(jobId);
    if (this.#running?.job.jobId === jobId) this.#send("pause");
    return this.#put({ ...job, status: "paused" });
  }

  resume(jobId: string): FileJobRow {
    const job = this.#requireUnfinished(jobId);
    if (this.#running?.job.jobId === jobId) {
      this.#send("resume");
      return this.#put({ ...job, status: "running" });
    }
    if (job.status === "paused") this.#put({ ...job, status: "queued" });
    this.wake();
    return this.job(jobId);
  }

  async cancel(jobId: string): Promise<FileJobRow> {
    const job = this.#requireUnfinished(jobId);
    if (this.#running?.job.jobId !== jobId) return this.#put({ ...job, status: "cancelled" });
    await this.#stop("cancelled");
    return this.job(jobId);
  }

  /** Ends all work on an index. */
  async release(index: number): Promise<void> {
    if (this.#running?.job.index === index) await this.#stop("cancelled");
  }

  /** Resolves when the job has ended, in any process. */
  async ended(jobId: string, signal?: AbortSignal): Promise<FileJobRow> {
    for (;;) {
      signal?.throwIfAborted();
      const job = this.job(jobId);
      if (isFinished(job)) return job;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, NOTE_MS);
        const forget = this.onChange((changed) => {
          if (changed.jobId === jobId && isFinished(changed)) done();
        });
        signal?.addEventListener("abort", done, { once: true });
        function done(): void {
          signal?.removeEventListener("abort", done);
          clearTimeout(timer);
          forget();
          resolve();
        }
      });
    }
  }

  onChange(listener: (job: FileJobRow) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs waiting jobs, including those that another process left unfinished. */
  wake(): void {
    if (this.#running !== undefined || this.#closed || this.#options.elsewhere) return;
    const waiting = this.#unfinished().filter(({ status }) => status !== "paused");
    const next = waiting[0];
    if (next === undefined) {
      this.#unlock();
      return;
    }
    this.#lock ??= tryLockHome(this.#options.lockDirectory);
    if (this.#lock === undefined) {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.wake();
      }, RETRY_MS).unref();
      return;
    }
    this.#run(next);
  }

  #run(job: FileJobRow): void {
    const data = this.#options.dataOf(job);
    if (data === undefined) {
      this.#put({ ...job, status: "failed", error: "the root was removed" });
      this.wake();
      return;
    }
    clearTimeout(this.#idle);
    const thread = this.#thread ?? this.#startThread();
    const gone = thread.call(data).then(
      ({ failed }) => this.#ended(failed),
      (error: Error) => this.#ended(error.message),
    );
    const begun = this.#put({ ...job, status: "running" }, { isNote: true });
    this.#running = { job: begun, thread, gone, since: performance.now(), noted: 0 };
  }

  #startThread(): JobThread {
    const { kind, program, answer } = this.#options;
    const thread: JobThread = new CalledThread({
      program,
      name: kind,
      answer,
      unref: true,
      onNews: (news) => this.#take(news),
      onExit: () => {
        if (this.#thread === thread) this.#thread = undefined;
      },
    });
    this.#thread = thread;
    return thread;
  }

  /** Ends the thread. The next job starts a new one. */
  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  #take(news: JobNews): void {
    const running = this.#running!;
    if ("progress" in news) {
      running.job.progress = progressOf(running, news.progress);
      if (performance.now() - running.noted < NOTE_MS) return;
      running.noted = performance.now();
      this.#put(running.job, { isNote: true });
      return;
    }
    const { scan = null, progress } = news.done;
    const { etaSeconds: _eta, ...done } = progressOf(running, progress);
    // The job is done, but the thread may still be cleaning up.
    this.#put({ ...running.job, status: "succeeded", scan, progress: { ...done, percent: 100 } });
  }

  /** Called once the thread has closed everything that the job had open. */
  #ended(failed = "the job's thread stopped"): void {
    const { job, ends } = this.#running!;
    this.#running = undefined;
    if (!isFinished(job))
      this.#put({ ...job, ...(ends === undefined ? { status: "failed", error: failed } : { status: ends }) });
    this.wake();
    if (this.#running === undefined) this.#endIdleThread();
  }

  #endIdleThread(): void {
    const { keepThreadMs = 0 } = this.#options;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#endThread(), keepThreadMs).unref();
  }

  /** Returns a job's row with the latest progress from its thread. */
  live(job: FileJobRow): FileJobRow {
    return this.#running?.job.jobId === job.jobId ? { ...job, progress: this.#running.job.progress } : job;
  }

  #unfinished(): FileJobRow[] {
    return this.#options.catalogue.unfinishedJobs().filter(({ kind }) => kind === this.#options.kind);
  }

  #requireUnfinished(jobId: string): FileJobRow {
    const job = this.job(jobId);
    if (!isFinished(job)) return job;
    throw new PdppError("invalid_request", `the job ${jobId} is already ${job.status}`, {
      param: "jobId",
      next_step: "Index the root again to start another job.",
    });
  }

  #put(job: FileJobRow, { isNote = false } = {}): FileJobRow {
    const { catalogue, now } = this.#options;
    const stored = { ...job, updatedAt: now() };
    if (isNote) catalogue.noteJob(stored);
    else catalogue.putJob(stored);
    if (this.#running?.job.jobId === job.jobId) this.#running.job = stored;
    for (const listener of [...this.#listeners]) listener(stored);
    return stored;
  }

  #send(order: JobOrder): void {
    this.#running?.thread.tell(order);
  }

  async #stop(ends: RunningJob["ends"]): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.ends = ends;
    this.#send("stop");
    await running.gone;
  }

  #unlock(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  /** Stops running jobs where they are. They resume when the home is opened again. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const paused = this.#running?.job.status === "paused";
    await this.#stop(paused ? "paused" : "queued");
    clearTimeout(this.#idle);
    await this.#endThread();
    this.#unlock();
  }
}

function progressOf({ since }: RunningJob, { share, ...counts }: WorkProgress): FileJobProgress {
  const seconds = Math.max(0.001, (performance.now() - since) / 1000);
  const part = share === undefined ? undefined : Math.min(0.99, share);
  return {
    ...counts,
    rate: Math.round(counts.nodes / seconds),
    ...(part === undefined ? {} : { percent: Math.floor(part * 100) }),
    ...(part === undefined || part === 0 ? {} : { etaSeconds: Math.ceil((seconds * (1 - part)) / part) }),
  };
}
