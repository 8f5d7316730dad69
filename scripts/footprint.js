// npm run footprint: measures what the MCP tools cost an agent in bytes and tokens; `-- --write` records it in
// docs/build/footprint.md.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("test/footprint/run.ts", process.argv.slice(2));
