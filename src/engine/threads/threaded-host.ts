// The engine in threads of its own: one writer, one for rows, one for columns, one that keeps the logs short.
// The event loop only passes messages; it never waits on the store.
import { Worker } from "node:worker_threads";
import { failureText, PdppError } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { Place } from "../../store/place.ts";
import type { Reply } from "../engine.ts";
import { type EngineHost, newRequestId, unwrap } from "../host.ts";
import { TAKES_AWAY } from "../methods.ts";
import type { Asked } from "./home-worker.ts";
import { type Lane, laneOf } from "./lanes.ts";
import type { FromThread, ThreadData, ToThread } from "./thread.ts";
import { WriteProbe } from "./write-probe.ts";

export interface EngineThreadsOptions {
  onFailure: (text: string) => void;
  /** Memory for what each home keeps in it; as much as one home may have, unless said otherwise. */
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
}

/** Threads that serve one home, or many. */
export interface EngineThreads {
  /** Closing it lets go of the home; the threads stay. */
  host(place: Place): EngineHost;
  close(): Promise<void>;
}

const CHECKPOINT_MS = 150;
/** The keeper checks stored rows: it is started also where nobody asks for anything. */
const KEEPER_START_MS = 60_000;

export function engineThreads({ onFailure, ...budgets }: EngineThreadsOptions): EngineThreads {
  const threads = new Map<Lane, Thread>();
  let homes = 0;
  const thread = (lane: Lane): Thread => {
    let found = threads.get(lane);
    if (found === undefined) {
      found = new Thread({ lane, ...budgets }, onFailure, () => threads.delete(lane));
      threads.set(lane, found);
    }
    return found;
  };
  return {
    host(place) {
      const home: Home = { number: homes++, place };
      // PostgreSQL keeps its own logs short.
      const keeper = place.database === undefined ? new Keeper(place.home, onFailure) : undefined;
      const probe = new WriteProbe({
        ...(place.database === undefined ? { home: place.home } : {}),
        isBusy: () => threads.get("writer")?.isBusy ?? false,
        commit: () => host.call("probeWrite", {}, { home: true }),
      });
      thread("rows").open(home);
      const host: EngineHost = {
        async call(method, query, credential, requestId = newRequestId()) {
          const lane = laneOf(method, query);
          const call = { method, query, credential, requestId };
          if (method === "ready") await probe.require();
          let reply = await thread(lane).ask(home, call);
          if ("needsColumns" in reply) reply = await thread("columns").ask(home, call);
          keeper?.due();
          // Answered after what was being read meanwhile: nothing that was revoked leaves later.
          if (TAKES_AWAY.has(method)) {
            await Promise.all([...threads.values()].map((open) => open.answered(home)));
            // Those answers go out first.
            await new Promise(setImmediate);
          }
          return outcomeOf(reply, probe, lane);
        },
        changed(streamNo) {
          for (const lane of ["columns", "search"] as const) thread(lane).changed(home, streamNo);
        },
        async close() {
          await Promise.all([...threads.values()].map((open) => open.forget(home)));
          await keeper?.close();
        },
      };
      return host;
    },
    async close() {
      await Promise.all([...threads.values()].map((open) => open.close()));
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

/** Threads for one home alone, that end with it. */
export function threadedHost({ place, ...options }: EngineThreadsOptions & { place: Place }): EngineHost {
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

interface Home {
  number: number;
  place: Place;
}

interface Waiting {
  home: number;
  settle: (reply: Reply | PdppError) => void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  readonly #asked = new Map<number, Asked[]>();
  readonly #homes = new Set<number>();
  readonly #forgetting = new Map<number, () => void>();
  #next = 0;

  constructor(data: ThreadData, onFailure: (text: string) => void, onExit: () => void) {
    this.#worker = new Worker(programFile(import.meta.url, "./thread"), { workerData: data });
    this.#worker.on("message", (message: FromThread) => {
      if ("replies" in message) for (const [id, reply] of message.replies) this.#settle(id, reply);
      else if ("failure" in message) onFailure(message.failure);
      else this.#forgetting.get(message.forgotten)?.();
    });
    this.#worker.on("error", (error: Error) => onFailure(`the ${data.lane} thread stopped: ${failureText(error)}`));
    this.#exited = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        onExit();
        const failure = new PdppError(
          "store_unavailable",
          `the ${data.lane} thread stopped; a new one starts with the next call`,
        );
        for (const id of [...this.#waiting.keys()]) this.#settle(id, failure);
        for (const forgotten of this.#forgetting.values()) forgotten();
        resolve();
      });
    });
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  open({ number, place }: Home): void {
    if (this.#homes.has(number)) return;
    this.#homes.add(number);
    this.#post({ open: number, place });
  }

  /** Calls made in one turn travel together: waking a thread costs more than most calls. */
  ask(home: Home, call: Asked["call"]): Promise<Reply> {
    this.open(home);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const settle = (reply: Reply | PdppError): void => (reply instanceof PdppError ? reject(reply) : resolve(reply));
      this.#waiting.set(id, { home: home.number, settle });
      const together = this.#asked.get(home.number);
      if (together !== undefined) together.push({ id, call });
      else {
        this.#asked.set(home.number, [{ id, call }]);
        queueMicrotask(() => this.#sendAsked(home.number));
      }
    });
  }

  #sendAsked(home: number): void {
    const calls = this.#asked.get(home);
    this.#asked.delete(home);
    if (calls !== undefined) this.#post({ home, calls });
  }

  /** Resolves when all that it has been asked of a home by now is answered. */
  answered({ number }: Home): Promise<void> {
    const asked = [...this.#waiting].filter(([, { home }]) => home === number);
    let left = asked.length;
    if (left === 0) return Promise.resolve();
    return new Promise((resolve) => {
      for (const [id, { home, settle }] of asked) {
        this.#waiting.set(id, {
          home,
          settle(reply) {
            settle(reply);
            if (--left === 0) resolve();
          },
        });
      }
    });
  }

  changed(home: Home, streamNo: number): void {
    this.open(home);
    this.#post({ home: home.number, changed: streamNo });
  }

  /** Resolves when the thread has let go of the home. */
  async forget({ number }: Home): Promise<void> {
    if (!this.#homes.delete(number)) return;
    this.#sendAsked(number);
    const forgotten = new Promise<void>((resolve) => this.#forgetting.set(number, resolve));
    this.#post({ forget: number });
    await forgotten;
    this.#forgetting.delete(number);
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #settle(id: number, reply: Reply | PdppError): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.settle(reply);
  }

  async close(): Promise<void> {
    for (const home of this.#asked.keys()) this.#sendAsked(home);
    this.#post({ close: true });
    await this.#exited;
  }
}

/** Started with the first call: an idle server needs none. */
class Keeper {
  readonly #home: string;
  readonly #onFailure: (text: string) => void;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
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

  #thread(): Worker {
    if (this.#worker === undefined) {
      const worker = new Worker(programFile(import.meta.url, "./keeper"), { workerData: { home: this.#home } });
      worker.on("error", (error: Error) => this.#onFailure(`checkpoints stopped: ${failureText(error)}`));
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
