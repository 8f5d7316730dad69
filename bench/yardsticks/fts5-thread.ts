// Runs the FTS5 statements in a thread with the priority of our search thread.
import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../src/engine/threads/thread-priority.ts";
import { type Fts5Call, fts5Statements } from "./fts5.ts";

lowerThreadPriority();
const run = fts5Statements((workerData as { home: string }).home);

parentPort!.on("message", ({ id, call }: { id: number; call: Fts5Call }) => {
  parentPort!.postMessage({ id, body: run(call) });
});
