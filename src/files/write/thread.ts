// The thread that scans: one run, controlled by messages.
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorkThread, ToWorkThread, WorkProgress } from "../job-runner.ts";
import { RootGone, RootIsHome, type ScanOptions, type ScanProgress, ScanRun } from "./scan-run.ts";

export type ScanThreadData = Omit<ScanOptions, "onProgress" | "now"> & {
  /** The result of the previous scan. */
  expected?: { nodes: number; dirs: number };
};

const port = parentPort!;
const { expected, ...options } = workerData as ScanThreadData;
const run = new ScanRun({ ...options, now: Date.now, onProgress: (progress) => send({ progress: told(progress) }) });

port.on("message", (message: ToWorkThread) => {
  if (message === "pause") run.pause();
  else if (message === "resume") run.resume();
  else void run.stop();
});

try {
  const { scan, progress } = await run.run();
  send({ done: { scan, progress: { ...told(progress), nodes: progress.files + progress.dirs } } });
} catch (error) {
  send({ failed: reasonOf(error) });
}
run.close();
port.close();

function told({ files, dirs, bytes, problems, checked }: ScanProgress): WorkProgress {
  const nodes = Math.max(files + dirs, checked);
  const whole = options.verify ? expected?.nodes : expected?.dirs;
  return { nodes, files, dirs, bytes, problems, ...(whole ? { share: nodes / whole } : {}) };
}

function reasonOf(error: unknown): string {
  if (error instanceof RootGone) return "the root is not there; mount or restore it, or remove it from the roots";
  if (error instanceof RootIsHome) return "the root is a Postern home or a backup of one; remove it from the roots";
  const { errcode, code } = error as { errcode?: number; code?: string };
  if (errcode === 13 || code === "ENOSPC") return "the disk of the home is full; free space and index the root again";
  return error instanceof Error ? error.message : String(error);
}

function send(message: FromWorkThread): void {
  port.postMessage(message);
}
