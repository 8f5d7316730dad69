// The file that marks a home, a backup, or a folder of stored objects or credentials, so that the files lens never
// shows its content (G-07).
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Not hidden, so that `cp -r HOME/* NEW` copies it too. */
export const HOME_MARKER = "postern-home";

const TEXT = `This directory belongs to Postern. It is a home, a backup of one, or a store of its files or credentials.
Because this file is here, Postern never shows the directory to apps. Keep the file when you copy or move the directory.
`;

export function markHome(directory: string): void {
  const path = join(directory, HOME_MARKER);
  if (existsSync(path)) return;
  try {
    writeFileSync(path, TEXT, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Recognises a home by the names in a directory. Homes of older versions have no marker and are recognised by their
 * files.
 */
export const isHomeListing = (has: (name: string) => boolean): boolean =>
  has(HOME_MARKER) ||
  (has("records.db") && (has("key") || has("audit.db"))) ||
  (has("backups.json") && has("packs")) ||
  (has("credentials.json") && has("lock.db"));

/** True if a directory, or one above it, is a home. `path` is absolute, as bytes. */
export function isInHome(path: Uint8Array): boolean {
  for (let at = Buffer.from(path); at.length > 0; at = at.subarray(0, at.lastIndexOf("/"))) {
    if (isHomeListing((name) => existsSync(Buffer.concat([at, Buffer.from(`/${name}`)])))) return true;
  }
  return false;
}
