// npm run bench: measures every budgeted line as a ratio, with both sides in one run.
import type { Bench } from "./bench.ts";
import { type BenchHome, dropHomes, openHome } from "./home.ts";
import { aggregates } from "./lines/aggregates.ts";
import { allConnections } from "./lines/all-connections.ts";
import { backup } from "./lines/backup.ts";
import { combine } from "./lines/combine.ts";
import { files } from "./lines/files.ts";
import { filters } from "./lines/filters.ts";
import { imports } from "./lines/import.ts";
import { ingest } from "./lines/ingest.ts";
import { lists } from "./lines/lists.ts";
import { load } from "./lines/load.ts";
import { mcp } from "./lines/mcp.ts";
import { meaning } from "./lines/meaning.ts";
import { memory } from "./lines/memory.ts";
import { packages } from "./lines/package.ts";
import { pages } from "./lines/pages.ts";
import { paint } from "./lines/paint.ts";
import { people } from "./lines/people.ts";
import { postgres } from "./lines/postgres.ts";
import { processes } from "./lines/processes.ts";
import { reads } from "./lines/reads.ts";
import { rest } from "./lines/rest.ts";
import { restart } from "./lines/restart.ts";
import { search } from "./lines/search.ts";
import { start } from "./lines/start.ts";
import { verify } from "./lines/verify.ts";
import { web } from "./lines/web.ts";
import { parseOptions } from "./options.ts";
import { head, holds, type Result, row } from "./report.ts";

/**
 * Ingest comes first, because it fills the home. Restart comes after memory, because it removes the search index. Load
 * comes after everything that reads the home, because it adds records.
 */
const BENCHES: readonly Bench[] = [
  ingest,
  reads,
  pages,
  filters,
  aggregates,
  rest,
  web,
  paint,
  mcp,
  memory,
  restart,
  load,
  backup,
  verify,
  combine,
  search,
  lists,
  meaning,
  people,
  allConnections,
  packages,
  imports,
  files,
  postgres,
  processes,
  start,
];

const options = parseOptions(process.argv.slice(2));
const wanted = (bench: Bench): boolean =>
  options.only.length === 0 || options.only.some((name) => bench.name.includes(name));
if (options.list) {
  for (const { name } of BENCHES.filter(wanted)) process.stdout.write(`${name} at ${options.sizes.join(", ")}\n`);
  process.exit(0);
}
const filling = BENCHES.some((bench) => wanted(bench) && bench.onSize === undefined);
const results: Result[] = [];
const failed: string[] = [];
const homes: BenchHome[] = [];

function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== "") process.stderr.write(`${text}\n`);
}

/** Prints each result immediately. A section that fails does not stop the others and is listed at the end. */
async function measure(title: string, { counts }: { counts: boolean }, section: () => Promise<Result[]>) {
  note(title);
  try {
    const found = await section();
    note("");
    if (!counts) return;
    results.push(...found);
    if (!options.json) process.stdout.write(found.map(row).join(""));
  } catch (error) {
    note("");
    failed.push(title);
    process.stderr.write(`${title} failed: ${(error as Error).stack ?? error}\n`);
  }
}

try {
  if (!options.json) process.stdout.write(head());
  for (const size of options.sizes) {
    for (const { name, onSize } of BENCHES.filter(wanted))
      if (onSize !== undefined) await measure(`${name} at ${size}`, { counts: true }, () => onSize(size, options));
    if (!filling) continue;
    const home = openHome(size, options.keep);
    homes.push(home);
    for (const bench of BENCHES.filter((each) => wanted(each) || each === ingest)) {
      const { name, onHome } = bench;
      if (onHome !== undefined)
        await measure(`${name} at ${size}`, { counts: wanted(bench) }, () => onHome(home, options));
    }
  }
  for (const { name, onAll } of BENCHES.filter(wanted))
    if (onAll !== undefined) await measure(name, { counts: true }, () => onAll(homes, options));
} finally {
  if (!options.keep) dropHomes();
}

const missed = results.filter((result) => holds(result) === false).length;
if (options.json) {
  const lines = results.map((result) => ({ ...result, holds: holds(result) ?? null }));
  process.stdout.write(`${JSON.stringify({ node: process.version, lines, failed }, null, 2)}\n`);
} else {
  process.stdout.write(
    `${missed === 0 ? "All budgets are met" : `Missed budgets: ${missed}`}. Both sides were measured in one run, alternating; figures are medians.\n`,
  );
}
if (failed.length > 0) process.stderr.write(`Not measured: ${failed.join(", ")}\n`);
// A failed section may have left a server running, which would keep this process alive.
process.exit(failed.length > 0 ? 1 : 0);
