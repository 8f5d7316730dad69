// Makes the names in a directory as durable as the files.
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories, and makes names durable on its own.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}

/** The same for code that cannot wait. */
export function syncDirectoryNow(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Those in which a name is new: the folder itself, and with the topmost one that was made for it all above, as far as that is. */
export function foldersWithNewNames(folder: string, made: string | undefined): string[] {
  const folders = [folder];
  const top = made === undefined ? folder : dirname(made);
  for (let above = folder; above !== top; ) {
    above = dirname(above);
    folders.push(above);
  }
  return folders;
}
