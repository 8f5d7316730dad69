// Work that a signal interrupts: it reports what happened to it, and exits with the signal's exit code.
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Exits at once, with these words. */
export async function reportingInterruption<T>(words: string, work: () => Promise<T>): Promise<T> {
  return listening((signal) => {
    process.stderr.write(`\n${words}\n`);
    process.exit(128 + constants.signals[signal]);
  }, work);
}

/** The first signal is passed to the work, which cleans up. */
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

/** Ends this process as if nothing caught the signal: process.exit waits for a thread that waits for the database. */
export function endBySignal(signal: (typeof SIGNALS)[number]): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container survives its own signals.
  process.exit(128 + constants.signals[signal]);
}
