// The engine in its own threads: one for writes, one for rows, one for scans and searches, and one that keeps the logs
// short. The event loop only passes messages and never waits for the store.
import { Worker } from "node:worker_threads";
import { failureText } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { HomeLocation } from "../../store/place.ts";
import { endsAccess, laneOf } from "../calls/calls.ts";
import type { Lane } from "../calls/define.ts";
import type { Reply } from "../engine.ts";
import { createHost, type EngineHost, newRequestId, unwrap } from "../host.ts";
import { EngineThread, type ServedHome } from "./engine-thread.ts";
import { KEEPER_LIMITS, memoryShare } from "./memory-share.ts";
import { WriteProbe } from "./write-probe.ts";

export interface EngineThreadsOptions {
  onFailure: (text: string) => void;
  /** The memory for each home's columns. The default is the maximum for one home. */
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
  /** The limit for all threads together, including their caches. Absent for no limit. */
  memoryBytes?: number;
  /** How long the writer stays open without a call. */
  writerIdleMs?: number;
}

/** Threads that serve one home or many. */
export interface EngineThreads {
  /** Closing the host releases the home, but the threads continue. */
  host(place: HomeLocation): EngineHost;
  close(): Promise<void>;
}

const CHECKPOINT_MS = 150;
/** The keeper checks stored rows, so it starts even without a call. */
const KEEPER_START_MS = 60_000;
/** Longer than the interval of a health check, which writes: a writer that it uses stays open. */
const WRITER_IDLE_MS = 45_000;

export function engineThreads(options: EngineThreadsOptions): EngineThreads {
  const { onFailure, memoryBytes, writerIdleMs = WRITER_IDLE_MS, ...budgets } = options;
  const { resourceLimits, cacheMegabytes, ...share } = memoryShare(memoryBytes);
  const threads = new Map<Lane, EngineThread>();
  let homes = 0;
  let writerClosed: Promise<void> | undefined;
  /** Most servers read far more than they write. Ending the thread releases 19 MB. The next write starts a new one. */
  const writerIdle = setTimeout(() => {
    const writer = threads.get("writer");
    // If it is busy, its answer restarts this timer.
    if (writer === undefined || writer.isBusy) return;
    threads.delete("writer");
    writerClosed = writer.close();
  }, writerIdleMs).unref();
  const thread = (lane: Lane): EngineThread => {
    let found = threads.get(lane);
    if (found === undefined) {
      const cache = lane === "writer" ? cacheMegabytes.writer : cacheMegabytes.reader;
      const data = { lane, cacheMegabytes: cache, ...share, ...budgets };
      const onExit = (): void => {
        // A closed writer may already have a successor.
        if (threads.get(lane) === started) threads.delete(lane);
      };
      const started = new EngineThread({ data, resourceLimits, onFailure, onExit });
      threads.set(lane, started);
      found = started;
    }
    return found;
  };
  return {
    host(place) {
      const home: ServedHome = { number: homes++, place };
      // PostgreSQL keeps its own logs short, so it needs no keeper.
      const keeper = place.database === undefined ? new Keeper(place.home, onFailure) : undefined;
      const probe = new WriteProbe({
        ...(place.database === undefined ? { home: place.home } : {}),
        isBusy: () => threads.get("writer")?.isBusy ?? false,
        commit: () => host.call("probeWrite", {}, { home: true }),
      });
      thread("rows").open(home);
      const host = createHost(
        async (name, query, credential, requestId = newRequestId()) => {
          const lane = laneOf(name, query);
          const call = { name, query, credential, requestId };
          if (name === "ready") await probe.require();
          let reply = await thread(lane).ask(home, call);
          if (lane === "writer") writerIdle.refresh();
          if ("needsColumns" in reply) reply = await thread("scans").ask(home, call);
          keeper?.due();
          // Returns after all running reads, so that no revoked data is sent afterwards.
          if (endsAccess(name)) {
            await Promise.all([...threads.values()].map((open) => open.answered(home)));
            // The results of these reads are sent first.
            await new Promise(setImmediate);
          }
          return outcomeOf(reply, probe, lane);
        },
        {
          changed(streamNo) {
            thread("scans").changed(home, streamNo);
          },
          async close() {
            await Promise.all([writerClosed, ...[...threads.values()].map((open) => open.forget(home))]);
            await keeper?.close();
          },
        },
      );
      return host;
    },
    async close() {
      clearTimeout(writerIdle);
      await Promise.all([writerClosed, ...[...threads.values()].map((open) => open.close())]);
    },
  };
}

function outcomeOf(reply: Reply, probe: WriteProbe, lane: Lane): string {
  try {
    const body = unwrap(reply);
    if (lane === "writer") probe.succeeded();
    return body;
  } catch (error) {
    probe.failed(error);
    throw error;
  }
}

/** Threads for a single home, which end with it. */
export function threadedHost({ place, ...options }: EngineThreadsOptions & { place: HomeLocation }): EngineHost {
  const threads = engineThreads(options);
  const host = threads.host(place);
  return {
    ...host,
    async close() {
      await host.close();
      await threads.close();
    },
  };
}

/** Started by the first call, or after a while, because an idle server does not need it immediately. */
class Keeper {
  readonly #home: string;
  readonly #onFailure: (text: string) => void;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reported: string | undefined;
  readonly #start = setTimeout(() => this.due(), KEEPER_START_MS).unref();

  constructor(home: string, onFailure: (text: string) => void) {
    this.#home = home;
    this.#onFailure = onFailure;
  }

  due(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#thread().postMessage("checkpoint");
    }, CHECKPOINT_MS).unref();
  }

  /** A failing disk fails at every attempt, so the same message is logged only once. */
  #report(text: string): void {
    if (text !== this.#reported) this.#onFailure(text);
    this.#reported = text;
  }

  #thread(): Worker {
    if (this.#worker === undefined) {
      const worker = new Worker(programFile(import.meta.url, "./keeper"), {
        workerData: { home: this.#home },
        resourceLimits: KEEPER_LIMITS,
      });
      worker.on("error", (error: Error) => this.#report(`checkpoints stopped: ${failureText(error)}`));
      worker.on("exit", () => {
        this.#worker = undefined;
      });
      worker.unref();
      this.#worker = worker;
    }
    return this.#worker;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#start);
    const worker = this.#thread();
    worker.ref();
    const gone = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("close");
    await gone;
  }
}
