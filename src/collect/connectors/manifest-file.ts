// Locates connectors: built-in ones by their key, others by the folder of their connector.json.
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConnectorManifest } from "../../contract/connector.ts";
import { PdppError } from "../../contract/errors.ts";
import { parseManifest } from "../../core/connector-check.ts";
import type { ConnectorCommand } from "./connector-process.ts";

const FILE = "connector.json";
const BUILT_IN = "built-in";
const BUILT_IN_FOLDER = fileURLToPath(new URL("../../connectors/", import.meta.url));

export interface LocatedConnector {
  /** The stored form: a folder, or `built-in/KEY`. */
  place: string;
  builtIn: boolean;
  folder: string;
  manifest: ConnectorManifest;
}

async function builtInKeys(): Promise<string[]> {
  const names = await readdir(BUILT_IN_FOLDER).catch(() => []);
  return names.filter((name) => existsSync(join(BUILT_IN_FOLDER, name, FILE))).sort();
}

/** Resolves what a person typed: a built-in key, a folder, or the manifest file. */
export async function locateConnector(typed: string): Promise<LocatedConnector> {
  const isKey = /^[a-z0-9][a-z0-9_-]*$/.test(typed) && existsSync(join(BUILT_IN_FOLDER, typed, FILE));
  // A built-in key takes precedence over a folder of the same name, unless the folder is written as a path.
  if (isKey) return connectorAt(`${BUILT_IN}/${typed}`);
  const path = resolve(typed);
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined)
    throw new PdppError("not_found", `there is no connector ${JSON.stringify(typed)}`, {
      next_step: `Specify the folder that contains connector.json, or the name of a built-in connector: ${(await builtInKeys()).join(", ") || "none"}.`,
    });
  return connectorAt(facts.isDirectory() ? path : dirname(path), facts.isDirectory() ? FILE : basename(path));
}

/** Loads the connector at a location in the stored form. */
export async function connectorAt(place: string, file = FILE): Promise<LocatedConnector> {
  const builtIn = place.startsWith(`${BUILT_IN}/`);
  const folder = builtIn ? join(BUILT_IN_FOLDER, place.slice(BUILT_IN.length + 1)) : place;
  const path = join(folder, file);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new PdppError("not_found", `${path} cannot be read: ${error.code ?? error.message}`, {
      next_step:
        "Move the connector back there, or add it from its new location: `pdpp connectors add PATH --connection ID`.",
    });
  });
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    throw new PdppError("invalid_declaration", `${path} is not JSON: ${(error as Error).message}`);
  }
  return { place, builtIn, folder, manifest: parseManifest(input) };
}

/** Files next to the manifest are named relative to it, but the program runs in another folder. */
export function commandOf({ folder, manifest }: Pick<LocatedConnector, "folder" | "manifest">): ConnectorCommand {
  const [program, ...rest] = manifest.command;
  const args = rest.map((word) => fileIn(folder, word) ?? word);
  if (program === "node") return { file: process.execPath, args };
  return { file: fileIn(folder, program!) ?? program!, args };
}

function fileIn(folder: string, word: string): string | undefined {
  if (word.startsWith("-") || isAbsolute(word)) return undefined;
  const path = join(folder, word);
  if (existsSync(path)) return path;
  // A source checkout runs its TypeScript files directly.
  const source = path.replace(/\.js$/, ".ts");
  return source !== path && existsSync(source) ? source : undefined;
}
