// npm run soak -- processes [ROUNDS] [--seed N]: three servers on one database under mixed load, with servers killed or paused and the database restarted.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runMixedLoad } from "../processes/mixed-load.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const rounds = Number(positionals[0] ?? 60);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${rounds} rounds`);
const figures = await runMixedLoad({ seed, rounds, onRound: (text) => console.log(text) });
console.log(JSON.stringify(figures, null, 2));
const { lost, twice, violations, importsWrong } = figures;
const whole = [lost, twice, violations, importsWrong].every((list) => list.length === 0);
console.log(whole ? "nothing lost, nothing duplicated, no grant exceeded" : "NOT whole");
process.exitCode = whole ? 0 : 1;
