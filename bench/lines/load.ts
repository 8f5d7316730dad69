// The p99 of a point read while full-stream aggregates and an ingest run, compared with the p99 when nothing else runs.
import { Worker } from "node:worker_threads";
import type { Bench } from "../bench.ts";
import type { BenchHome } from "../home.ts";
import { readsBeside } from "../point-reads.ts";
import { inMs } from "../report.ts";
import { startPostern } from "../server.ts";

export const load: Bench = {
  name: "load",
  async onHome(home) {
    const server = await startPostern(home.path);
    const [calm, loaded] = await readsBeside({
      home,
      server,
      startWork: (token, round) => startNoise(server.port, token, home, round),
    });
    await server.stop();
    return [
      {
        line: "p99 of a point read under load",
        size: home.name,
        ratio: loaded.p99 / calm.p99,
        budget: { atMost: 4 },
        ours: inMs(loaded.p99),
        yardstick: inMs(calm.p99),
        against: "the p99 on a quiet server",
      },
      {
        line: "median of a point read under load",
        size: home.name,
        ratio: loaded.median / calm.median,
        ours: inMs(loaded.median),
        yardstick: inMs(calm.median),
        against: "the median on a quiet server",
      },
    ];
  },
};

/** Runs in its own thread, so that generating the load does not delay the measurement. */
async function startNoise(
  port: number,
  token: string,
  { records }: BenchHome,
  round: number,
): Promise<() => Promise<void>> {
  const worker = new Worker(new URL("../noise.ts", import.meta.url), { workerData: { port, token, records, round } });
  await new Promise((resolve) => worker.once("message", resolve));
  return async () => {
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("stop");
    await ended;
  };
}
