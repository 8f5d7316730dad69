// The p99 of a point read while full-stream aggregates and an ingest run, against the p99 when nothing else runs.
import { Worker } from "node:worker_threads";
import type { Bench } from "../bench.ts";
import { recordAt, STREAM } from "../data.ts";
import type { BenchHome } from "../home.ts";
import { openClient, requestHead } from "../http-client.ts";
import { milliseconds, sampleOf } from "../measure.ts";
import { inMs } from "../report.ts";
import { issueToken, startPostern } from "../server.ts";

const TURN_MS = 1500;
const TURNS = 4;

export const load: Bench = {
  name: "load",
  async onHome(home) {
    const token = await issueToken(home.path, "owner");
    const server = await startPostern(home.path);
    const client = await openClient(server.port);
    const ids = Array.from(
      { length: 997 },
      (_, index) => recordAt(Math.floor((index * home.records) / 997), home.records).id,
    );
    const heads = ids.map((id) => requestHead("GET", `/v1/streams/${STREAM}/records/${id}`, server.port, token));
    const turn = async (times: number[]): Promise<void> => {
      const end = performance.now() + TURN_MS;
      for (let index = 0; performance.now() < end; index++) {
        times.push(await milliseconds(() => client.send(heads[(index * 211) % heads.length]!)));
        // Somebody reads now and then, rather than as fast as answers come: else the quiet side is a load of its own.
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const quiet: number[] = [];
    const busy: number[] = [];
    await turn([]);
    for (let round = 0; round < TURNS; round++) {
      await turn(quiet);
      const noise = await startNoise(server.port, token, home, round);
      await turn(busy);
      await noise.stop();
    }
    client.close();
    await server.stop();
    const [calm, loaded] = [sampleOf(quiet), sampleOf(busy)];
    return [
      {
        line: "p99 point read under load",
        size: home.name,
        ratio: loaded.p99 / calm.p99,
        budget: { atMost: 4 },
        ours: inMs(loaded.p99),
        yardstick: inMs(calm.p99),
        against: "quiet p99",
      },
      {
        line: "median point read under load",
        size: home.name,
        ratio: loaded.median / calm.median,
        ours: inMs(loaded.median),
        yardstick: inMs(calm.median),
        against: "quiet median",
      },
    ];
  },
};

/** In a thread of its own: what makes the load must not delay who measures. */
async function startNoise(
  port: number,
  token: string,
  { records }: BenchHome,
  round: number,
): Promise<{ stop(): Promise<void> }> {
  const worker = new Worker(new URL("../noise.ts", import.meta.url), { workerData: { port, token, records, round } });
  await new Promise((resolve) => worker.once("message", resolve));
  return {
    async stop() {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.postMessage("stop");
      await ended;
    },
  };
}
