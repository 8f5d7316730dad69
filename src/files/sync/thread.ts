// The thread that updates records: one run, controlled by messages, one question at a time.
import { parentPort, workerData } from "node:worker_threads";
import { formatInstant } from "../../core/instant.ts";
import type { FromWorkThread, ToWorkThread, WorkAnswer } from "../job-runner.ts";
import type { SyncAsk } from "./records-sink.ts";
import { type SyncOptions, SyncRun } from "./sync-run.ts";

const PROGRESS_MS = 150;
const port = parentPort!;
let told = 0;
let waiting: { resolve: (value: number) => void; reject: (error: Error) => void } | undefined;

const run = new SyncRun(
  workerData as SyncOptions,
  {
    ask(asked: SyncAsk) {
      send({ ask: asked });
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    onProgress(progress) {
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      send({ progress });
    },
  },
  formatInstant(Date.now()),
);

port.on("message", (message: ToWorkThread | WorkAnswer) => {
  if (typeof message === "string") run.control[message]();
  else if ("answer" in message) waiting?.resolve(message.answer as number);
  else waiting?.reject(new Error(message.refused));
});

try {
  const { scan, progress } = await run.run();
  if (!run.control.isStopped) send({ done: { scan, progress } });
} catch (error) {
  send({ failed: error instanceof Error ? error.message : String(error) });
}
port.close();

function send(message: FromWorkThread): void {
  port.postMessage(message);
}
