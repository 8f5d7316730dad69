// The data of the files lens and every call on it: indexes and their jobs, sessions, selections, saved queries. It
// lives in its own thread in a server (lens-thread.ts), and in the process itself in a command.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FileJob } from "../../contract/files.ts";
import { typedError } from "../../store/sqlite/database.ts";
import { type Files, openFiles } from "../files.ts";
import type { RecordsTarget } from "../sync/records-sink.ts";
import { connectedRoots } from "./connected-roots.ts";
import { type SelectionWork, selectionWork } from "./selection-work.ts";
import { openShellStore, type ShellStore } from "./shell-store.ts";

export interface LensDataOptions {
  home: string;
  /** Resume jobs that were running when the last process ended. */
  resume: boolean;
  /** How records of files are updated here. "later" leaves it to the next process that updates them. */
  records: "gently" | "at once" | "later";
}

export interface LensData {
  files: Files;
  store: ShellStore;
  roots: ReturnType<typeof connectedRoots>;
  selections: SelectionWork;
  close(): Promise<void>;
}

export interface LensListeners {
  onJob: (job: FileJob) => void;
  /** Called when another process has changed roots, indexes or jobs. */
  onOthers: () => void;
  /** Answers requests from a job that updates records. */
  answer: (asked: unknown) => Promise<unknown>;
}

export function openLensData(
  { home, resume, records }: LensDataOptions,
  { onJob, onOthers, answer }: LensListeners,
  now: () => number = Date.now,
): LensData {
  mkdirSync(join(home, "files"), { recursive: true, mode: 0o700 });
  const store = openShellStore(join(home, "files", "shell.db"));
  const target = (indexId: string): RecordsTarget | undefined => store.recordsTarget(indexId, records === "gently");
  const files = openFiles({ home, now, resume, ...(records === "later" ? {} : { records: { target, answer } }) });
  files.onJob(onJob);
  const forgetOthers = records === "gently" ? files.onOthers(onOthers) : undefined;
  return {
    files,
    store,
    roots: connectedRoots(files, store),
    selections: selectionWork({ files, store, now }),
    async close() {
      forgetOthers?.();
      await files.close();
      store.close();
    },
  };
}

/** A call of a method by part and name, as sent to the thread. */
export interface LensDataCall {
  part: "files" | "store" | "roots" | "selections";
  method: string;
  args: unknown[];
}

export async function answerLensCall(data: LensData, { part, method, args }: LensDataCall): Promise<unknown> {
  const target = data[part] as unknown as Record<string, (...args: unknown[]) => unknown>;
  try {
    return await target[method]!(...args);
  } catch (error) {
    throw typedError(error);
  }
}
