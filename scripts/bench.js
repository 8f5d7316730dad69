// npm run bench: runs the benchmarks, which report ratios measured in one run. Arguments are passed to bench/run.ts.
import { become, ensureBuilt, ensureInstalled } from "./checkout.js";

ensureInstalled();
ensureBuilt();
become("bench/run.ts", process.argv.slice(2));
