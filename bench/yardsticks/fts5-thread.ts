// Runs the FTS5 statements in a thread.
import { parentPort, workerData } from "node:worker_threads";
import { type Fts5Call, fts5Statements } from "./fts5.ts";

const run = fts5Statements((workerData as { home: string }).home);

parentPort!.on("message", ({ id, call }: { id: number; call: Fts5Call }) => {
  parentPort!.postMessage({ id, body: run(call) });
});
