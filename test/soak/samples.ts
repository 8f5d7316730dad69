// npm run soak -- samples [MUTATIONS] [--seed N]: cuts every file of $PDPP_SAMPLES at 20 places, mutates it, and
// imports it.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { damageSamples } from "../samples/damage.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const mutations = Number(positionals[0] ?? 50);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, each file cut at 20 places and mutated ${mutations} times`);
const { cases, events, taken, thrown, worst, peakBytes } = await damageSamples({
  seed,
  truncations: 20,
  mutations,
  onCase: (done) => {
    if (done % 5000 === 0) console.log(`${done} cases`);
  },
});
console.log(`${cases} cases, ${events} events; the longest took ${Math.round(worst.ms)} ms: ${worst.name}`);
console.log(
  `recognised by: ${Object.entries(taken)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}`,
);
console.log(`peak memory ${Math.round(peakBytes / 1024 ** 2)} MB`);
if (thrown.length > 0) {
  console.error(`${thrown.length} runs threw:\n${thrown.slice(0, 20).join("\n")}`);
  process.exitCode = 1;
} else console.log("no crash, no hang");
