// npm run lint: checks format, lint rules, types, unused code and whitespace. `-- --fix` repairs what it can.
import { ensureInstalled } from "./checkout.js";
import { runChecks } from "./checks.js";

ensureInstalled();
const { failed } = runChecks({ fix: process.argv.includes("--fix") });
if (failed.length > 0) process.exit(1);
