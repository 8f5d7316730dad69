// The text of docs/build/footprint.md, with tables of results as they were measured.
import { demoExports } from "../../src/demo/demo.ts";
import { definitionTable, shellDefinitionTable } from "./measure.ts";

export const footprintPage = (results: string, shellResults: string): string => `# Footprint of the MCP tools

<!-- not run: \`test/footprint/footprint.test.ts\` runs it -->
\`\`\`sh
npm run footprint              # prints this page
npm run footprint -- --write   # and saves it here
\`\`\`

Bytes are counted in compact JSON, and tokens with o200k. A host shows its model one half of a result or both. "Before" is the
cost at the time when each half had its own budget and repeated the values that its records have in common.

## Definitions

A model reads the definitions once per conversation. \`npm test\` fails if a figure here is out of date.

${definitionTable()}

## Results

These were measured on the demo home (${demoExports().length} connections), under a grant for everything. The budget is for both halves together.

${results}

## The files lens

The nine tools at \`/files/mcp\` were measured on a generated disk with 500 files. Links are relative to one \`base\` in each result.

${shellDefinitionTable()}

${shellResults}
`;
