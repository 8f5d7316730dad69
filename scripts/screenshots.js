// npm run screenshots: pictures of every page of the dashboard into docs/screenshots. Arguments go to test/browser/screenshots.ts.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("test/browser/screenshots.ts", process.argv.slice(2));
