// A command's arguments into values: strict, with one kindness more than node:util has.
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { COMMON_OPTIONS, type Command, type Values } from "./command.ts";

export function parseCommand(
  command: Pick<Command, "options">,
  args: readonly string[],
): { values: Values; positionals: string[] } {
  const options = { ...COMMON_OPTIONS, ...command.options };
  const { values, positionals } = parseArgs({ args: joined(args, options), options, allowPositionals: true });
  return { values: values as Values, positionals };
}

/** `--sort -sent_at` means what it says: a value may begin with one dash. */
function joined(args: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const whole: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const next = args[index + 1];
    if (word === "--") return [...whole, ...args.slice(index)];
    const takesValue = word.startsWith("--") && options[word.slice(2)]?.type === "string";
    if (takesValue && next !== undefined && /^-[^-]/.test(next)) {
      whole.push(`${word}=${next}`);
      index++;
    } else whole.push(word);
  }
  return whole;
}
