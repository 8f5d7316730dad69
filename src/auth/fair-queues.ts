// Runs jobs one at a time for many owners. Each owner has a queue, and the queues take turns, so a long queue does not
// delay the others.
import { PdppError } from "../contract/errors.ts";

type QueuedWork<T> = () => Promise<T>;

/** Refuses a job if `maxWaiting` jobs are already waiting in its owner's queue. */
export function fairQueues({
  maxWaiting,
}: {
  maxWaiting: number;
}): <T>(owner: string, work: QueuedWork<T>) => Promise<T> {
  /** The queues in round-robin order; the first one runs next. */
  const queues = new Map<string, QueuedWork<void>[]>();
  let isBusy = false;

  async function takeTurns(): Promise<void> {
    isBusy = true;
    for (const [owner, queue] of queues) {
      const work = queue.shift()!;
      // Moves this queue to the end.
      queues.delete(owner);
      if (queue.length > 0) queues.set(owner, queue);
      await work();
    }
    isBusy = false;
  }

  return <T>(owner: string, work: QueuedWork<T>) => {
    const queue = queues.get(owner) ?? [];
    if (queue.length >= maxWaiting)
      throw new PdppError("rate_limit_exceeded", "too many passwords are being checked at once", {
        next_step: "Try again in a few seconds.",
      });
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    queue.push(() => work().then(resolve, reject));
    queues.set(owner, queue);
    if (!isBusy) void takeTurns();
    return promise;
  };
}
