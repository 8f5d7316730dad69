// Calls between threads: the protocol that the event loop and all our threads use.
//
//   starting side (CalledThread)                        thread (answerCalls)
//   call(request)   ── { calls: [[id, request], …] } ──▶  answers each call, in any order
//   its promise     ◀── { replies: [[id, value], …] } ──  a failed one as [id, undefined, failure]
//   tell(news)      ────────── { news } ──────────────▶   onNews; no answer
//   onNews          ◀───────── { news } ───────────────   tell(news)
//                   ◀──────── { loaded } ──────────────   its program is loaded
//   close()         ────────── { close } ─────────────▶   onClose, then the thread ends
//
// Calls made in one turn of the event loop are sent in one message, because waking a thread costs more than most calls.
// Messages arrive in the order in which they were sent. The thread can call the starting side in the same way. When a
// thread stops, its open calls fail with `store_unavailable`, and the caller starts another thread.
import { parentPort, receiveMessageOnPort, type Transferable, Worker, type WorkerOptions } from "node:worker_threads";
import type { ErrorDetails } from "../../contract/error-body.ts";
import { type ErrorCode, failureText, PdppError } from "../../contract/errors.ts";
import { liftLimitsForStart } from "./heap-growth.ts";

export type NumberedCall<Request> = [id: number, request: Request];
export type NumberedReply<Value> = [id: number, value: Value] | [id: number, value: undefined, failure: SentFailure];

/** The form in which an error is sent between threads, because its class would be lost. */
type SentFailure = { code: ErrorCode; message: string; details: ErrorDetails } | { trace: string };

interface ThreadMessage {
  calls?: NumberedCall<unknown>[];
  replies?: NumberedReply<unknown>[];
  news?: unknown;
  close?: true;
  /** Sent by the thread when its program is loaded. */
  loaded?: true;
}

type Post = (message: ThreadMessage, transfer?: readonly Transferable[]) => void;

interface OpenCall<Request, Value> {
  request: Request;
  answered: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}

/** One side's unanswered calls. */
class OpenCalls<Request, Value> {
  readonly #post: Post;
  readonly #open = new Map<number, OpenCall<Request, Value>>();
  #unsent: NumberedCall<Request>[] = [];
  #next = 0;

  constructor(post: Post) {
    this.#post = post;
  }

  get size(): number {
    return this.#open.size;
  }

  call(request: Request, transfer: readonly Transferable[]): Promise<Value> {
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.#open.set(id, { request, answered: promise, resolve, reject });
    if (this.#unsent.push([id, request]) === 1) queueMicrotask(() => this.send());
    if (transfer.length > 0) this.send(transfer);
    return promise;
  }

  send(transfer: readonly Transferable[] = []): void {
    if (this.#unsent.length === 0) return;
    const calls = this.#unsent;
    this.#unsent = [];
    this.#post({ calls }, transfer);
  }

  settle([id, value, failure]: NumberedReply<unknown>): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (failure === undefined) call?.resolve(value as Value);
    else call?.reject(receivedFailure(failure));
  }

  /** Resolves when all matching calls that are open now have returned. */
  async answered(isMeant: (request: Request) => boolean): Promise<void> {
    const meant = [...this.#open.values()].filter(({ request }) => isMeant(request));
    await Promise.allSettled(meant.map(({ answered }) => answered));
  }

  failAll(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

export interface CalledThreadOptions<News> extends Pick<WorkerOptions, "workerData" | "resourceLimits"> {
  /** The thread's entry point, from `programFile`. */
  program: URL;
  /** The thread's name in errors and in the log. */
  name: string;
  onNews?: (news: News) => void;
  /** Answers the calls that the thread makes. */
  answer?: (request: unknown) => Promise<unknown>;
  /** Called with the reason if the thread did not end normally. */
  onFailure?: (text: string) => void;
  onExit?: () => void;
  /** If true, the process may end while no call is open. */
  unref?: boolean;
}

/** A thread, as the side that started it sees it. */
export class CalledThread<Request, Value = unknown, NewsTo = never, NewsFrom = never> {
  readonly #worker: Worker;
  readonly #calls: OpenCalls<Request, Value>;
  readonly #unref: boolean;
  readonly #exited: Promise<void>;
  #stopped: PdppError | undefined;

  constructor(options: CalledThreadOptions<NewsFrom>) {
    const { program, name, onNews, answer, onFailure, onExit, unref = false, ...worker } = options;
    this.#worker = new Worker(program, worker);
    const started = liftLimitsForStart();
    this.#unref = unref;
    if (unref) this.#worker.unref();
    this.#calls = new OpenCalls((message, transfer = []) => this.#worker.postMessage(message, transfer));
    this.#worker.on("message", ({ replies, calls, news, loaded }: ThreadMessage) => {
      // The first call opens files and loads more code.
      if (replies !== undefined || (loaded && this.#calls.size === 0)) started();
      if (loaded) return;
      if (replies !== undefined) {
        for (const reply of replies) this.#calls.settle(reply);
        if (unref && this.#calls.size === 0) this.#worker.unref();
      } else if (calls !== undefined) answerEach(calls, answer!, (message) => this.#worker.postMessage(message));
      else onNews?.(news as NewsFrom);
    });
    let reason = "";
    this.#worker.on("error", (error: Error) => {
      reason = `: ${error.message}`;
      onFailure?.(`the ${name} thread stopped: ${failureText(error)}`);
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        started();
        onExit?.();
        this.#stopped = new PdppError("store_unavailable", `the ${name} thread stopped${reason}`);
        this.#calls.failAll(this.#stopped);
        resolve();
      });
    });
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Transferred buffers belong to the thread from then on. */
  call(request: Request, transfer: readonly Transferable[] = []): Promise<Value> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    if (this.#unref) this.#worker.ref();
    return this.#calls.call(request, transfer);
  }

  tell(news: NewsTo): void {
    this.#calls.send();
    this.#worker.postMessage({ news } satisfies ThreadMessage);
  }

  answered(isMeant: (request: Request) => boolean): Promise<void> {
    return this.#calls.answered(isMeant);
  }

  /** Lets the thread finish and close its resources. */
  async close(): Promise<void> {
    this.#calls.send();
    this.#worker.ref();
    this.#worker.postMessage({ close: true } satisfies ThreadMessage);
    await this.#exited;
  }

  /** Ends the thread immediately. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * The bytes in a query, to move them to the thread instead of copying them: the sender of a batch no longer needs it.
 * Bytes that share their buffer with something else are copied.
 */
export function buffersIn(query: unknown): ArrayBuffer[] {
  return Object.values(query ?? {}).flatMap((value) =>
    value instanceof Uint8Array && value.byteLength > 0 && value.byteLength === value.buffer.byteLength
      ? [value.buffer as ArrayBuffer]
      : [],
  );
}

export interface AnsweringOptions<Request, Value, News> {
  answer?: (request: Request) => Promise<Value> | Value;
  /** Used instead of `answer` to receive calls in batches. Each is answered with `reply`. */
  onCalls?: (calls: NumberedCall<Request>[]) => void;
  onNews?: (news: News) => void;
  onClose?: () => Promise<void> | void;
  /** Returns the parts of a reply that are transferred instead of copied. */
  transferOf?: (value: Value) => readonly Transferable[];
}

/** A thread, as seen from inside. */
export function answerCalls<Request, Value, NewsFrom = never, NewsTo = never, Asked = never>(
  options: AnsweringOptions<Request, Value, NewsFrom>,
) {
  const { answer, onCalls, onNews, onClose, transferOf } = options;
  const port = parentPort!;
  const post: Post = (message, transfer = []) => port.postMessage(message, transfer);
  const calls = new OpenCalls<Asked, unknown>(post);

  function take(message: ThreadMessage): void {
    if (message.calls !== undefined) {
      const taken = message.calls as NumberedCall<Request>[];
      if (onCalls === undefined) answerEach(taken, answer!, post, transferOf);
      else onCalls(taken);
    } else if (message.replies !== undefined) for (const reply of message.replies) calls.settle(reply);
    else if (message.close) void close();
    else onNews?.(message.news as NewsFrom);
  }

  async function close(): Promise<void> {
    await onClose?.();
    port.close();
  }

  port.on("message", take);
  post({ loaded: true });
  return {
    reply: (replies: NumberedReply<Value>[]): void => post({ replies }),
    tell: (news: NewsTo): void => post({ news }),
    /** Calls the side that started this thread. */
    call: (request: Asked): Promise<unknown> => calls.call(request, []),
    /** Receives calls that have already arrived, without waiting for the next turn of the event loop. */
    listen(): void {
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        take(next.message as ThreadMessage);
    },
  };
}

function answerEach<Request, Value>(
  calls: readonly NumberedCall<Request>[],
  answer: (request: Request) => Promise<Value> | Value,
  post: Post,
  transferOf: (value: Value) => readonly Transferable[] = () => [],
): void {
  for (const [id, request] of calls) void one(id, request);

  async function one(id: number, request: Request): Promise<void> {
    try {
      const value = await answer(request);
      post({ replies: [[id, value]] }, transferOf(value));
    } catch (error) {
      post({ replies: [[id, undefined, sentFailure(error)]] });
    }
  }
}

function sentFailure(error: unknown): SentFailure {
  if (error instanceof PdppError) return { code: error.code, message: error.message, details: error.details };
  return { trace: failureText(error) };
}

function receivedFailure(failure: SentFailure): Error {
  return "trace" in failure ? new Error(failure.trace) : new PdppError(failure.code, failure.message, failure.details);
}
