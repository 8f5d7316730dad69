// Zsh completion.
import type { DescribedCommand, DescribedOption } from "./described-commands.ts";

export function zshCompletion(commands: readonly DescribedCommand[]): string {
  const all = commands.map(({ name, command }) => `    ${quoted(`${name}:${plain(command.summary)}`)}\n`);
  const each = commands.map(({ name, command, options }) => {
    const actions = (command.actions ?? []).join(" ");
    const first = actions === "" ? "'*:file:_files'" : `'1:action:(${actions})' '*:argument:_files'`;
    return `    ${name}) _arguments ${options.map(argument).join(" ")} ${first} ;;\n`;
  });
  return `#compdef pdpp
# pdpp completion for zsh. Load it with: source <(pdpp completion zsh)
_pdpp() {
  local -a commands
  commands=(
${all.join("")}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
${each.join("")}  esac
}
compdef _pdpp pdpp
`;
}

function argument({ name, type, multiple, about, value, choices, isPath }: DescribedOption): string {
  const label = `${multiple ? "*" : ""}--${name}[${about.replaceAll(/[[\]]/g, "")}]`;
  if (type === "boolean") return quoted(label);
  const action = isPath ? "_files" : choices.length > 0 ? `(${choices.join(" ")})` : " ";
  return quoted(`${label}:${plain(value ?? "value")}:${action}`);
}

const plain = (text: string): string => text.replaceAll(":", " -");
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
