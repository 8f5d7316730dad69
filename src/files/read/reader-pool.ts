// Reader threads from outside: one for what keys answer, one for what goes through a whole tree. Nobody waits behind a scan.
import { Worker } from "node:worker_threads";
import { type ErrorCode, PdppError } from "../../contract/errors.ts";
import { programFile } from "../../program-file.ts";
import type { ReadCallName, ReadParams, ReadResult } from "./read-calls.ts";
import type { IndexPlace, ReadReply, ReadRequest } from "./thread.ts";

type Lane = "keys" | "scans";

/** Calls that look at every node. */
const SCANS: ReadonlySet<ReadCallName> = new Set<ReadCallName>(["find", "select", "types", "ages", "duplicates"]);

export class ReaderPool {
  readonly #threads = new Map<Lane, ReaderThread>();

  call<Name extends ReadCallName>(
    index: IndexPlace,
    name: Name,
    params: ReadParams<Name>,
  ): Promise<Awaited<ReadResult<Name>>> {
    const lane: Lane = SCANS.has(name) ? "scans" : "keys";
    let thread = this.#threads.get(lane);
    if (thread === undefined) {
      thread = new ReaderThread(() => this.#threads.delete(lane));
      this.#threads.set(lane, thread);
    }
    return thread.ask({ index, name, params }) as Promise<Awaited<ReadResult<Name>>>;
  }

  /** Resolves when no thread has the index open any more. */
  async forget(no: number): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.ask({ forget: no })));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }
}

type WithoutId<Request> = Request extends ReadRequest ? Omit<Request, "id"> : never;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(onExit: () => void) {
    this.#worker = new Worker(programFile(import.meta.url, "./thread"));
    // A command that is done need not wait for it.
    this.#worker.unref();
    this.#worker.on("message", (reply: ReadReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (this.#waiting.size === 0) this.#worker.unref();
      if ("value" in reply) waiting?.resolve(reply.value);
      else waiting?.reject(errorOf(reply.error));
    });
    let reason = "the reader of the file index stopped; a new one starts with the next call";
    this.#worker.on("error", (error: Error) => {
      reason = `the reader of the file index stopped: ${error.message}`;
    });
    this.#worker.once("exit", () => {
      onExit();
      for (const { reject } of this.#waiting.values()) reject(new PdppError("store_unavailable", reason));
      this.#waiting.clear();
    });
  }

  ask(request: WithoutId<ReadRequest>): Promise<unknown> {
    const id = this.#next++;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...request } satisfies ReadRequest);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function errorOf({ code, message, details }: Extract<ReadReply, { error: object }>["error"]): Error {
  return code === undefined ? new Error(message) : new PdppError(code as ErrorCode, message, details);
}
