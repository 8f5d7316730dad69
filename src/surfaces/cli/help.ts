// Help texts: an overview, and one page per command.
import type { Command, CommandOption } from "./command.ts";
import { SUMMARIES } from "./commands.ts";
import { optionsOf } from "./parse.ts";

export const EXIT_CODES =
  "0 ok, 1 error, 2 usage, 3 not authorized, 4 input needed, 5 not found, 6 conflict, 7 partial.";

export const GENERAL_OPTIONS = `  --home DIR     the home ($PDPP_HOME, otherwise ~/.postern)
  --server URL   use a running server instead of a home, with --token, $PDPP_ACCESS_TOKEN or
                 the token that \`pdpp connect\` stored; not for commands that manage a home
  $DATABASE_URL  a PostgreSQL database instead of a home; $PDPP_OWNER selects the owner if it has several
  --json         machine-readable output
  --help         help with examples; also: pdpp help COMMAND`;

/** If a label is wider than this, its explanation starts on the next line. */
const LABEL_MAX = 30;
const LINE_MAX = 110;

export function overview(): string {
  const width = Math.max(...Object.keys(SUMMARIES).map((name) => name.length));
  const rows = Object.entries(SUMMARIES).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return `pdpp: your data, and control over which apps may read it.

usage: pdpp COMMAND [options]

${rows.join("\n")}

Options for every command:
${GENERAL_OPTIONS}

Exit codes: ${EXIT_CODES}
Try: pdpp serve --demo
`;
}

export function commandHelp(name: string, command: Command): string {
  const examples = command.examples.map((example) => `  ${example}`).join("\n");
  return `pdpp ${name}: ${command.summary}

usage: ${command.usage}
${command.details === undefined ? "" : `\n${command.details}\n`}
Options:
${optionLines(command)}
Examples:
${examples}
`;
}

/** Lists the command's own options first, then the common ones. */
function optionLines(command: Command): string {
  const all = Object.entries(optionsOf(command));
  const own = all.filter(([option]) => Object.hasOwn(command.options, option));
  const common = all.filter(([option]) => !Object.hasOwn(command.options, option));
  const labels = new Map([...own, ...common].map(([option, definition]) => [label(option, definition), definition]));
  const width = Math.min(LABEL_MAX, Math.max(...[...labels.keys()].map((text) => text.length)));
  const indent = " ".repeat(width + 4);
  return [...labels]
    .map(([text, { about, multiple }]) => {
      const lines = wrapped(
        `${about}${multiple && !/repeat/.test(about) ? "; can be repeated" : ""}`,
        LINE_MAX - indent.length,
      );
      const first = text.length > width ? `  ${text}\n${indent}` : `  ${text.padEnd(width)}  `;
      return `${first}${lines.join(`\n${indent}`)}\n`;
    })
    .join("");
}

const label = (option: string, { short, value }: CommandOption): string =>
  `--${option}${short === undefined ? "" : `, -${short}`}${value === undefined ? "" : ` ${value}`}`;

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
