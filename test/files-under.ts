// Returns the paths of all files in a directory and its subdirectories.
import { readdirSync } from "node:fs";
import { join } from "node:path";

export const filesUnder = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
