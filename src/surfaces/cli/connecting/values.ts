// Settings and secrets for a command. Settings are arguments; secrets come from a file, standard input or the terminal.
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { ConnectorSetting, Settings } from "../../../contract/connector.ts";
import { settingFrom } from "../../../core/connector-check.ts";
import { InputNeeded, type OptionValues, UsageError } from "../command.ts";
import { askHidden } from "../hidden-prompt.ts";
import { answered } from "../prompt.ts";

export const atTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Parses `--set k=v`, which can be repeated. */
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

/** Every process on the machine can see a command's arguments, and they stay in the shell history. */
export const secretInWords = (name: string): UsageError =>
  new UsageError(
    `${name} is a secret: pass it with --secret-file ${name}=FILE (or ${name}=- for standard input), or type it when asked`,
  );

const known = (defined: readonly ConnectorSetting[]): string =>
  defined.length === 0 ? "it has no settings" : `it has ${defined.map(({ name }) => name).join(", ")}`;

/** Reads `--secret-file k=FILE`. The trailing newline that editors add is removed. */
export async function givenSecrets(values: OptionValues): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const [name, file] of givenPairs(values, "secret-file")) {
    const content = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8");
    secrets[name] = content.replace(/\r?\n$/, "");
  }
  return secrets;
}

/** Asks for missing required values if there is a terminal. */
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
          ? `Pass it with --secret-file ${name}=FILE (or ${name}=- for standard input).`
          : `Pass it with --set ${name}=VALUE.`,
      );
    const question = description === undefined ? title : `${title} (${description})`;
    if (secret) secrets[name] = await askHidden(question);
    else settings[name] = settingFrom(setting, await answered(`${question}:`));
  }
}

/** Offers to store optional secrets. If they are not stored, the connector asks for them when it runs. */
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
