// Starts a parser's thread and watches it: too much memory or no sign of life ends it, and says at which entry.
import { Worker } from "node:worker_threads";
import type { Batch, FromThread, LeftOut, PlannedGroup, ThreadTask, ToThread } from "./messages.ts";

/** What a parser may hold: enough for any record there is, far from what a laptop has. */
const MEMORY_MB = 256;
/** A parser that says nothing for so long does not come back. */
const SILENCE_MS = 60_000;

export type Planned = { groups: PlannedGroup[]; left: LeftOut[] };

export interface ThreadLimits {
  memoryMb?: number;
  silenceMs?: number;
}

/** How a run ended: through, or broken at an entry. */
export type Outcome = { ended: "done" } | { ended: "broken"; reason: string; at?: string };

export async function planInThread(task: ThreadTask, limits: ThreadLimits = {}): Promise<Planned> {
  let planned: Planned | undefined;
  const outcome = await watch(task, limits, async (message) => {
    if ("plan" in message) planned = message.plan;
  });
  if (planned !== undefined) return planned;
  throw new Error(outcome.ended === "broken" ? outcome.reason : "the files could not be looked at");
}

export interface RunHandlers {
  total(bytes: number, entries: number): void;
  /** The thread waits for it. */
  batch(batch: Batch): Promise<void>;
  stopped(): boolean;
}

export async function runInThread(
  task: ThreadTask,
  handlers: RunHandlers,
  limits: ThreadLimits = {},
): Promise<Outcome> {
  return watch(task, limits, async (message, reply) => {
    if ("total" in message) handlers.total(message.total.bytes, message.total.entries);
    if (!("batch" in message)) return;
    await handlers.batch(message.batch);
    reply(handlers.stopped() ? { stop: true } : { go: true });
  });
}

function watch(
  task: ThreadTask,
  { memoryMb = MEMORY_MB, silenceMs = SILENCE_MS }: ThreadLimits,
  onMessage: (message: FromThread, reply: (message: ToThread) => void) => Promise<void>,
): Promise<Outcome> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./thread.${extension}`, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  return new Promise((resolve, reject) => {
    let at: string | undefined;
    let outcome: Outcome | undefined;
    let work: Promise<void> = Promise.resolve();
    let timer: NodeJS.Timeout | undefined;
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        outcome ??= broken(`nothing was heard from the parser for ${silenceMs / 1000} seconds`);
        void worker.terminate();
      }, silenceMs);
    };
    const broken = (reason: string): Outcome => ({ ended: "broken", reason, ...(at === undefined ? {} : { at }) });
    alive();
    worker.on("message", (message: FromThread) => {
      alive();
      if ("at" in message) at = message.at;
      if ("done" in message || "plan" in message) outcome = { ended: "done" };
      if ("failed" in message) outcome = broken(message.failed);
      work = work.then(() => onMessage(message, (answer) => worker.postMessage(answer)));
      work.catch(async (error) => {
        await worker.terminate();
        reject(error as Error);
      });
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `the parser needed more than ${memoryMb} MB` : error.message;
      outcome = broken(reason);
    });
    worker.on("exit", () => {
      clearTimeout(timer);
      work.then(
        () => resolve(outcome ?? broken("the parser stopped")),
        () => undefined,
      );
    });
  });
}
