// Replaces `threadedHost` in tests: the servers of a test process share their engine threads. Starting threads for each
// server took a fifth of the run's CPU time.
import {
  type EngineThreads,
  type EngineThreadsOptions,
  engineThreads,
  type threadedHost as original,
} from "../src/engine/threads/threaded-host.ts";

const shared = new Map<string, EngineThreads>();
/** The logs of the running servers. A thread's failure is not tied to a home, so each of them reports it. */
const logs = new Set<EngineThreadsOptions["onFailure"]>();

export const threadedHost: typeof original = ({ place, onFailure, ...limits }) => {
  const key = JSON.stringify(limits);
  const threads = shared.get(key) ?? engineThreads({ ...limits, onFailure: logEverywhere });
  shared.set(key, threads);
  logs.add(onFailure);
  const host = threads.host(place);
  return {
    ...host,
    async close() {
      await host.close();
      logs.delete(onFailure);
    },
  };
};

function logEverywhere(text: string): void {
  for (const log of logs) log(text);
}
