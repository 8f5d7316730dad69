// Decides whether an owner's jobs run in this process. A home directory has one server, which always runs them; with a
// database, one of the processes that share it does.
import { type ChangeCounter, type HomeLocation, leadership } from "../store/place.ts";
import type { EngineHost } from "./host.ts";
import type { JobHost } from "./jobs.ts";

export interface JobRunningOptions {
  place: HomeLocation;
  host: EngineHost;
  /**
   * True on a server with many owners. The time when the next job is due is then stored, so that any process with spare
   * capacity can pick the job up.
   */
  leavesWord?: boolean;
  /** In start order. They stop in reverse order. */
  hosts: readonly JobHost[];
  changes: ChangeCounter;
  log: (text: string) => void;
}

/** The longest delay before this process notices that another process requested or cancelled a job. */
const NEWS_MS = 300;

export function runJobs({ place, host: engine, leavesWord = false, hosts, changes, log }: JobRunningOptions): {
  close(): Promise<void>;
} {
  let listening: NodeJS.Timeout | undefined;
  let lastChange = changes.read();

  async function news(): Promise<void> {
    const now = changes.read();
    if (now === lastChange) return;
    lastChange = now;
    for (const host of hosts) await host.news().catch((error: Error) => log(`jobs: ${error.message}`));
  }

  const leading = leadership(place, {
    async gained(term) {
      for (const host of hosts) host.begin({ home: true, ...(term !== undefined && { term }) });
      if (place.database === undefined) return;
      let queue: Promise<void> = Promise.resolve();
      listening = setInterval(() => {
        queue = queue.then(news);
      }, NEWS_MS).unref();
    },
    async lost() {
      clearInterval(listening);
      for (const host of hosts.toReversed()) await host.rest();
    },
    ...(leavesWord ? { nextAt: () => nextJobAt(engine) } : {}),
    log,
  });
  return {
    async close() {
      await (await leading).close();
    },
  };
}

/** Returns true if a job is waiting or running. The home must then stay open. */
export async function hasJobs(host: EngineHost): Promise<boolean> {
  const isOpen = ({ status }: { status: string }): boolean => status === "queued" || status === "running";
  const runs = ({ progress }: { progress: { run?: unknown } }): boolean => progress.run !== undefined;
  const imports = await host.call("importTasks", {}, { home: true });
  const [exports, collects] = await Promise.all([
    host.call("exportTasks", {}, { home: true }),
    host.call("collectTasks", {}, { home: true }),
  ]);
  return imports.some((task) => isOpen(task) && runs(task)) || exports.some(isOpen) || collects.length > 0;
}

/** When a home must be checked again: now, at a given time, or (null) not before the next request. */
async function nextJobAt(host: EngineHost): Promise<number | null> {
  if (await hasJobs(host)) return Date.now();
  const { next_at } = await host.call("scheduleHorizon", {}, { home: true });
  const unused = await host.call("unusedBlobs", {}, { home: true });
  const { due, nextAt } = await host.call("dueEvents", {}, { home: true });
  const times = [next_at, unused.next_at, due.length > 0 ? Date.now() : nextAt].filter(
    (time) => typeof time === "number",
  );
  return times.length === 0 ? null : Math.min(...times);
}
