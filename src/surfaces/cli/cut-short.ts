// Work that a signal cuts short: it says what became of it, and ends with the signal's exit code.
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends at once, with these words. */
export async function sayingIfCutShort<T>(words: string, work: () => Promise<T>): Promise<T> {
  return listening((signal) => {
    process.stderr.write(`\n${words}\n`);
    process.exit(128 + constants.signals[signal]);
  }, work);
}

/** The first signal is told to the work, which sets right what it has begun. */
export async function whileInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const told = new AbortController();
  return listening(
    () => told.abort(),
    () => work(told.signal),
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
