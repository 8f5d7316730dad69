// npm run bench: the benchmarks, as ratios measured in one run. Arguments go to bench/run.ts.
import { become, ensureBuilt, ensureInstalled } from "./checkout.js";

ensureInstalled();
ensureBuilt();
become("bench/run.ts", process.argv.slice(2));
