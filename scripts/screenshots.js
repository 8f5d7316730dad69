// npm run screenshots: saves pictures of every dashboard page to docs/screenshots. Arguments are passed to
// test/browser/screenshots.ts.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("test/browser/screenshots.ts", process.argv.slice(2));
