// The part of a files-lens job that runs in a worker thread. It runs one job at a time, controlled by the thread that
// started it.
import { answerCalls } from "../engine/threads/thread-calls.ts";

export interface WorkProgress {
  nodes: number;
  files: number;
  dirs: number;
  bytes: number;
  problems: number;
  /** From 0 to 1. Absent if unknown. */
  share?: number;
}

export interface WorkResult {
  scan?: number;
  progress: WorkProgress;
}

export type JobOrder = "pause" | "resume" | "stop";
export type JobNews = { progress: WorkProgress } | { done: WorkResult };
/** Reports that everything the job had open is closed. `failed` is the reason if it ended early. */
export interface JobEnd {
  failed?: string;
}

export interface Work {
  control: Record<JobOrder, () => unknown>;
  /** Resolves with undefined if the job was stopped. */
  run(): Promise<WorkResult | undefined>;
  /** Runs after the result is reported, so that no caller waits for it. */
  close?(): Promise<void> | void;
}

export interface WorkHost<Asked> {
  onProgress(progress: WorkProgress): void;
  /** Sends a request to the thread that started this one. */
  ask(asked: Asked): Promise<unknown>;
}

const PROGRESS_MS = 150;

export interface JobThreadOptions<Options, Asked> {
  begin: (options: Options, host: WorkHost<Asked>) => Work;
  /** Turns an error into the reason that the owner sees. */
  reasonOf?: (error: unknown) => string;
  /** Called before the thread ends. */
  onClose?: () => Promise<void>;
}

export function takeJobs<Options, Asked = never>({
  begin,
  reasonOf = messageOf,
  onClose,
}: JobThreadOptions<Options, Asked>): void {
  let work: Work | undefined;
  let reportedAt = 0;
  const thread = answerCalls<Options, JobEnd, JobOrder, JobNews, Asked>({
    answer: workOn,
    onNews: (order) => work?.control[order](),
    onClose,
  });
  const host: WorkHost<Asked> = {
    onProgress(progress) {
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      thread.tell({ progress });
    },
    ask: (asked) => thread.call(asked),
  };

  async function workOn(options: Options): Promise<JobEnd> {
    try {
      work = begin(options, host);
      const result = await work.run();
      if (result !== undefined) thread.tell({ done: result });
      return {};
    } catch (error) {
      return { failed: reasonOf(error) };
    } finally {
      await work?.close?.();
      work = undefined;
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
