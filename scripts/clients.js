// npm run clients: runs real MCP clients from npm against a real server on loopback. Arguments are passed to
// test/clients/run.ts.
import { become, ensureBuilt, ensureInstalled } from "./checkout.js";

ensureInstalled();
ensureBuilt();
become("test/clients/run.ts", process.argv.slice(2));
