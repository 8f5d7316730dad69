// Bash completion.
import type { DescribedCommand, DescribedOption } from "./described-commands.ts";

export function bashCompletion(commands: readonly DescribedCommand[]): string {
  const values = commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option)));
  const each = commands.map(
    ({ name, command, options }) =>
      `    ${name}) options="${options.map((option) => `--${option.name}`).join(" ")}"; actions="${(command.actions ?? []).join(" ")}" ;;\n`,
  );
  return `# pdpp completion for bash. Load it with: source <(pdpp completion bash)
_pdpp() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" options="" actions=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "help ${commands.map(({ name }) => name).join(" ")}" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
${values.join("")}  esac
  case "\${COMP_WORDS[1]}" in
    help) ((COMP_CWORD == 2)) && actions="${commands.map(({ name }) => name).join(" ")}" ;;
${each.join("")}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif ((COMP_CWORD == 2)) && [[ -n $actions ]]; then
    COMPREPLY=($(compgen -W "$actions" -- "$cur"))
  fi
}
complete -o default -F _pdpp pdpp
`;
}

/** Completes the value of an option: one of its choices, a file, or nothing if the values are unknown. */
function valueCase(command: string, { name, type, choices, isPath }: DescribedOption): string[] {
  if (type === "boolean") return [];
  const words = isPath ? "" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); `;
  return [`    "${command} --${name}") ${words}return ;;\n`];
}
