// npm run soak -- damage [ROUNDS] [--seed N]: random damage in records.db, with any number of rounds.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { damageWorld, runDamage } from "../damage/random-damage.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const rounds = Number(positionals[0] ?? 1000);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${rounds} rounds`);
const world = await damageWorld();
const { answers, errors, wrong } = await runDamage(world, {
  seed,
  rounds,
  onRound: (round, count) => {
    if (round % 100 === 0)
      console.log(`${round}: ${count.answers} correct, ${count.errors} refused, ${count.wrong.length} wrong`);
  },
});
world.remove();
for (const one of wrong) console.log(`seed ${one.seed}: ${one.asked}: ${one.answer}`);
console.log(
  `${rounds} rounds, ${answers} correct results, ${errors} errors that report the damage, ${wrong.length} wrong`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
