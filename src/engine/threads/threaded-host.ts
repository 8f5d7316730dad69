// The engine in threads of its own: one writer, one for rows, one for columns, one that keeps the logs short.
// The event loop only passes messages; it never waits on the store.
import { Worker } from "node:worker_threads";
import { ERRORS, failureText, PdppError } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { Place } from "../../store/place.ts";
import type { Reply } from "../engine.ts";
import { type EngineHost, newRequestId, unwrap } from "../host.ts";
import type { MethodName } from "../methods.ts";
import { type Lane, laneOf } from "./lanes.ts";
import type { Asked, FromThread, ThreadData, ToThread } from "./thread.ts";

export interface ThreadedHostOptions {
  place: Place;
  onFailure: (text: string) => void;
  columnsBudgetBytes?: number;
}

const CHECKPOINT_MS = 150;

/** These take access away. They are answered after what was being read meanwhile: nothing that was revoked leaves later. */
const TAKES_AWAY: ReadonlySet<MethodName> = new Set<MethodName>([
  "revokeGrant",
  "revokeOwnerToken",
  "endGrant",
  "deleteToken",
  "closeSession",
  "endSessions",
  "changePassword",
  "setOwner",
]);

export function threadedHost({ place, onFailure, columnsBudgetBytes }: ThreadedHostOptions): EngineHost {
  const threads = new Map<Lane, Thread>();
  const keeper = new Keeper(place, onFailure);
  const thread = (lane: Lane): Thread => {
    let found = threads.get(lane);
    if (found === undefined) {
      found = new Thread({ place, lane, columnsBudgetBytes }, onFailure, () => threads.delete(lane));
      threads.set(lane, found);
    }
    return found;
  };
  thread("rows");
  return {
    async call(method, query, credential, requestId = newRequestId()) {
      const lane = laneOf(method, query);
      const call = { method, query, credential, requestId };
      let reply = await thread(lane).ask(call);
      if ("needsColumns" in reply) reply = await thread("columns").ask(call);
      keeper.due();
      if (TAKES_AWAY.has(method)) {
        await Promise.all([...threads.values()].map((open) => open.answered()));
        // Those answers go out first.
        await new Promise(setImmediate);
      }
      return unwrap(reply);
    },
    changed(streamNo) {
      for (const lane of ["columns", "search"] as const) thread(lane).post({ changed: streamNo });
    },
    async close() {
      await Promise.all([...threads.values()].map((open) => open.close()));
      await keeper.close();
    },
  };
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (reply: Reply | PdppError) => void>();
  readonly #exited: Promise<void>;
  readonly #asked: Asked[] = [];
  #next = 0;

  constructor(data: ThreadData, onFailure: (text: string) => void, onExit: () => void) {
    this.#worker = new Worker(programFile(import.meta.url, "./thread"), { workerData: data });
    this.#worker.on("message", (message: FromThread) => {
      if ("replies" in message) for (const [id, reply] of message.replies) this.#settle(id, reply);
      else if ("failure" in message) onFailure(message.failure);
    });
    let reason: PdppError | undefined;
    this.#worker.on("error", (error: Error) => {
      onFailure(`the ${data.lane} thread stopped: ${failureText(error)}`);
      const { code, details } = error as Partial<PdppError>;
      reason = code !== undefined && code in ERRORS ? new PdppError(code, error.message, details) : undefined;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        onExit();
        const failure =
          reason ??
          new PdppError("store_unavailable", `the ${data.lane} thread stopped; a new one starts with the next call`);
        for (const id of [...this.#waiting.keys()]) this.#settle(id, failure);
        resolve();
      });
    });
  }

  /** Calls made in one turn travel together: waking a thread costs more than most calls. */
  ask(call: Asked["call"]): Promise<Reply> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (reply) => (reply instanceof PdppError ? reject(reply) : resolve(reply)));
      this.#asked.push({ id, call });
      if (this.#asked.length === 1) queueMicrotask(() => this.#sendAsked());
    });
  }

  #sendAsked(): void {
    const calls = this.#asked.splice(0);
    if (calls.length > 0) this.post({ calls });
  }

  /** Resolves when all that it has been asked by now is answered. */
  answered(): Promise<void> {
    let left = this.#waiting.size;
    if (left === 0) return Promise.resolve();
    return new Promise((resolve) => {
      for (const [id, settle] of this.#waiting) {
        this.#waiting.set(id, (reply) => {
          settle(reply);
          if (--left === 0) resolve();
        });
      }
    });
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #settle(id: number, reply: Reply | PdppError): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
  }

  async close(): Promise<void> {
    this.#sendAsked();
    this.post({ close: true });
    await this.#exited;
  }
}

/** Started with the first call: an idle server needs none. */
class Keeper {
  readonly #place: Place;
  readonly #onFailure: (text: string) => void;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(place: Place, onFailure: (text: string) => void) {
    this.#place = place;
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
      const worker = new Worker(programFile(import.meta.url, "./keeper"), { workerData: this.#place });
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
    const worker = this.#thread();
    worker.ref();
    const gone = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("close");
    await gone;
  }
}
