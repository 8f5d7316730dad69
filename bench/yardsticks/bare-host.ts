// The other end of the bare thread.
import { Worker } from "node:worker_threads";
import type { BareCall } from "./bare-statements.ts";

export interface BareHost {
  call(call: BareCall): Promise<string>;
  close(): Promise<void>;
}

export function bareHost(home: string): BareHost {
  const worker = new Worker(new URL("./bare-thread.ts", import.meta.url), { workerData: { home } });
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
