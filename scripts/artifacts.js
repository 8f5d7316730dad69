// npm run artifacts: generates the files for registries, bundles and agents from the sources. Arguments are passed to
// src/publish/run.ts.
import { become, ensureBuilt, ensureInstalled } from "./checkout.js";

ensureInstalled();
ensureBuilt();
become("src/publish/run.ts", process.argv.slice(2));
