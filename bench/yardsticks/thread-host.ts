// Runs a yardstick in its own thread, behind the same hop as the engine.
import { Worker } from "node:worker_threads";
import type { BareCall } from "./bare-statements.ts";
import type { Fts5Call } from "./fts5.ts";

interface YardstickHost<Call> {
  call(call: Call): Promise<string>;
  close(): Promise<void>;
}

export type BareHost = YardstickHost<BareCall>;

export const bareHost = (home: string): BareHost =>
  hostOf(new Worker(new URL("./bare-thread.ts", import.meta.url), { workerData: { home } }));

export const fts5Host = (home: string): YardstickHost<Fts5Call> =>
  hostOf(new Worker(new URL("./fts5-thread.ts", import.meta.url), { workerData: { home } }));

/** The worker answers each message `{ id, call }` with `{ id, body }`. */
function hostOf<Call>(worker: Worker): YardstickHost<Call> {
  const waiting = new Map<number, (body: string) => void>();
  let next = 0;
  worker.on("message", ({ id, body }: { id: number; body: string }) => {
    waiting.get(id)!(body);
    waiting.delete(id);
  });
  return {
    call(call) {
      const id = next++;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ id, call });
      });
    },
    async close() {
      await worker.terminate();
    },
  };
}
