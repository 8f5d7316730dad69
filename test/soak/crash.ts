// npm run soak -- crash [--kills 300] [--seed N]: the crash run, for as long as one likes.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runCrashes } from "../crash/crashes.ts";

const { values } = parseArgs({ options: { kills: { type: "string" }, seed: { type: "string" } } });
const kills = Number(values.kills ?? 300);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${kills} kills`);
await runCrashes({ seed, kills, onKill: (kill, summary) => console.log(`${kill}: ${summary}`) });
console.log("nothing that was acknowledged is lost");
