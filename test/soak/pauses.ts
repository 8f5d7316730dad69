// npm run soak -- pauses [PAUSES] [--seed N]: three servers on one database and one folder, paused at random for longer than their lease.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runPausingLoad } from "../processes/pausing-load.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const pauses = Number(positionals[0] ?? 100);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${pauses} pauses`);
const figures = await runPausingLoad({ seed, pauses, onPause: (text) => console.log(text) });
console.log(JSON.stringify(figures, null, 2));
console.log(figures.lost.length === 0 ? "no acknowledged write was lost" : "NOT whole");
process.exitCode = figures.lost.length === 0 ? 0 : 1;
