// Whether a folder on this machine can be watched: checked when it is named, not when the first check fails.
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { PdppError } from "../contract/errors.ts";

/** A relative path is refused by the call itself. */
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
