// Gives the lens access to its data: in a thread, so that the event loop never waits for SQLite, or within the process
// of a command.
import type { FileJob } from "../../contract/files.ts";
import { CalledThread } from "../../engine/threads/thread-calls.ts";
import { programFile } from "../../program-file.ts";
import type { Files } from "../files.ts";
import type { connectedRoots } from "./connected-roots.ts";
import {
  answerLensCall,
  type LensDataCall,
  type LensDataOptions,
  type LensListeners,
  openLensData,
} from "./lens-data.ts";
import type { LensNews } from "./lens-thread.ts";
import type { SelectionWork } from "./selection-work.ts";
import type { ShellStore } from "./shell-store.ts";

/** The methods of T, each as an asynchronous call. */
type RemoteCalls<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** Methods that work only in the same thread as the data. */
type OfTheThread = "onJob" | "onOthers" | "close";

export interface LensAccess {
  files: RemoteCalls<Omit<Files, OfTheThread>>;
  store: RemoteCalls<Omit<ShellStore, "snapshot" | "close">>;
  roots: RemoteCalls<ReturnType<typeof connectedRoots>>;
  selections: RemoteCalls<SelectionWork>;
  close(): Promise<void>;
}

export function accessInThread(
  options: LensDataOptions,
  { onJob, onOthers, answer }: LensListeners,
  log: (text: string) => void,
): LensAccess {
  type FilesThread = CalledThread<LensDataCall, unknown, never, LensNews>;
  let running: FilesThread | undefined;
  const start = (): FilesThread =>
    new CalledThread<LensDataCall, unknown, never, LensNews>({
      program: programFile(import.meta.url, "./lens-thread"),
      name: "files",
      workerData: options,
      answer,
      onNews: (news) => ("job" in news ? onJob(news.job) : onOthers()),
      onFailure: log,
      onExit: () => {
        running = undefined;
      },
    });
  // Start immediately, so that interrupted jobs continue.
  running = start();
  return accessBy(
    (call) => {
      running ??= start();
      return running.call(call);
    },
    async () => running?.close(),
  );
}

export function accessInProcess(options: LensDataOptions, listeners: LensListeners, now: () => number): LensAccess {
  const data = openLensData(options, listeners, now);
  return accessBy((call) => answerLensCall(data, call), data.close);
}

function accessBy(call: (call: LensDataCall) => Promise<unknown>, close: () => Promise<void>): LensAccess {
  /** `own` contains methods that do more than forward the call. */
  function part<Name extends LensDataCall["part"]>(name: Name, own: Partial<LensAccess[Name]> = {}): LensAccess[Name] {
    const called = (method: string): unknown =>
      own[method as keyof LensAccess[Name]] ?? ((...args: unknown[]) => call({ part: name, method, args }));
    return new Proxy({} as LensAccess[Name], { get: (_target, method) => called(String(method)) });
  }
  return {
    files: part("files", {
      jobEnded: (jobId, signal) =>
        abandonable(call({ part: "files", method: "jobEnded", args: [jobId] }) as Promise<FileJob>, signal),
    }),
    store: part("store"),
    roots: part("roots"),
    selections: part("selections"),
    close,
  };
}

/** An abort signal does not reach the thread. It only ends the wait here. */
async function abandonable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([aborted.promise, work]).finally(() => signal.removeEventListener("abort", abort));
}
