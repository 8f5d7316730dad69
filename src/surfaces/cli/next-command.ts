// Builds the exact command to run next, quoted for a shell, so that people always see how to continue.
import { quote } from "../../core/shell-quote.ts";
import type { CommandContext, OptionValues } from "./command.ts";

/** The home or server is repeated as typed. A token is never printed. */
const PLACE = ["home", "server"] as const;

export function nextCommand(
  { values }: Pick<CommandContext, "values">,
  words: readonly string[],
  options: OptionValues = {},
): string {
  const given: OptionValues = { ...options };
  for (const name of PLACE) given[name] = values[name];
  if (values.token !== undefined) given.token = "TOKEN";
  const flags = Object.entries(given).flatMap(([name, value]) => [value].flat().flatMap((item) => flag(name, item)));
  // A positional argument that looks like an option comes after "--".
  const positionals = words.slice(1).some((word) => word.startsWith("-"))
    ? { before: [], after: ["--", ...words.slice(1)] }
    : { before: words.slice(1), after: [] };
  return ["pdpp", words[0]!, ...positionals.before.map(quote), ...flags, ...positionals.after.map(quote)].join(" ");
}

/** Returns the same command with some options changed. */
export function sameCommand(context: CommandContext, name: string, changed: OptionValues): string {
  const { json: _json, help: _help, ...values } = context.values;
  return nextCommand(context, [name, ...context.positionals], { ...values, ...changed });
}

/** Adds the given home or server to commands inside an engine message. */
export function withGivenPlace({ values }: Pick<CommandContext, "values">, sentence: string): string {
  const place = PLACE.flatMap((name) => flag(name, values[name] as string | undefined)).join(" ");
  return place === ""
    ? sentence
    : sentence.replace(/`(pdpp [^`]+)`/g, (_whole, command: string) => `\`${command} ${place}\``);
}

function flag(name: string, value: string | boolean | undefined): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  return value.startsWith("-") || value === "" ? [quote(`--${name}=${value}`)] : [`--${name}`, quote(value)];
}
