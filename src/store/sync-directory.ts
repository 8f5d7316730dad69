// Makes the names in a directory as durable as the files.
import { open } from "node:fs/promises";

export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory, and keeps names by itself.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}
