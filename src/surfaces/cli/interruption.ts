// Runs work that a signal can interrupt, reports the interruption, and exits with the signal's exit code.
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** At a signal, prints these words and exits at once. */
export async function reportingInterruption<T>(words: string, work: () => Promise<T>): Promise<T> {
  return listening((signal) => {
    process.stderr.write(`\n${words}\n`);
    process.exit(128 + constants.signals[signal]);
  }, work);
}

/** Passes the first signal to the work, which then cleans up. */
export async function whileInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  return listening(
    () => interrupted.abort(),
    () => work(interrupted.signal),
  );
}

async function listening<T>(listener: (signal: (typeof SIGNALS)[number]) => void, work: () => Promise<T>): Promise<T> {
  for (const signal of SIGNALS) process.once(signal, listener);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, listener);
  }
}

/**
 * Ends this process as if it had no signal handler, because process.exit waits for threads, and a thread may be waiting
 * for the database.
 */
export function endBySignal(signal: (typeof SIGNALS)[number]): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // PID 1 in a container survives its own signals.
  process.exit(128 + constants.signals[signal]);
}
