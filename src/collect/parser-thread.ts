// A parser's thread from outside: started when it is needed, watched, and ended by too much memory or too long a silence.
import { rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { PdppError } from "../contract/errors.ts";
import { type BlobNaming, storeBlobs } from "../engine/blob-files.ts";
import { homeObjects, type ObjectPlace, openObjects } from "../engine/objects-place.ts";
import { waitingPath } from "../engine/waiting-blobs.ts";
import { programFile } from "../program-file.ts";
import type { Answers } from "./importer.ts";
import type { Batch, FromThread, LeftOut, PlannedGroup, RunTask, SeenKeys, ThreadData, ToThread } from "./messages.ts";
import { COPIES, newBlobsFolder, newScratch } from "./scratch.ts";

/** What a parser may hold: enough for any record there is, far from what a laptop has. */
const MEMORY_MB = 256;
/** Of that, for what is gone at once. Left to itself V8 takes 100 MB more than a stream of records needs. */
const YOUNG_MB = 16;
/** A parser in which nothing moves for so long does not come back. */
const SILENCE_MS = 60_000;
/** Bytes outside the heap are not V8's to limit: they are looked at now and then. */
const LOOK_MS = 250;

export type Planned = { groups: PlannedGroup[]; left: LeftOut[] };

export interface ThreadLimits {
  memoryMb?: number;
  silenceMs?: number;
}

/** How a run ended: through, stopped by us, or broken at an entry. */
export type Outcome =
  | { ended: "done"; seen?: SeenKeys[] }
  | { ended: "stopped" }
  | { ended: "broken"; reason: string; at?: string };

export interface RunHandlers {
  /** The thread waits for it. `store` stores the batch's blobs, then runs the write that refers to them. */
  batch(batch: Batch, store: <T>(naming: BlobNaming<T>) => Promise<T>): Promise<void>;
  /** Ends the run at once; every batch that was stored stays. */
  signal?: AbortSignal;
}

export interface Parser {
  plan(answers: Answers): Promise<Planned>;
  run(task: RunTask, handlers: RunHandlers): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ParserOptions extends Pick<ThreadData, "given" | "importers"> {
  home: string;
  /** Where blobs go; absent: into the home. */
  objects?: ObjectPlace;
  limits?: ThreadLimits;
}

type OnMessage = (message: FromThread, reply: (message: ToThread) => void) => Promise<void>;

export function openParser({ home, objects: place, limits = {}, ...data }: ParserOptions): Parser {
  const objects = openObjects(place ?? homeObjects(home));
  let waiting = "";
  const { memoryMb = MEMORY_MB, silenceMs = SILENCE_MS } = limits;
  let running: { worker: Worker; gone: Promise<void> } | undefined;

  async function thread(): Promise<Worker> {
    if (running !== undefined) return running.worker;
    const scratch = await newScratch(home, COPIES);
    const newBlobs = await newBlobsFolder(objects);
    waiting = newBlobs;
    const worker = new Worker(programFile(import.meta.url, "./thread"), {
      workerData: { ...data, scratch, newBlobs } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const gone = new Promise<void>((resolve) => {
      worker.once("exit", () => {
        running = undefined;
        const cleared = [scratch, newBlobs].map((folder) => rm(folder, { recursive: true, force: true }));
        Promise.allSettled(cleared).then(() => resolve());
      });
    });
    running = { worker, gone };
    return worker;
  }

  async function close(): Promise<void> {
    const { worker, gone } = running ?? {};
    await worker?.terminate();
    await gone;
  }

  /** One at a time. A thread that ended is replaced with the next. */
  async function request(asked: ToThread, onMessage: OnMessage, signal?: AbortSignal): Promise<Outcome> {
    if (signal?.aborted) return { ended: "stopped" };
    const worker = await thread();
    let at: string | undefined;
    let storing = 0;
    let timer: NodeJS.Timeout | undefined;
    let work: Promise<void> = Promise.resolve();
    const broken = (reason: string): Outcome => ({ ended: "broken", reason, ...(at === undefined ? {} : { at }) });
    const listeners = new AbortController();
    try {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        const on = <T>(name: string, listener: (value: T) => void): void => {
          worker.on(name, listener);
          listeners.signal.addEventListener("abort", () => worker.off(name, listener));
        };
        const alive = (): void => {
          clearTimeout(timer);
          // While we store what it found, its silence is ours; when it is over, nobody listens.
          if (storing > 0 || listeners.signal.aborted) return;
          timer = setTimeout(() => {
            resolve(broken(`nothing was heard from the parser for ${silenceMs / 1000} seconds`));
          }, silenceMs);
        };
        // A thread that starts says when it has; until then nothing of the files was touched.
        on("message", (message: FromThread) => {
          if ("at" in message) at = message.at;
          else if ("halted" in message) reject(new PdppError(message.halted.code, message.halted.reason));
          else if ("failed" in message) resolve(broken(message.failed));
          else if ("done" in message) resolve({ ended: "done", ...message.done });
          else if (!("beat" in message)) {
            storing++;
            // In a turn of its own: a port hands over a thousand messages in one, and Ctrl-C would wait for all of them.
            work = work
              .then(() => setImmediate())
              .then(() => onMessage(message, (answer) => worker.postMessage(answer)));
            work.then(() => {
              storing--;
              if ("plan" in message) resolve({ ended: "done" });
              alive();
            }, reject);
          }
          alive();
        });
        const outOfMemory = `the parser needed more than ${memoryMb} MB`;
        on("error", (error: NodeJS.ErrnoException) => {
          resolve(broken(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory : error.message));
        });
        on("exit", () => resolve(broken("the parser stopped")));
        const look = setInterval(() => {
          worker.getHeapStatistics().then(
            ({ external_memory }) => {
              if (external_memory > memoryMb * 1024 * 1024) resolve(broken(outOfMemory));
            },
            () => undefined,
          );
        }, LOOK_MS);
        listeners.signal.addEventListener("abort", () => clearInterval(look));
        signal?.addEventListener("abort", () => resolve({ ended: "stopped" }), { signal: listeners.signal });
        worker.postMessage(asked);
      });
      // What was found before it broke is stored, in order.
      await work;
      if (outcome.ended !== "done") await close();
      return outcome;
    } catch (error) {
      await close();
      throw error;
    } finally {
      clearTimeout(timer);
      listeners.abort();
    }
  }

  return {
    async plan(answers) {
      let planned: Planned | undefined;
      const outcome = await request({ plan: { answers } }, async (message) => {
        if ("plan" in message) planned = message.plan;
      });
      if (planned !== undefined) return planned;
      throw new PdppError(
        "invalid_request",
        outcome.ended === "broken" ? `these files cannot be looked at: ${outcome.reason}` : "the look was stopped",
      );
    },
    run: (task, { batch, signal }) =>
      request(
        { run: task },
        async (message, reply) => {
          if (!("batch" in message)) return;
          const blobs = message.batch.blobs.map((blob) => ({ ...blob, path: waitingPath(waiting, blob.blobId) }));
          await batch(message.batch, (naming) => storeBlobs(objects, blobs, naming));
          for (const { path } of blobs) await rm(path, { force: true });
          reply({ go: true });
        },
        signal,
      ),
    close,
  };
}
