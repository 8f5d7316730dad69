// npm run bench: every records line of the budgets as a ratio measured in one run.
import type { Bench } from "./bench.ts";
import { type BenchHome, dropHomes, openHome } from "./home.ts";
import { aggregates } from "./lines/aggregates.ts";
import { files } from "./lines/files.ts";
import { filters } from "./lines/filters.ts";
import { imports } from "./lines/import.ts";
import { ingest } from "./lines/ingest.ts";
import { load } from "./lines/load.ts";
import { mcp } from "./lines/mcp.ts";
import { packages } from "./lines/package.ts";
import { pages } from "./lines/pages.ts";
import { postgres } from "./lines/postgres.ts";
import { processes } from "./lines/processes.ts";
import { reads } from "./lines/reads.ts";
import { rest } from "./lines/rest.ts";
import { restart } from "./lines/restart.ts";
import { search } from "./lines/search.ts";
import { start } from "./lines/start.ts";
import { web } from "./lines/web.ts";
import { parseOptions } from "./options.ts";
import { holds, type Result, table } from "./report.ts";

/** Ingest comes first: it fills the home. Load comes after all that reads it: it adds to it. */
const BENCHES: readonly Bench[] = [
  ingest,
  reads,
  pages,
  filters,
  aggregates,
  restart,
  rest,
  web,
  mcp,
  load,
  search,
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
const filling = BENCHES.some((bench) => wanted(bench) && bench.onSize === undefined);
const results: Result[] = [];
const homes: BenchHome[] = [];

function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else process.stderr.write(`${text}\n`);
}

try {
  for (const size of options.sizes) {
    for (const bench of BENCHES) {
      if (bench.onSize === undefined || !wanted(bench)) continue;
      note(`${bench.name} at ${size}`);
      results.push(...(await bench.onSize(size, options)));
    }
    if (!filling) continue;
    const home = openHome(size, options.keep);
    homes.push(home);
    for (const bench of BENCHES) {
      if (bench.onHome === undefined || !(wanted(bench) || bench === ingest)) continue;
      note(`${bench.name} at ${size}`);
      const found = await bench.onHome(home, options);
      if (wanted(bench)) results.push(...found);
    }
  }
  for (const bench of BENCHES) {
    if (bench.onAll === undefined || !wanted(bench)) continue;
    note(bench.name);
    results.push(...(await bench.onAll(homes, options)));
  }
} finally {
  note("");
  if (!options.keep) dropHomes();
}

const missed = results.filter((result) => holds(result) === false).length;
if (options.json) {
  const lines = results.map((result) => ({ ...result, holds: holds(result) ?? null }));
  process.stdout.write(`${JSON.stringify({ node: process.version, lines }, null, 2)}\n`);
} else {
  process.stdout.write(table(results));
  process.stdout.write(
    `${missed === 0 ? "every budget holds" : `${missed} missed`}; both sides in one run, turn by turn, medians\n`,
  );
}
