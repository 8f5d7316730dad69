// The first call to a server that was restarted, with stored projections and with projections that it has to rebuild.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openClient, requestHead } from "./http-client.ts";
import { median, milliseconds } from "./measure.ts";
import { startPostern } from "./server.ts";

const ROUNDS = 5;
/** A server that has just started still stores a setup code in another thread. */
const SETTLE_MS = 1500;

/** Returns the median milliseconds of the call in both cases, alternating. */
export async function firstCalls(
  home: string,
  path: string,
  token: string,
): Promise<Record<"loaded" | "rebuilt", number>> {
  const first = async (): Promise<number> => {
    const server = await startPostern(home);
    const client = await openClient(server.port);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const taken = await milliseconds(() => client.send(requestHead("GET", path, server.port, token)));
    client.close();
    await server.stop();
    return taken;
  };
  const loaded: number[] = [];
  const rebuilt: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(home, `projections.db${suffix}`), { force: true });
    rebuilt.push(await first());
    loaded.push(await first());
  }
  return { loaded: median(loaded), rebuilt: median(rebuilt) };
}
