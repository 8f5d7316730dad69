// Starts a second thread for the quick check of a rescan, if there are enough directories to share.
import { Worker } from "node:worker_threads";
import { programFile } from "../../program-file.ts";
import type { ByteText } from "../scan/messages.ts";
import type { ChangedDir, CheckPart, KnownDirs } from "./check.ts";
import type { CheckData } from "./check-thread.ts";
import type { Tree } from "./tree.ts";

export interface CheckHelper {
  changed: Promise<ChangedDir[]>;
  end(): Promise<number>;
}

/** The helper checks its part of the current tree. */
export function startCheckHelper(tree: Tree, root: ByteText, part: CheckPart): CheckHelper {
  const { next, parent, state, ino, mtime, ctime, names, nameEnd } = tree;
  const known: KnownDirs = {
    next,
    parent: parent.slice(0, next),
    state: state.slice(0, next),
    ino: ino.slice(0, next),
    mtime: mtime.slice(0, next),
    ctime: ctime.slice(0, next),
    names: names.subarray(0, nameEnd[next - 1]!),
    nameEnd: nameEnd.slice(0, next),
  };
  const worker = new Worker(programFile(import.meta.url, "./check-thread"), {
    workerData: { tree: known, root, part } satisfies CheckData,
  });
  return {
    changed: new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the second check thread stopped")));
    }),
    end: () => worker.terminate(),
  };
}
