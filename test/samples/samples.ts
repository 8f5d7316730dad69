// Real files from people's programs. Tests use them if $PDPP_SAMPLES is set to their folder. A missing folder is a
// failure.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHIVE_LIMITS } from "../../src/collect/archive/limits.ts";
import { unpackedFolder } from "../../src/collect/archive/unpacked.ts";
import { type Entry, wholeEntry } from "../../src/collect/entry.ts";
import { memoryEntry } from "../../src/collect/importer.fixture.ts";
import { walk } from "../../src/collect/walk.ts";

const folder = process.env.PDPP_SAMPLES;

/** For `describe.skipIf`. */
export const noSamples = folder === undefined || folder === "";

/** Returns one sample file. */
export const sample = (path: string): Entry => memoryEntry(path.split("/").at(-1)!, readFileSync(join(folder!, path)));

/** Returns all files in a sample folder, sorted, with relative paths. */
export function samplesIn(path: string): Entry[] {
  return readdirSync(join(folder!, path), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(join(folder!, path).length + 1))
    .sort()
    .map((name) => memoryEntry(name, readFileSync(join(folder!, path, name))));
}

/** Returns the files in a sample archive and in archives nested in it. */
export async function archived(path: string): Promise<Entry[]> {
  const copies = mkdtempSync(join(tmpdir(), "postern-samples-"));
  const [root] = await walk([join(folder!, path)], unpackedFolder(copies, ARCHIVE_LIMITS.copyBytes));
  const inMemory = async (entry: Entry) => memoryEntry(entry.path, await wholeEntry(entry, 64 * 1024 * 1024));
  return Promise.all(root!.entries.map(inMemory));
}
