// Parses a command's arguments strictly, with plain errors. Unlike node:util, it accepts values that begin with a dash.
import { parseArgs } from "node:util";
import { nearest } from "../../core/nearest.ts";
import {
  COMMON_OPTIONS,
  type Command,
  type CommandOptions,
  type OptionValues,
  SERVER_OPTIONS,
  UsageError,
} from "./command.ts";

export function parseCommand(
  command: Pick<Command, "options" | "local" | "remote" | "dashedWords">,
  args: readonly string[],
): { values: OptionValues; positionals: string[] } {
  const options = optionsOf(command);
  const parsed = parseArgs({
    args: joined(args, options).map((word) =>
      command.dashedWords && isDashed(word, options) ? `${MARK}${word}` : word,
    ),
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw unknownOption(name, rawName, options, command);
    if (option.type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
    if (option.type === "string" && (value === undefined || (!inlineValue && value.startsWith("--"))))
      throw new UsageError(`${rawName} needs a value`);
    if (option.type === "string" && !option.multiple && seen.has(name))
      throw new UsageError(`--${name} is given twice; it takes one value`);
    seen.add(name);
  }
  const positionals = parsed.positionals.map((word) => (word.startsWith(MARK) ? word.slice(MARK.length) : word));
  return { values: parsed.values as OptionValues, positionals };
}

/** Stops node:util from parsing a word as options. No argument can contain this character. */
const MARK = "\0";

function isDashed(word: string, options: CommandOptions): boolean {
  const isShort = Object.values(options).some(({ short }) => short !== undefined && word === `-${short}`);
  return /^-[^-]/.test(word) && !isShort;
}

export function optionsOf({ options, local, remote }: Pick<Command, "options" | "local" | "remote">): CommandOptions {
  const { home, ...everywhere } = COMMON_OPTIONS;
  if (remote) return { ...everywhere, ...options };
  return { home: home!, ...everywhere, ...(local ? {} : SERVER_OPTIONS), ...options };
}

function unknownOption(
  name: string,
  rawName: string,
  options: CommandOptions,
  { remote }: Pick<Command, "remote">,
): UsageError {
  if (remote && (name === "server" || name === "home"))
    return new UsageError(`this command takes no --${name}: specify the server as an argument`);
  if (Object.hasOwn(SERVER_OPTIONS, name))
    return new UsageError(`--${name} is for commands that read a running server; this one works on a home`);
  const meant = nearest(name, Object.keys(options));
  return new UsageError(`there is no option ${rawName}${meant === undefined ? "" : `; did you mean --${meant}?`}`);
}

/** Accepts a value that begins with one dash, as in `--sort -sent_at`. */
function joined(args: readonly string[], options: CommandOptions): string[] {
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
