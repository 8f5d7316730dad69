// Point reads over HTTP, one after another, alternately alone and during other work on the server.
import { recordAt, STREAM } from "./data.ts";
import type { BenchHome } from "./home.ts";
import { openClient, requestHead } from "./http-client.ts";
import { median, milliseconds, type Sample, sampleOf } from "./measure.ts";
import { issueToken, type startPostern } from "./server.ts";

const TURN_MS = 750;
const TURNS = 8;

export interface ReadsBesideOptions {
  home: BenchHome;
  server: Awaited<ReturnType<typeof startPostern>>;
  /** Starts the other work of a round; resolves to a function that stops it. */
  startWork(token: string, round: number): Promise<() => Promise<void>>;
}

/**
 * Returns how long reads took alone and during the work. It takes medians over the rounds, so that a busy moment on the
 * machine does not distort the result.
 */
export async function readsBeside({ home, server, startWork }: ReadsBesideOptions): Promise<[Sample, Sample]> {
  const token = await issueToken(home.path, "owner");
  const client = await openClient(server.port);
  const heads = Array.from({ length: 997 }, (_, index) => {
    const { id } = recordAt(Math.floor((index * home.records) / 997), home.records);
    return requestHead("GET", `/v1/streams/${STREAM}/records/${id}`, server.port, token);
  });
  const turn = async (): Promise<Sample> => {
    const times: number[] = [];
    const end = performance.now() + TURN_MS;
    for (let index = 0; performance.now() < end; index++) {
      times.push(await milliseconds(() => client.send(heads[(index * 211) % heads.length]!)));
      // Pauses between reads, because back-to-back reads would themselves be a load on the quiet side.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return sampleOf(times);
  };
  const quiet: Sample[] = [];
  const busy: Sample[] = [];
  await turn();
  for (let round = 0; round < TURNS; round++) {
    quiet.push(await turn());
    const stop = await startWork(token, round);
    busy.push(await turn());
    await stop();
  }
  client.close();
  return [middle(quiet), middle(busy)];
}

const middle = (turns: readonly Sample[]): Sample => ({
  median: median(turns.map((turn) => turn.median)),
  p99: median(turns.map((turn) => turn.p99)),
});
