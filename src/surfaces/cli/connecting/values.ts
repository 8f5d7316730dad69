// Settings and secrets of a command: settings as arguments, secrets from a file, standard input or the terminal.
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { ConnectorSetting, Settings } from "../../../contract/connector.ts";
import { settingFrom } from "../../../core/connector-check.ts";
import { InputNeeded, type OptionValues, UsageError } from "../command.ts";
import { askHidden } from "../hidden-prompt.ts";
import { answered } from "../prompt.ts";

export const atTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** `--set k=v`, repeatable. */
export function givenPairs(values: OptionValues, option: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const item of [values[option] ?? []].flat()) {
    const at = String(item).indexOf("=");
    if (at < 1)
      throw new UsageError(
        `--${option} must be NAME=${option === "set" ? "VALUE" : "FILE"}, not ${JSON.stringify(item)}`,
      );
    pairs.set(String(item).slice(0, at), String(item).slice(at + 1));
  }
  return pairs;
}

export function givenSettings(defined: readonly ConnectorSetting[], values: OptionValues): Settings {
  const settings: Settings = {};
  for (const [name, value] of givenPairs(values, "set")) {
    const setting = defined.find((one) => one.name === name);
    if (setting === undefined) throw new UsageError(`there is no setting ${JSON.stringify(name)}; ${known(defined)}`);
    if (setting.secret) throw secretInWords(name);
    settings[name] = settingFrom(setting, value);
  }
  return settings;
}

/** Every process of the machine can see the arguments of a command, and they stay in the shell's history. */
export const secretInWords = (name: string): UsageError =>
  new UsageError(
    `${name} is a secret: give it with --secret-file ${name}=FILE (or ${name}=- for standard input), or type it when asked`,
  );

const known = (defined: readonly ConnectorSetting[]): string =>
  defined.length === 0 ? "it has none" : `it has ${defined.map(({ name }) => name).join(", ")}`;

/** `--secret-file k=FILE`; the trailing newline of editors is not part of it. */
export async function givenSecrets(values: OptionValues): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const [name, file] of givenPairs(values, "secret-file")) {
    const content = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8");
    secrets[name] = content.replace(/\r?\n$/, "");
  }
  return secrets;
}

/** Missing required values are asked for, if there is a terminal. */
export async function askForMissing(
  missing: readonly ConnectorSetting[],
  { settings, secrets }: { settings: Settings; secrets: Record<string, string> },
): Promise<void> {
  for (const setting of missing) {
    const { name, title, description, secret } = setting;
    if (!atTerminal())
      throw new InputNeeded(
        `${name} is required: ${title}`,
        secret
          ? `Give it with --secret-file ${name}=FILE (or ${name}=- for standard input).`
          : `Give it with --set ${name}=VALUE.`,
      );
    const question = description === undefined ? title : `${title} (${description})`;
    if (secret) secrets[name] = await askHidden(question);
    else settings[name] = settingFrom(setting, await answered(`${question}:`));
  }
}

/** Secrets that need not be stored: the connector asks for them when it runs. At a terminal they can be given now. */
export async function offerSecrets(
  defined: readonly ConnectorSetting[],
  secrets: Record<string, string>,
): Promise<void> {
  const open = defined.filter(({ secret, required }) => secret && !required);
  if (!atTerminal() || open.some(({ name }) => secrets[name] !== undefined)) return;
  for (const { name, title } of open) {
    const value = await askHidden(`${title} (press Return to clear it)`);
    if (value !== "") secrets[name] = value;
  }
}
