// npm run soak -- files [KILLS] [--seed N]: index jobs killed at random moments, with any number of kills.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runFileCrashes } from "../crash/file-crashes.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const kills = Number(positionals[0] ?? 50);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${kills} kills`);
await runFileCrashes({ seed, kills, onKill: (killed, summary) => console.log(`${killed}: ${summary}`) });
console.log("every index matches an independent walk");
