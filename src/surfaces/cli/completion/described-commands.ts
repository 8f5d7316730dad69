// Every command with its options and actions as plain data, from which help, completion and the man page are generated.
import type { Command, CommandOption } from "../command.ts";
import { COMMANDS, type CommandName } from "../commands.ts";
import { optionsOf } from "../parse.ts";

export interface DescribedCommand {
  name: string;
  command: Command;
  options: DescribedOption[];
}

export interface DescribedOption extends CommandOption {
  name: string;
  /** Allowed values, if there are only a few. */
  choices: string[];
  isPath: boolean;
}

const PATHS = new Set(["FILE", "DIR", "NEW", "PATH", "PLACE"]);

export async function describedCommands(): Promise<DescribedCommand[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => describe(name as CommandName, (await load()) as Command)),
  );
}

function describe(name: CommandName, command: Command): DescribedCommand {
  const options = Object.entries(optionsOf(command)).map(([option, definition]) => ({
    ...definition,
    name: option,
    choices: choicesIn(definition.value),
    isPath: PATHS.has(definition.value ?? ""),
  }));
  return { name, command, options };
}

/** `asc|desc` is a list of choices; `ID|NAME` is not. */
const choicesIn = (value: string | undefined): string[] =>
  value !== undefined && /^[a-z]+(\|[a-z]+)+$/.test(value) ? value.split("|") : [];
