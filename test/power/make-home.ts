// For power-cuts.ts: a process that creates the home, prints the owner's token, and waits to be killed.
import { makeHome } from "../crash/world.ts";

process.stdout.write(`${await makeHome(process.argv[2]!)}\n`);
setInterval(() => undefined, 60_000);
