// npm run footprint: what the gate costs an agent, in bytes and tokens; `-- --write` pins it in docs/build/footprint.md.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("test/footprint/run.ts", process.argv.slice(2));
