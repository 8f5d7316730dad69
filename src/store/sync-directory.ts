// Makes the names in a directory as durable as its files.
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories, but makes names durable without this.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}

/** The synchronous form. */
export function syncDirectoryNow(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * Returns the folders that contain a new name: the folder itself and, if folders were created for it, those up to the
 * parent of the topmost new one.
 */
export function foldersWithNewNames(folder: string, made: string | undefined): string[] {
  const folders = [folder];
  const top = made === undefined ? folder : dirname(made);
  for (let above = folder; above !== top; ) {
    above = dirname(above);
    folders.push(above);
  }
  return folders;
}
