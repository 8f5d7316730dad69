// Stops a server. After the first signal it finishes its work; a second one ends it at once.
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C arrives twice if a parent process passes it on. A second signal within this time counts as the same one. */
const SAME_MS = 500;

/**
 * Requests in flight get ten seconds. An unresponsive store gets a few seconds more, but the process still ends before
 * a supervisor kills it (docs/run/operating.md). Work that is cut off was never acknowledged.
 */
const CLOSE_MS = 14_000;

export async function stopServer(
  server: { drain(): void; close(): Promise<void> },
  drainSeconds: number,
  log: (text: string) => void,
): Promise<void> {
  server.drain();
  if (drainSeconds > 0) await sleep(drainSeconds * 1000);
  const late = setTimeout(() => {
    log("some work did not finish in time; the next server will continue it");
    process.exit(0);
  }, CLOSE_MS);
  await server.close();
  clearTimeout(late);
}

/**
 * Resolves at the first signal. A later one ends the process at once, which is safe because acknowledged data is on
 * disk.
 */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of SIGNALS)
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > SAME_MS) process.exit(128 + constants.signals[signal]);
        resolve();
      });
  });
}
