// npm run smoke -- URL: runs each step of the ladder on a deployed server with a grant's token. Arguments are passed to
// test/smoke/run.ts.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("test/smoke/run.ts", process.argv.slice(2));
