// Checks that a folder on this machine can be watched, as soon as it is chosen rather than when the first scan fails.
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { PdppError } from "../contract/errors.ts";

/** The call itself refuses relative paths. */
export async function requireFolder(folder: string): Promise<void> {
  if (!isAbsolute(folder)) return;
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? "");
  if (typeof found !== "string" && found.isDirectory()) return;
  const why =
    typeof found !== "string" ? "is a file" : found === "EACCES" ? "cannot be read by this server" : "does not exist";
  throw new PdppError("invalid_path", `the folder ${JSON.stringify(folder)} ${why}`, {
    param: "folder",
    next_step: "Create the folder first, or correct its path.",
  });
}
