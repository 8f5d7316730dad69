// Stores the processed items of a watched folder in the home, so that a restart does not check the whole folder again.
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "watched.json";
const PACKAGE = new URL("../../../package.json", import.meta.url);

interface WatchedItems {
  /** Returns true if the item was processed in its current state. */
  isDone(name: string, state: string): boolean;
  done(name: string, state: string): Promise<void>;
}

/** Only one write at a time, because several folders may be checked at the same time. */
let writing: Promise<unknown> = Promise.resolve();

type Folders = Record<string, Record<string, string>>;

/** `inputs` is everything else that affects an import: with other answers, the same file is read differently. */
export async function watchedItems(home: string, folder: string, inputs: string): Promise<WatchedItems> {
  const path = join(home, FILE);
  const known = new Map(Object.entries((await read(path))[folder] ?? {}));
  // Includes the version, because a newer version may support formats that this one does not.
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string };
  const digestOf = (state: string): string =>
    createHash("sha256")
      .update(JSON.stringify([version, inputs, state]))
      .digest("base64url");
  return {
    isDone: (name, state) => known.get(name) === digestOf(state),
    async done(name, state) {
      known.set(name, digestOf(state));
      const written = writing.then(async () => {
        // Read the file again, because another command may have stored the items of another folder.
        const folders = { ...(await read(path)), [folder]: Object.fromEntries(known) };
        const fresh = `${path}.${process.pid}.new`;
        await writeFile(fresh, JSON.stringify(folders), { mode: 0o600 });
        await rename(fresh, path);
      });
      writing = written.catch(() => undefined);
      await written;
    },
  };
}

/** An unreadable list counts as empty. Its items are checked once more, which changes nothing. */
async function read(path: string): Promise<Folders> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) ?? {}) as Folders;
  } catch {
    return {};
  }
}
