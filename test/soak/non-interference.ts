// npm run soak -- non-interference [CASES] [engine|rest|mcp]: P-02 over the given number of random worlds, with a seed
// for each round.
import { type CompareOptions, compareWorlds } from "../non-interference/compare.ts";
import { overHttp } from "../non-interference/over-http.ts";
import { overMcp } from "../non-interference/over-mcp.ts";
import { inProcess } from "../non-interference/reader.ts";

const SURFACES: Record<string, CompareOptions["connect"]> = {
  engine: async (reality, token) => ({ ask: inProcess(reality, token), close: async () => undefined }),
  rest: overHttp,
  mcp: overMcp,
};
const [wanted = "100000", surface = "engine"] = process.argv.slice(2);
const goal = Number(wanted);
if (!Number.isInteger(goal) || goal < 1 || !Object.hasOwn(SURFACES, surface)) {
  console.error("npm run soak -- non-interference [CASES] [engine|rest|mcp]");
  process.exit(2);
}

let seed = Number(process.env.PDPP_SEED ?? Date.now() % 1_000_000_000);
let cases = 0;
while (cases < goal) {
  const round = await compareWorlds({
    seed,
    worlds: 5,
    grantsPerWorld: 4,
    callsPerGrant: 25,
    connect: SURFACES[surface]!,
  });
  cases += round.cases;
  if (round.difference) {
    console.error(JSON.stringify(round.difference, null, 2));
    console.error(`a difference after ${cases} cases on ${surface}; PDPP_SEED=${seed} shows it again`);
    process.exit(1);
  }
  console.log(`seed ${seed}: ${cases} of ${goal} cases on ${surface}, no difference`);
  seed += 1_000_003;
}
