// npm run site: a static site of README and docs. Arguments go to site/build.ts.
import { become, ensureInstalled } from "./checkout.js";

ensureInstalled();
become("site/build.ts", process.argv.slice(2));
