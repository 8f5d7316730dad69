// npm run soak -- NAME [ARGUMENTS…]: runs the long form of a property test, test/soak/NAME.ts.
import { become, ensureBuilt, ensureInstalled, fail, filesIn } from "./checkout.js";

const [name, ...args] = process.argv.slice(2);
const names = filesIn("test/soak").flatMap((path) => /^test\/soak\/([^/]+)\.ts$/.exec(path)?.[1] ?? []);
if (!names.includes(name))
  fail(`npm run soak -- NAME [ARGUMENTS…], where NAME is one of: ${names.join(", ") || "none yet"}`);
ensureInstalled();
ensureBuilt();
become(`test/soak/${name}.ts`, args);
