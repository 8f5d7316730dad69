// npm run site: builds a static site from README and docs. Arguments are passed to site/build.ts.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("site/build.ts", process.argv.slice(2));
