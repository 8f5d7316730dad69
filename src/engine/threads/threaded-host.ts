// The engine in its own threads: one for writes, one for rows, one for scans and searches, and one that keeps the logs
// short. The event loop only passes messages and never waits for the store.
import { programFile } from "../../program-file.ts";
import type { HomeLocation } from "../../store/place.ts";
import { endsAccess, laneOf } from "../calls/calls.ts";
import type { Lane } from "../calls/define.ts";
import type { Reply } from "../engine.ts";
import { createHost, type EngineHost, newRequestId, unwrap } from "../host.ts";
import { EngineThread, type ServedHome } from "./engine-thread.ts";
import { allowGarbageOfWrites } from "./heap-growth.ts";
import type { KeeperFailure, KeeperNews, KeeperRequest } from "./keeper.ts";
import { KEEPER_LIMITS, memoryShare } from "./memory-share.ts";
import { CalledThread } from "./thread-calls.ts";
import { WriteProbe } from "./write-probe.ts";

export interface EngineThreadsOptions {
  onFailure: (text: string) => void;
  /** The memory for each home's columns. The default is the maximum for one home. */
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
  /** The limit for all threads together, including their caches. Absent for no limit. */
  memoryBytes?: number;
  writerIdle?: WriterIdle;
}

/** Threads that serve one home or many. */
export interface EngineThreads {
  /** Closing the host releases the home, but the threads continue. */
  host(place: HomeLocation): EngineHost;
  close(): Promise<void>;
}

const CHECKPOINT_MS = 150;
const KEEPER_START_MS = 60_000;
/** How long the writer stays open without a call. */
interface WriterIdle {
  firstMs: number;
  /** The same for a writer that is needed soon after the previous one ended. */
  againMs: number;
}

/** Health checks write, and most run every 30 or 60 seconds, so the second check's writer stays open for the rest. */
const WRITER_IDLE: WriterIdle = { firstMs: 1_000, againMs: 90_000 };
/** A writer that is needed within this time was ended too early. */
const SOON_MS = 60_000;

/** One home, as its keeper sees it. */
interface KeptHome {
  /** A call was answered, so the logs may have grown. */
  due(): void;
  /** Resolves when everything is in the databases. */
  close(): Promise<void>;
}

export function engineThreads(options: EngineThreadsOptions): EngineThreads {
  const { onFailure, memoryBytes, writerIdle = WRITER_IDLE, ...budgets } = options;
  const { resourceLimits, cacheMegabytes, ...share } = memoryShare(memoryBytes);
  const threads = new Map<Lane, EngineThread>();
  const keeperThread = new KeeperThread(onFailure);
  let homes = 0;
  let writerClosed: Promise<void> | undefined;
  let writerEnd: NodeJS.Timeout | undefined;
  let writerEndedAt = Number.NEGATIVE_INFINITY;
  /** Most servers read far more than they write. Ending the thread releases 19 MB. The next write starts a new one. */
  const endIdleWriter = (): void => {
    const writer = threads.get("writer");
    // If it is busy, its answer sets the next timer.
    if (writer === undefined || writer.isBusy) return;
    threads.delete("writer");
    allowGarbageOfWrites(false);
    writerEndedAt = performance.now();
    writerClosed = writer.close();
  };
  const thread = (lane: Lane): EngineThread => {
    let found = threads.get(lane);
    if (found === undefined) {
      const cache = lane === "writer" ? cacheMegabytes.writer : cacheMegabytes.reader;
      const data = { lane, cacheMegabytes: cache, ...share, ...budgets };
      const onExit = (): void => {
        // A closed writer may already have a successor.
        if (threads.get(lane) !== started) return;
        threads.delete(lane);
        if (lane === "writer") allowGarbageOfWrites(false);
      };
      const started = new EngineThread({ data, resourceLimits, onFailure, onExit });
      threads.set(lane, started);
      found = started;
      if (lane === "writer") {
        allowGarbageOfWrites(true);
        clearTimeout(writerEnd);
        const isSoon = performance.now() - writerEndedAt < SOON_MS;
        writerEnd = setTimeout(endIdleWriter, isSoon ? writerIdle.againMs : writerIdle.firstMs).unref();
      }
    }
    return found;
  };
  return {
    host(place) {
      const home: ServedHome = { number: homes++, place };
      // PostgreSQL keeps its own logs short, so it needs no keeper.
      const keeper = place.database === undefined ? keeperThread.keep(place.home) : undefined;
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
          if (lane === "writer") writerEnd?.refresh();
          if ("needsColumns" in reply) reply = await thread("scans").ask(home, call);
          keeper?.due();
          // Returns once all running reads have finished, so that no revoked data is sent afterwards.
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
      clearTimeout(writerEnd);
      const open = [...threads.values()].map((one) => one.close());
      await Promise.all([writerClosed, keeperThread.close(), ...open]);
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

/** The thread that keeps the logs of all homes short. It starts when a home is first used. */
class KeeperThread {
  readonly #listeners = new Map<string, (text: string) => void>();
  readonly #onFailure: (text: string) => void;
  #thread: CalledThread<KeeperRequest, void, KeeperNews, KeeperFailure> | undefined;

  constructor(onFailure: (text: string) => void) {
    this.#onFailure = onFailure;
  }

  #started(): CalledThread<KeeperRequest, void, KeeperNews, KeeperFailure> {
    this.#thread ??= new CalledThread<KeeperRequest, void, KeeperNews, KeeperFailure>({
      program: programFile(import.meta.url, "./keeper"),
      name: "keeper",
      resourceLimits: KEEPER_LIMITS,
      unref: true,
      onNews: ({ home, failure }) => this.#listeners.get(home)?.(failure),
      onFailure: this.#onFailure,
      onExit: () => {
        this.#thread = undefined;
      },
    });
    return this.#thread;
  }

  keep(home: string): KeptHome {
    const due = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        this.#started().tell({ home });
      }, CHECKPOINT_MS).unref();
    };
    let timer: NodeJS.Timeout | undefined;
    // The keeper checks stored rows, so it starts even without a call.
    const start = setTimeout(due, KEEPER_START_MS).unref();
    // A failing disk fails at every attempt, so the same text is logged only once.
    let reported: string | undefined;
    this.#listeners.set(home, (text) => {
      if (text !== reported) this.#onFailure(`checkpoints stopped: ${text}`);
      reported = text;
    });
    return {
      due,
      close: async () => {
        clearTimeout(timer);
        clearTimeout(start);
        await this.#started()
          .call({ close: home })
          .catch(() => undefined);
        this.#listeners.delete(home);
      },
    };
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }
}
