// Jobs of the files lens: starting and controlling scans and duplicate searches, and reading their progress.
import { PdppError } from "../../contract/errors.ts";
import type { FileJob } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import type { FileJobRequest, FileJobRow, JobHolder } from "../catalogue.ts";
import { DUPLICATE_BYTES_MIN } from "../digest/candidates.ts";
import { indexHandle } from "../handles.ts";
import type { JobRunner } from "../job-runner.ts";
import { type FilesContext, requireIndex } from "./context.ts";

/** How often to check for changes by other processes. */
const OTHERS_MS = 1000;

export function jobCalls(context: FilesContext) {
  const { catalogue, scans, digests, records } = context;
  const runners = { index: scans, digest: digests, records };
  const runnerOf = (jobId: string): JobRunner => {
    const job = catalogue.job(jobId);
    if (job !== undefined) return runners[job.kind];
    throw new PdppError("not_found", `there is no files job ${JSON.stringify(jobId.slice(0, 60))}`, {
      param: "jobId",
      next_step: "Index a root to start one, or call GET /api/indexes, which lists running jobs.",
    });
  };

  return {
    /** Newest first. */
    async jobs(): Promise<FileJob[]> {
      return catalogue.jobs().map((job) => jobRead(runnerOf(job.jobId).live(job)));
    },

    async job(jobId: string): Promise<FileJob> {
      return jobRead(runnerOf(jobId).job(jobId));
    },

    async pauseJob(jobId: string): Promise<FileJob> {
      return jobRead(runnerOf(jobId).pause(jobId));
    },

    async resumeJob(jobId: string): Promise<FileJob> {
      return jobRead(runnerOf(jobId).resume(jobId));
    },

    async cancelJob(jobId: string): Promise<FileJob> {
      return jobRead(await runnerOf(jobId).cancel(jobId));
    },

    /** Resolves when the job has ended for any reason, in any process. Rejects if the wait is cancelled. */
    async jobEnded(jobId: string, signal?: AbortSignal): Promise<FileJob> {
      return jobRead(await runnerOf(jobId).ended(jobId, signal));
    },

    /**
     * Calls the listener for every change to a job that runs in this process. Returns a function that stops listening.
     */
    onJob(listener: (job: FileJob) => void): () => void {
      const forget = Object.values(runners).map((runner) => runner.onChange((job) => listener(jobRead(job))));
      return () => {
        for (const one of forget) one();
      };
    },

    /**
     * Calls the listener when another process has changed roots, indexes or jobs. Jobs that the other process left
     * behind start here.
     */
    onOthers(listener: () => void): () => void {
      let seen = catalogue.version;
      const timer = setInterval(() => {
        const { version } = catalogue;
        if (version === seen) return;
        seen = version;
        for (const runner of Object.values(runners)) runner.wake();
        listener();
      }, OTHERS_MS).unref();
      return () => clearInterval(timer);
    },

    /** Updates the records of the index's root in the background. */
    async startRecords(indexId: string): Promise<FileJob> {
      return jobRead(records.start(requireIndex(context, indexId).no, {}));
    },

    /** Searches for identical files in the background: first by size, then by both ends, then by the whole content. */
    async startDigests(
      indexId: string,
      { minSize = DUPLICATE_BYTES_MIN, holders }: Pick<FileJobRequest, "minSize" | "holders"> = {},
    ): Promise<FileJob> {
      return jobRead(digests.start(requireIndex(context, indexId).no, { minSize, holders }));
    },

    /** Unfinished jobs that apps started. */
    async heldJobs(): Promise<{ jobId: string; holders: JobHolder[] }[]> {
      return catalogue
        .unfinishedJobs()
        .flatMap(({ jobId, request: { holders } }) => (holders === undefined ? [] : { jobId, holders }));
    },
  };
}

export function jobRead({
  jobId,
  kind,
  status,
  index,
  startedAt,
  updatedAt,
  progress,
  scan,
  error,
}: FileJobRow): FileJob {
  return {
    jobId,
    kind,
    status,
    indexId: indexHandle(index),
    startedAt: formatInstant(startedAt),
    updatedAt: formatInstant(updatedAt),
    progress,
    ...(scan === null ? {} : { scan }),
    ...(error === null ? {} : { error }),
  };
}
