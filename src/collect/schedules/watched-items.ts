// Processed items of a watched folder, stored in the home, so that a restart does not check all of it again.
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE = "watched.json";
const PACKAGE = new URL("../../../package.json", import.meta.url);

interface WatchedItems {
  /** Whether it was processed in its current state. */
  isDone(name: string, state: string): boolean;
  done(name: string, state: string): Promise<void>;
}

/** One write at a time: several folders may be checked at the same time. */
let writing: Promise<unknown> = Promise.resolve();

type Folders = Record<string, Record<string, string>>;

/** `asked`: what else affects an import; with other answers the same file is read differently. */
export async function watchedItems(home: string, folder: string, asked: string): Promise<WatchedItems> {
  const path = join(home, FILE);
  const known = new Map(Object.entries((await read(path))[folder] ?? {}));
  // A newer version may know formats that this one does not.
  const { version } = JSON.parse(await readFile(PACKAGE, "utf8")) as { version: string };
  const digestOf = (state: string): string =>
    createHash("sha256")
      .update(JSON.stringify([version, asked, state]))
      .digest("base64url");
  return {
    isDone: (name, state) => known.get(name) === digestOf(state),
    async done(name, state) {
      known.set(name, digestOf(state));
      const written = writing.then(async () => {
        // Another command may watch another folder.
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

/** An unreadable list counts as empty: items are checked once more, which changes nothing. */
async function read(path: string): Promise<Folders> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) ?? {}) as Folders;
  } catch {
    return {};
  }
}
