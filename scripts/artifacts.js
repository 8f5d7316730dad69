// npm run artifacts: generates what registries, bundles and agents need from the sources. Arguments go to
// src/publish/run.ts.
import { become, ensureBuilt, ensureInstalled } from "./checkout.js";

ensureInstalled();
ensureBuilt();
become("src/publish/run.ts", process.argv.slice(2));
