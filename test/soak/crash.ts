// npm run soak -- crash [KILLS] [--engine sqlite|postgres|both] [--seed N]: the crash run, for as long as one likes.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runCrashes } from "../crash/crashes.ts";
import { databaseIn, startCluster } from "../postgres.ts";

/** A home gets this many kills: a longer history only makes the checks slower. */
const KILLS_PER_HOME = 25;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, engine: { type: "string", default: "both" } },
  allowPositionals: true,
});
const kills = Number(positionals[0] ?? 300);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const engines = ["sqlite", "postgres"].filter((engine) => ["both", engine].includes(values.engine));
if (engines.length === 0) throw new Error(`--engine is sqlite, postgres or both, not ${values.engine}`);

let operations = 0;
for (const engine of engines) {
  operations = 0;
  console.log(`${engine}: seed ${seed}, ${kills} kills`);
  if (engine === "sqlite") await crashHomes();
  else await onPostgres();
  console.log(`${engine}: ${kills} kills, ${operations} operations, nothing that was acknowledged is lost`);
}

async function onPostgres(): Promise<void> {
  const cluster = await startCluster({ durable: true });
  const crashDatabase = async (): Promise<void> => {
    await cluster.crash();
    await cluster.start();
    console.log("the database was stopped at once and started");
  };
  try {
    await crashHomes(async () => ({ database: await databaseIn(cluster.url), crashDatabase }));
  } finally {
    await cluster.remove();
  }
}

async function crashHomes(
  place: () => Promise<{ database?: string; crashDatabase?: () => Promise<void> }> = async () => ({}),
): Promise<void> {
  for (let done = 0; done < kills; done += KILLS_PER_HOME) {
    await runCrashes({
      seed: seed + done / KILLS_PER_HOME,
      kills: Math.min(KILLS_PER_HOME, kills - done),
      ...(await place()),
      onKill(kill, made, held) {
        operations += made;
        console.log(`${done + kill}: ${made} operations; ${held}`);
      },
    });
  }
}
