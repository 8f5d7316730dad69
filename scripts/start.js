// npm start: installs and builds what is missing, then serves. Arguments are passed to `pdpp serve`.
import { become, ensureBuilt, ensureInstalled, say } from "./checkout.js";

const args = process.argv.slice(2);
ensureInstalled();
ensureBuilt();
if (args.length === 0) {
  say(
    `serving ${process.env.PDPP_HOME ?? "~/.postern"}; \`npm start -- --demo --home DIR\` serves invented data instead`,
  );
}
become("bin/pdpp.js", ["serve", ...args]);
