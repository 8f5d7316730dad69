// How a server is told to stop: the first signal lets it finish, a later one does not wait.
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ctrl-C reaches us twice when a parent passes it on. What comes so soon after the first is the same wish. */
const SAME_MS = 500;

/** Resolves with the first signal. One that comes later ends the process at once: what was acknowledged is on the disk. */
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
