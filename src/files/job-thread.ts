// A thread that works on jobs of the files lens, seen from inside: one job at a time, controlled by the side that started the thread.
import { answerCalls } from "../engine/threads/thread-calls.ts";

/** The progress of a job. */
export interface WorkProgress {
  nodes: number;
  files: number;
  dirs: number;
  bytes: number;
  problems: number;
  /** From 0 to 1, if it is known. */
  share?: number;
}

export interface WorkResult {
  scan?: number;
  progress: WorkProgress;
}

export type JobOrder = "pause" | "resume" | "stop";
export type JobNews = { progress: WorkProgress } | { done: WorkResult };
/** Says that everything the job had open is closed; `failed`: why it ended early. */
export interface JobEnd {
  failed?: string;
}

export interface Work {
  control: Record<JobOrder, () => unknown>;
  /** undefined: it was stopped. */
  run(): Promise<WorkResult | undefined>;
  /** Runs after the result was reported, so that it delays no one. */
  close?(): Promise<void> | void;
}

export interface WorkHost<Asked> {
  onProgress(progress: WorkProgress): void;
  /** Asks the side that started this thread. */
  ask(asked: Asked): Promise<unknown>;
}

const PROGRESS_MS = 150;

export interface JobThreadOptions<Options, Asked> {
  begin: (options: Options, host: WorkHost<Asked>) => Work;
  /** Why a job failed, for its owner. */
  reasonOf?: (error: unknown) => string;
  /** Before the thread ends. */
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
