// Whether an owner's jobs run in this process: always on a home directory, which one server has; on a database in one of those that share it.
import { leadership, type Place, type Pulse } from "../store/place.ts";
import type { JobHost } from "./host.ts";

export interface JobRunningOptions {
  place: Place;
  /** In the order in which they begin; they rest the other way round. */
  hosts: readonly JobHost[];
  pulse: Pulse;
  log: (text: string) => void;
}

/** How soon a job that another process was asked for begins, or ends. */
const NEWS_MS = 300;

export function runJobs({ place, hosts, pulse, log }: JobRunningOptions): { close(): Promise<void> } {
  let listening: NodeJS.Timeout | undefined;
  let felt = pulse.feel();

  async function news(): Promise<void> {
    const now = pulse.feel();
    if (now === felt) return;
    felt = now;
    for (const host of hosts) await host.news().catch((error: Error) => log(`jobs: ${error.message}`));
  }

  const leading = leadership(place, {
    async gained() {
      for (const host of hosts) host.begin();
      if (place.database === undefined) return;
      let turn: Promise<void> = Promise.resolve();
      listening = setInterval(() => {
        turn = turn.then(news);
      }, NEWS_MS).unref();
    },
    async lost() {
      clearInterval(listening);
      for (const host of hosts.toReversed()) await host.rest();
    },
    log,
  });
  return {
    async close() {
      await (await leading).close();
    },
  };
}
