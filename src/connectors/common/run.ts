// Wraps a connector's run, so that DONE is sent exactly once and contains no secret.
import type { Readable, Writable } from "node:stream";
import { type Channel, createChannel } from "./channel.ts";
import { redacted } from "./failure.ts";

export interface RunFrame {
  channel: Channel;
  stop: AbortSignal;
  /** Strings that must not appear in any message. */
  secrets: string[];
}

/** `wordsFor` describes an error to the owner. */
export async function runOver(
  input: Readable,
  output: Writable,
  stop: AbortSignal,
  collect: (run: RunFrame) => Promise<void>,
  wordsFor: (error: unknown) => string,
): Promise<void> {
  const channel = createChannel(input, output);
  const run: RunFrame = { channel, stop, secrets: [] };
  const end = (status: "succeeded" | "failed" | "cancelled", message?: string): Promise<void> =>
    channel.end({
      type: "DONE",
      status,
      records_emitted: channel.records(),
      ...(message === undefined ? {} : { error: { message } }),
    });
  try {
    await Promise.race([collect(run), aborted(stop)]);
    await end("succeeded");
  } catch (error) {
    if (stop.aborted) return await end("cancelled");
    await end("failed", redacted(wordsFor(error), run.secrets));
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/**
 * Runs a connector as a program with JSON lines on stdin and stdout. It ends on request, or when nothing reads its
 * output any more.
 */
export async function runAsProgram(
  connect: (input: Readable, output: Writable, stop: AbortSignal) => Promise<void>,
): Promise<never> {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
  // A runner that has exited needs no more records.
  process.stdout.on("error", () => process.exit(1));
  await connect(process.stdin, process.stdout, stop.signal);
  // A connection that does not close must not keep the process alive.
  process.exit(0);
}
