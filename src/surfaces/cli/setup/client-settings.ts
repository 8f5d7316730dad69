// An app's settings file on this machine: finds it, reads it, and writes it in one step, with a copy of the previous
// content.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, parse as parsePath } from "node:path";
import type { ClientSetup, Gate, Machine } from "../../../contract/client-setups.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { entryOf, type SettingsFormat, settingsFormat, UnsafeEdit, withEntry } from "./settings-format.ts";

export interface ClientSettings {
  path: string;
  format: SettingsFormat;
  /** undefined if there is no file. */
  text: string | undefined;
  settings: JsonObject;
}

/** An app is installed if one of its commands is on the PATH, or if its settings file or folder exists. */
export function isInstalled(client: ClientSetup, machine: Machine): boolean {
  const folders = (machine.env.PATH ?? machine.env.Path ?? "").split(machine.platform === "win32" ? ";" : ":");
  const endings = machine.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  const onPath = client.programs.some((program) =>
    folders.some((folder) => folder !== "" && endings.some((ending) => existsSync(join(folder, program + ending)))),
  );
  const file = fileOf(client, machine);
  return onPath || existsSync(file) || (dirname(file) !== machine.home && existsSync(dirname(file)));
}

export function fileOf(client: ClientSetup, machine: Machine): string {
  const files = client.files(machine);
  return files.find((file) => existsSync(file)) ?? files[0]!;
}

export async function readSettings(client: ClientSetup, machine: Machine): Promise<ClientSettings> {
  const path = fileOf(client, machine);
  const format = await settingsFormat(client.format);
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  try {
    return { path, format, text, settings: format.parse(text ?? "") };
  } catch (error) {
    throw new PdppError("store_unavailable", `${path} cannot be read: ${(error as Error).message.split("\n")[0]}`, {
      next_step: "Nothing was written. Correct the file, then try again.",
    });
  }
}

export const presentEntry = (
  { settings }: ClientSettings,
  { under }: ClientSetup,
  { name }: Gate,
): JsonValue | undefined => entryOf(settings, under, name);

/** Returns the file's text with this entry. */
export function textWith(at: ClientSettings, { under }: ClientSetup, { name }: Gate, entry: JsonObject): string {
  return safely(at, () => withEntry(at.format, at.text ?? "", { under, name }, entry));
}

/**
 * Returns the file's text without the entry, or undefined if the file should be removed. If nothing else changed since
 * the entry was written, this is the earlier copy, byte for byte. Otherwise only the entry is removed.
 */
export function textWithout(at: ClientSettings, { under }: ClientSetup, { name }: Gate): string | undefined {
  const entry = entryOf(at.settings, under, name) as JsonObject;
  const backup = backupOf(at.path, name);
  const before = existsSync(backup) ? readFileSync(backup, "utf8") : "";
  const wasPut = (): boolean => {
    try {
      return withEntry(at.format, before, { under, name }, entry) === at.text;
    } catch {
      return false;
    }
  };
  if (wasPut()) return existsSync(backup) ? before : undefined;
  return safely(at, () => withEntry(at.format, at.text ?? "", { under, name }, undefined));
}

function safely<T>({ path }: ClientSettings, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof UnsafeEdit)) throw error;
    throw new PdppError("store_unavailable", `${path} was not changed: ${error.message}`, {
      next_step: "Edit the file by hand; `--dry-run --json` prints the entry.",
    });
  }
}

/** There is one backup per entry, so that two setups of one file can be undone one after the other. */
const backupOf = (path: string, name: string): string => `${path}.before-${name}`;

/** Returns the path of the copy, if there was a file. */
export function writeSettings(
  at: ClientSettings,
  text: string,
  { name, replaces }: { name: string; replaces: boolean },
): string | undefined {
  checkUnchanged(at);
  const backup = at.text === undefined ? undefined : backupOf(at.path, name);
  // A symbolic link stays a link; its target is replaced.
  const target = at.text === undefined ? at.path : realpathSync(at.path);
  mkdirSync(dirname(target), { recursive: true });
  // A second setup keeps the copy from before the first one, because undo restores that copy.
  if (backup !== undefined && !(replaces && existsSync(backup))) copyFileSync(target, backup);
  replace(target, text, at.text === undefined ? 0o600 : statSync(target).mode);
  return backup;
}

export function undoSettings(at: ClientSettings, text: string | undefined, name: string): void {
  checkUnchanged(at);
  const target = realpathSync(at.path);
  if (text === undefined) rmSync(target);
  else replace(target, text, statSync(target).mode);
  rmSync(backupOf(at.path, name), { force: true });
}

/** The app itself may write the file while the person reads the question. */
function checkUnchanged({ path, text }: ClientSettings): void {
  const now = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (now === text) return;
  throw new PdppError("store_unavailable", `${path} has changed in the meantime`, {
    next_step: "Nothing was written. Close the client, then try again.",
  });
}

function replace(target: string, text: string, mode: number): void {
  const { dir, base } = parsePath(target);
  const aside = join(dir, `.${base}.${process.pid}`);
  writeFileSync(aside, text, { mode, flush: true });
  chmodSync(aside, mode);
  renameSync(aside, target);
}
