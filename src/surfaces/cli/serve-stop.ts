// How a server is told to stop: the first signal lets it finish, a later one does not wait.
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C reaches us twice when a parent passes it on. A second signal this soon counts as the same one. */
const SAME_MS = 500;

/**
 * Requests in flight get ten seconds. An unresponsive store adds a bounded time, too, which ends before a supervisor
 * kills the process (docs/run/operating.md): it has acknowledged nothing.
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
    log("some work did not end in time and is left to the next server");
    process.exit(0);
  }, CLOSE_MS);
  await server.close();
  clearTimeout(late);
}

/** Resolves with the first signal. A later one ends the process at once: acknowledged data is on the disk. */
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
