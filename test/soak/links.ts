// npm run soak -- links [SWAPS]: a racing process swaps links while files are opened and walked (SECURITY row 13).
import { raceLinks } from "../hostile/link-race.ts";

const { swaps, opened, refused, scans, escapes } = await raceLinks(Number(process.argv[2] ?? 10_000));
console.log(`${swaps} swaps, ${opened} files opened, ${refused} refused, ${scans} scans`);
if (escapes.length > 0) {
  console.error(`${escapes.length} escapes:\n${escapes.slice(0, 20).join("\n")}`);
  process.exitCode = 1;
} else console.log("0 escapes");
