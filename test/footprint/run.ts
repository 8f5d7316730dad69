// Prints the size of definitions and results for an agent. --write updates docs/build/footprint.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoExports } from "../../src/demo/demo.ts";
import {
  definitionTable,
  resultCosts,
  resultTable,
  shellDefinitionTable,
  shellResultCosts,
  shellResultTable,
} from "./measure.ts";

const home = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
const disk = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
try {
  const page = `# Footprint of the gate

<!-- not run: a script of the repository -->
\`\`\`sh
npm run footprint              # prints this page
npm run footprint -- --write   # and saves it here
\`\`\`

Bytes are those of compact JSON, tokens those of o200k. A host shows its model one half of a result or both. "Before" is the
cost when each half had its own budget and repeated the values that its records have in common.

## Definitions

A model reads these once per conversation. \`npm test\` fails when a figure here is out of date.

${definitionTable()}

## Results

On the demo home (${demoExports().length} connections), under a grant for everything. The budget is for both halves together.

${resultTable(await resultCosts(home))}

## The files lens

Nine tools at \`/files/mcp\`, on a generated disk of 500 files. Links are relative to one \`base\` in each answer.

${shellDefinitionTable()}

${shellResultTable(await shellResultCosts(disk))}
`;
  process.stdout.write(page);
  if (process.argv.includes("--write")) writeFileSync(new URL("../../docs/build/footprint.md", import.meta.url), page);
} finally {
  for (const folder of [home, disk]) rmSync(folder, { recursive: true, force: true });
}
