// Checks a connector manifest and its settings; errors say where the problem is.
import { z } from "zod";
import {
  type ConnectorManifest,
  type ConnectorSetting,
  connectorManifest,
  type Settings,
  type SettingValue,
} from "../contract/connector.ts";
import { PdppError } from "../contract/errors.ts";
import { firstIssue } from "../contract/issue.ts";
import { parseDeclaration } from "./declaration-check.ts";

export function parseManifest(input: unknown): ConnectorManifest {
  const parsed = connectorManifest.safeParse(input);
  if (!parsed.success) {
    const issue = firstIssue(parsed.error);
    throw invalid(z.core.toDotPath(issue.path) || "connector.json", issue.message);
  }
  const manifest = parsed.data;
  parseDeclaration(manifest.declaration);
  checkSettingNames(manifest.settings ?? []);
  checkCheckpoints(manifest);
  return manifest;
}

function checkSettingNames(settings: readonly ConnectorSetting[]): void {
  const names = new Set<string>();
  for (const [index, setting] of settings.entries()) {
    const at = `settings[${index}]`;
    if (names.has(setting.name)) throw invalid(at, `${setting.name} is given twice`);
    names.add(setting.name);
    if (setting.secret && setting.type !== "string") throw invalid(at, "a secret must be a string");
    if (setting.secret && setting.default !== undefined) throw invalid(at, "a secret cannot have a default");
    if (setting.default !== undefined && !fits(setting, setting.default))
      throw invalid(`${at}.default`, `the default is not of type ${setting.type}`);
  }
}

function checkCheckpoints({ checkpoints = {}, declaration }: ConnectorManifest): void {
  const streams = new Set(declaration.streams.map(({ name }) => name));
  const known = (name: string): void => {
    if (!streams.has(name)) throw invalid("checkpoints", `the declaration has no stream ${JSON.stringify(name)}`);
  };
  for (const [stream, { after }] of Object.entries(checkpoints)) for (const name of [stream, ...after]) known(name);
  const cycle = cycleIn(checkpoints);
  if (cycle !== undefined) throw invalid("checkpoints", `no order satisfies ${cycle.join(" → ")}`);
}

/** Returns streams that wait for each other in a cycle, with the first one repeated at the end. */
function cycleIn(checkpoints: NonNullable<ConnectorManifest["checkpoints"]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (stream: string, path: readonly string[]): string[] | undefined => {
    const from = path.indexOf(stream);
    if (from !== -1) return [...path.slice(from), stream];
    if (done.has(stream)) return undefined;
    for (const next of checkpoints[stream]?.after ?? []) {
      const found = walk(next, [...path, stream]);
      if (found !== undefined) return found;
    }
    done.add(stream);
    return undefined;
  };
  for (const stream of Object.keys(checkpoints)) {
    const found = walk(stream, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

const fits = ({ type }: ConnectorSetting, value: SettingValue): boolean =>
  type === "integer" ? Number.isInteger(value) : typeof value === type;

const isEmpty = (value: SettingValue | undefined): boolean => value === undefined || value === "";

/** Checks that settings other than secrets have known names and correct types. */
export function checkSettings(defined: readonly ConnectorSetting[], given: Settings): void {
  for (const [name, value] of Object.entries(given)) {
    const setting = defined.find((one) => one.name === name && !one.secret);
    if (setting === undefined) throw unknownSetting(defined, name, false);
    if (!fits(setting, value))
      throw new PdppError("invalid_request", `${name} must be of type ${setting.type}, not ${JSON.stringify(value)}`, {
        param: `settings.${name}`,
      });
  }
}

export function checkSecretNames(defined: readonly ConnectorSetting[], given: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(given))
    if (!defined.some((one) => one.name === name && one.secret)) throw unknownSetting(defined, name, true);
}

function unknownSetting(defined: readonly ConnectorSetting[], name: string, secret: boolean): PdppError {
  const other = defined.some((one) => one.name === name);
  const kind = secret ? "secret" : "setting";
  const known = defined.filter((one) => one.secret === (secret || undefined)).map((one) => one.name);
  const message = other
    ? `${name} is ${secret ? "not a secret: pass it with the settings" : "a secret: pass it separately"}`
    : `the connector has no ${kind} ${JSON.stringify(name)}`;
  return new PdppError("invalid_request", message, {
    param: `${kind}s.${name}`,
    next_step: known.length === 0 ? `It has no ${kind}s.` : `Its ${kind}s: ${known.join(", ")}.`,
  });
}

/** Returns the settings, with defaults for the missing ones. */
export const withDefaults = (defined: readonly ConnectorSetting[], given: Settings): Settings => ({
  ...Object.fromEntries(
    defined.flatMap(({ name, default: usual }): [string, SettingValue][] =>
      usual === undefined ? [] : [[name, usual]],
    ),
  ),
  ...given,
});

/** Returns the required settings that have no value. */
export function missingSettings(
  defined: readonly ConnectorSetting[],
  given: Settings,
  secrets: readonly string[],
): ConnectorSetting[] {
  const complete = withDefaults(defined, given);
  return defined.filter(
    ({ name, required, secret }) => required && (secret ? !secrets.includes(name) : isEmpty(complete[name])),
  );
}

/** Parses a setting from text that a person entered. */
export function settingFrom(setting: ConnectorSetting, text: string): SettingValue {
  if (setting.type === "string") return text;
  const value =
    setting.type === "boolean" ? BOOLEANS[text.toLowerCase()] : /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (value === undefined)
    throw new PdppError(
      "invalid_request",
      `${setting.name} must be ${setting.type === "boolean" ? "true or false" : "a whole number"}, not ${JSON.stringify(text)}`,
      {
        param: setting.name,
      },
    );
  return value;
}

const BOOLEANS: Record<string, boolean | undefined> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

function invalid(at: string, message: string): PdppError {
  return new PdppError("invalid_declaration", `${at}: ${message}`, {
    param: at,
    next_step: "Correct it in connector.json; `pdpp connectors test PATH` checks the whole connector.",
  });
}
