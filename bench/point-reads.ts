// Point reads over HTTP, one after another, alternating: alone, and beside other work on the server.
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
  /** Starts the other work of a round; returns how to stop it. */
  startWork(token: string, round: number): Promise<() => Promise<void>>;
}

/**
 * How long reads took alone, and beside the work: medians of the rounds, so that a busy moment of the machine does not
 * decide.
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
      // With a pause between reads: without one, the quiet side would be a load itself.
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
