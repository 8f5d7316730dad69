// npm run lint: checks format, lint rules, types, unused code and whitespace. `-- --fix` repairs what it can.
import { ensureInstalled } from "./checkout.js";
import { runChecks } from "./checks.js";

ensureInstalled();
const result = runChecks({ fix: process.argv.includes("--fix") });
if (result.failed.length > 0) process.exitCode = 1;
// npm test runs this file alongside the tests.
if (process.connected) process.send(result, () => process.disconnect());
