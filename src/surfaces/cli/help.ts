// Help texts: an overview, and one page per command.
import type { Command } from "./command.ts";
import { SUMMARIES } from "./commands.ts";

export function overview(): string {
  const width = Math.max(...Object.keys(SUMMARIES).map((name) => name.length));
  const rows = Object.entries(SUMMARIES).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return `pdpp: your data, and one small gate to it.

usage: pdpp COMMAND [options]

${rows.join("\n")}

Options of every command:
  --home DIR     the home ($PDPP_HOME, else ~/.postern)
  --server URL   work on a running server instead, with --token, $PDPP_ACCESS_TOKEN or
                 what \`pdpp connect\` stored; commands that look after a home take none
  $DATABASE_URL  a PostgreSQL instead of a home; $PDPP_OWNER: whose data, where it has several
  --json         machine-readable output
  --help         help with examples; also: pdpp help COMMAND
  --version      on its own: which pdpp this is

Exit codes: 0 ok, 1 error, 2 usage, 3 not authorized, 4 input needed, 5 not found, 6 conflict, 7 partial.
Try: pdpp serve --demo
`;
}

export function commandHelp(name: string, command: Command): string {
  const examples = command.examples.map((example) => `  ${example}`).join("\n");
  return `pdpp ${name}: ${command.summary}

usage: ${command.usage}
${command.details === undefined ? "" : `\n${command.details}\n`}
Also: ${alsoTakes(command)}

Examples:
${examples}
`;
}

function alsoTakes({ local, remote }: Command): string {
  if (remote) return "--json";
  return local ? "--home DIR, --json" : "--home DIR, --server URL, --token TOKEN, --json";
}
