// npm run soak -- import [KILLS] [--seed N]: imports killed at random moments, with any number of kills.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runImportCrashes } from "../crash/import-crashes.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const kills = Number(positionals[0] ?? 100);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${kills} kills`);
await runImportCrashes({ seed, kills, onRound: (killed, summary) => console.log(`${killed}: ${summary}`) });
console.log("every import ended with the same result as an uninterrupted one");
