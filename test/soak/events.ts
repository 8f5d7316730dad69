// npm run soak -- events [KILLS] [--seed N]: servers killed while they send events, with any number of kills (F-06).
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runEventCrashes } from "../crash/event-crashes.ts";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const kills = Number(positionals[0] ?? 100);
const seed = Number(values.seed ?? randomInt(2 ** 31));

console.log(`seed ${seed}, ${kills} kills`);
const { deliveries, events } = await runEventCrashes({
  seed,
  kills,
  onKill: (kill, summary) => console.log(`${kill}: ${summary}`),
});
console.log(`${deliveries} deliveries of ${events} events: every change was reported, and each event kept its id`);
