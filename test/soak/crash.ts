// npm run soak -- crash [KILLS] [--engine sqlite|postgres|both] [--seed N] [--lanes N]: the crash run, with any number of kills.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCrashes } from "../crash/crashes.ts";
import { databaseIn, startCluster } from "../postgres.ts";

/** The number of kills per home. A longer history would only make the checks slower. */
const KILLS_PER_HOME = 8;
const SERVER_CHECKS_EVERY = 4;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, engine: { type: "string", default: "both" }, lanes: { type: "string" } },
  allowPositionals: true,
});
const kills = Number(positionals[0] ?? 300);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const engines = ["sqlite", "postgres"].filter((engine) => ["both", engine].includes(values.engine));
if (engines.length === 0) throw new Error(`--engine is sqlite, postgres or both, not ${values.engine}`);

/** The number of homes in parallel. A starting server leaves a core idle now and then. */
const lanes = Number(values.lanes ?? availableParallelism());

/**
 * Most of the CPU time of a kill is spent by six threads that compile the same program. A server that stops cleanly
 * stores the compiled code for the next one.
 */
const compiled = mkdtempSync(join(tmpdir(), "postern-crash-compiled-"));
process.env.NODE_COMPILE_CACHE = compiled;
process.once("exit", () => rmSync(compiled, { recursive: true, force: true }));

interface Place {
  database?: string;
  crashDatabase?: () => Promise<void>;
}

for (const engine of engines) {
  console.log(`${engine}: seed ${seed}, ${kills} kills`);
  const homes = Array.from({ length: Math.ceil(kills / KILLS_PER_HOME) }, (_, home) => home);
  const progress = { kills: 0, operations: 0 };
  const lane = engine === "sqlite" ? () => crashHomes(homes, progress) : () => onPostgres(homes, progress);
  await Promise.all(Array.from({ length: lanes }, lane));
  console.log(`${engine}: ${progress.kills} kills, ${progress.operations} operations, no acknowledged write was lost`);
}

/** Each lane has a separate database cluster, so that a crash affects no other lane. */
async function onPostgres(homes: number[], progress: Progress): Promise<void> {
  const cluster = await startCluster({ durable: true });
  const crashDatabase = async (): Promise<void> => {
    await cluster.crash();
    await cluster.start();
    console.log("the database was stopped immediately and restarted");
  };
  try {
    await crashHomes(homes, progress, async () => ({ database: await databaseIn(cluster.url), crashDatabase }));
  } finally {
    await cluster.remove();
  }
}

interface Progress {
  kills: number;
  operations: number;
}

async function crashHomes(
  homes: number[],
  progress: Progress,
  place: () => Promise<Place> = async () => ({}),
): Promise<void> {
  for (let home = homes.shift(); home !== undefined; home = homes.shift()) {
    await runCrashes({
      seed: seed + home,
      kills: Math.min(KILLS_PER_HOME, kills - home * KILLS_PER_HOME),
      serverChecksEvery: SERVER_CHECKS_EVERY,
      ...(await place()),
      onKill(_, made, held) {
        progress.operations += made;
        console.log(`${++progress.kills}: ${made} operations; ${held}`);
      },
    });
  }
}
