// Edits a settings file of any format for `pdpp setup`. One entry is written or removed; everything else stays
// unchanged.
import { isDeepStrictEqual } from "node:util";
import type { ClientSetup } from "../../../contract/client-setups.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";

/** Edits work on the text, so that comments, order and spacing are kept. */
export interface SettingsFormat {
  /** Throws if the text is not in this format. An empty text is an empty object. */
  parse(text: string): JsonObject;
  put(text: string, under: string, name: string, entry: JsonObject): string;
  /** Called only if the entry exists. */
  remove(text: string, under: string, name: string): string;
}

/** Loads only the parser that is needed. */
const FORMATS: Record<ClientSetup["format"], () => Promise<SettingsFormat>> = {
  json: () => import("./json-settings.ts").then((module) => module.jsonSettings),
  toml: () => import("./toml-settings.ts").then((module) => module.tomlSettings),
  yaml: () => import("./yaml-settings.ts").then((module) => module.yamlSettings),
};

export const settingsFormat = (name: ClientSetup["format"]): Promise<SettingsFormat> => FORMATS[name]();

/** Thrown if an edit would change or lose something else. */
export class UnsafeEdit extends Error {}

export function entryOf(settings: JsonObject, under: string, name: string): JsonValue | undefined {
  const servers = settings[under];
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/**
 * Returns the text with or without this entry. The result is parsed again: except for the entry, it must mean the same
 * as before.
 */
export function withEntry(
  format: SettingsFormat,
  text: string,
  { under, name }: { under: string; name: string },
  entry: JsonObject | undefined,
): string {
  const before = format.parse(text);
  const present = entryOf(before, under, name);
  if (isDeepStrictEqual(present, entry)) return text;
  if (before[under] !== undefined && before[under] !== null && !isObject(before[under]))
    throw new UnsafeEdit(`its ${under} is not a list of servers by name`);
  const edited = entry === undefined ? format.remove(text, under, name) : format.put(text, under, name, entry);
  const after = parsed(format, edited);
  if (!isDeepStrictEqual(entryOf(after, under, name), entry) || !sameRest(before, after, under, name))
    throw new UnsafeEdit(
      `because of the way its ${under} is written, it cannot be edited without changing something else`,
    );
  return edited;
}

function parsed(format: SettingsFormat, text: string): JsonObject {
  try {
    return format.parse(text);
  } catch {
    throw new UnsafeEdit("the edit would leave a file that cannot be read");
  }
}

function sameRest(before: JsonObject, after: JsonObject, under: string, name: string): boolean {
  const rest = (settings: JsonObject): JsonObject => {
    const { [under]: servers, ...others } = settings;
    const { [name]: _entry, ...neighbours } = isObject(servers) ? servers : {};
    return { ...others, [under]: neighbours };
  };
  return isDeepStrictEqual(rest(before), rest(after));
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
