// The thread that looks for duplicates: one run, controlled by messages.
import { parentPort, workerData } from "node:worker_threads";
import type { FromWorkThread, ToWorkThread } from "../job-runner.ts";
import { type DigestOptions, DigestRun } from "./digest-run.ts";

const PROGRESS_MS = 150;
const port = parentPort!;
let told = 0;
const run = new DigestRun(workerData as DigestOptions, (progress) => {
  if (performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  send({ progress });
});

port.on("message", (message: ToWorkThread) => run.control[message]());

try {
  const progress = await run.run();
  if (!run.control.isStopped) send({ done: { progress } });
} catch (error) {
  send({ failed: error instanceof Error ? error.message : String(error) });
}
port.close();

function send(message: FromWorkThread): void {
  port.postMessage(message);
}
