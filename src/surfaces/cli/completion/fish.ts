// Fish completion.
import type { DescribedCommand, DescribedOption } from "./described-commands.ts";

export function fishCompletion(commands: readonly DescribedCommand[]): string {
  const lines = commands.flatMap(({ name, command, options }) => [
    `complete -c pdpp -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`,
    ...(command.actions ?? []).map((action) => `complete -c pdpp -n ${quoted(`__pdpp_first ${name}`)} -f -a ${action}`),
    ...options.map((option) => optionLine(name, option)),
  ]);
  return `# pdpp completion for fish. Load it with: pdpp completion fish | source
function __pdpp_first
    set -l words (commandline -opc)
    test (count $words) -eq 2; and test $words[2] = $argv[1]
end
complete -c pdpp -n __fish_use_subcommand -f -a help -d 'help on a command'
${lines.join("\n")}
`;
}

function optionLine(command: string, { name, short, type, about, choices, isPath }: DescribedOption): string {
  const value =
    type === "boolean" ? "" : isPath ? " -r -F" : ` -x${choices.length > 0 ? ` -a '${choices.join(" ")}'` : ""}`;
  const letter = short === undefined ? "" : ` -s ${short}`;
  return `complete -c pdpp -n ${quoted(`__fish_seen_subcommand_from ${command}`)} -l ${name}${letter}${value} -d ${quoted(about)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
