// npm run soak -- crash [KILLS] [--seed N]: the crash run, for as long as one likes.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runCrashes } from "../crash/crashes.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const kills = Number(positionals[0] ?? 300);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${kills} kills`);
await runCrashes({ seed, kills, onKill: (kill, summary) => console.log(`${kill}: ${summary}`) });
console.log("nothing that was acknowledged is lost");
