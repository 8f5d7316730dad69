// Keeps a copy of a database from before its upgrade to a newer format, so that the pdpp that wrote it can be used
// again (O-05).
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const FOLDER = "before-upgrade";

export const formatIn = (database: DatabaseSync): number =>
  database.prepare("PRAGMA user_version").get()!.user_version as number;

/** Returns the format of a file that is not open here, or undefined if there is no such file. */
export function formatOfFile(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return formatIn(database);
  } finally {
    database.close();
  }
}

/**
 * Keeps one copy per file, in the format before the last upgrade. If there is no space for the copy, the upgrade does
 * not start.
 */
export function copyBeforeUpgrade(database: DatabaseSync, path: string): void {
  const format = formatIn(database);
  const folder = join(dirname(path), FOLDER);
  const name = basename(path);
  const copy = join(folder, `${name}.format-${format}`);
  const aside = `${copy}.${process.pid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(aside, { force: true });
  database.prepare("VACUUM INTO ?").run(aside);
  chmodSync(aside, 0o600);
  // Another process may have upgraded the file in the meantime. If so, that process kept the copy.
  if (formatOfFile(aside) === format) renameSync(aside, copy);
  else rmSync(aside);
  for (const other of readdirSync(folder))
    if (other.startsWith(`${name}.format-`) && join(folder, other) !== copy) rmSync(join(folder, other));
}

/** Returns the newest copy that a pdpp with formats up to `known` can open. */
export function copyToGoBackTo(path: string, known: number): string | undefined {
  const folder = join(dirname(path), FOLDER);
  const prefix = `${basename(path)}.format-`;
  const formats = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((format) => format <= known);
  return formats.length === 0 ? undefined : join(folder, `${prefix}${Math.max(...formats)}`);
}
