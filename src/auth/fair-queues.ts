// Runs jobs one at a time for many owners. Each owner has a queue, and the queues take turns, so a long queue does not
// delay the others.
import { PdppError } from "../contract/errors.ts";

type QueuedWork<T> = () => Promise<T>;

/** A caller is refused if `longest` jobs are already waiting in its queue. */
export function fairQueues({ longest }: { longest: number }): <T>(whose: string, work: QueuedWork<T>) => Promise<T> {
  /** The queues in round-robin order; the first one runs next. */
  const lines = new Map<string, QueuedWork<void>[]>();
  let isBusy = false;

  async function takeTurns(): Promise<void> {
    isBusy = true;
    for (const [whose, line] of lines) {
      const work = line.shift()!;
      // Moves this queue to the end.
      lines.delete(whose);
      if (line.length > 0) lines.set(whose, line);
      await work();
    }
    isBusy = false;
  }

  return <T>(whose: string, work: QueuedWork<T>) => {
    const line = lines.get(whose) ?? [];
    if (line.length >= longest)
      throw new PdppError("rate_limit_exceeded", "too many passwords are being checked at once", {
        next_step: "Try again in a few seconds.",
      });
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    line.push(() => work().then(resolve, reject));
    lines.set(whose, line);
    if (!isBusy) void takeTurns();
    return promise;
  };
}
