// Stores objects as files in a directory. A file is written under a temporary name, synced and then renamed.
import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream, existsSync, statSync } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PdppError } from "../contract/errors.ts";
import { markHome } from "./home-marker.ts";
import {
  checkName,
  diskFailure,
  type FolderPlace,
  isExpected,
  type ListedObject,
  type ObjectStorage,
  otherBytes,
  type StoredObject,
} from "./objects.ts";
import { foldersWithNewNames, syncDirectory } from "./sync-directory.ts";

export function folderObjects(place: FolderPlace): ObjectStorage {
  const { root } = place;
  const pathOf = (name: string): string => join(root, ...checkName(name).split("/"));

  async function moveIn(aside: string, name: string): Promise<void> {
    const path = pathOf(name);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A home already has the marker, but this folder is outside it.
    if (place.kind === "folder") markHome(root);
    await rename(aside, path);
    // The name must be as durable as the bytes, and so must any folders created for it.
    for (const folder of foldersWithNewNames(dirname(path), made)) await syncDirectory(folder);
  }

  return {
    place,
    aside: root,
    async put(name, bytes, expected = {}) {
      const folder = join(root, checkName(name).split("/")[0]!);
      // The name begins with a dot, so listings skip it.
      const aside = join(folder, `.incoming-${randomBytes(9).toString("base64url")}`);
      return orTyped(async () => {
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          const stored = await written(aside, bytes);
          if (!isExpected(stored, expected)) throw otherBytes(name);
          await moveIn(aside, name);
          return stored;
        } finally {
          await rm(aside, { force: true });
        }
      });
    },
    async adopt(name, path, expected = {}) {
      await orTyped(async () => {
        try {
          const file = await open(path, "r+");
          try {
            const { size } = await file.stat();
            if (size !== (expected.sizeBytes ?? size)) throw otherBytes(name);
            await file.sync();
          } finally {
            await file.close();
          }
          await moveIn(path, name);
        } finally {
          await rm(path, { force: true });
        }
      });
    },
    async open(name, range) {
      const bytes = createReadStream(pathOf(name), range);
      return new Promise((resolve, reject) => {
        bytes.once("open", () => resolve(bytes));
        bytes.once("error", (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") resolve(undefined);
          else reject(unreadable(error));
        });
      });
    },
    size: (name) => statSync(pathOf(name), { throwIfNoEntry: false })?.size,
    async delete(names) {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
    list: (prefix) => listBelow(root, prefix),
    async check() {
      // Check the nearest existing folder above, because missing folders are created with the first object.
      for (let folder = root; ; folder = dirname(folder)) {
        try {
          if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
          return await access(folder, constants.W_OK | constants.X_OK);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === dirname(folder))
            throw unreadable(error as NodeJS.ErrnoException);
        }
      }
    },
    mayHold: (folder) => existsSync(join(root, folder)),
  };
}

async function written(path: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredObject> {
  const digesting = createHash("sha256");
  let sizeBytes = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const part of bytes) {
      digesting.update(part);
      sizeBytes += part.byteLength;
      await file.writeFile(part);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sizeBytes, sha256: digesting.digest("hex") };
}

async function* listBelow(root: string, prefix: string): AsyncGenerator<ListedObject> {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw unreadable(error);
  });
  for (const entry of entries) {
    const name = folder + entry.name;
    if (entry.name.startsWith(".") || !name.startsWith(prefix)) continue;
    if (entry.isDirectory()) yield* listBelow(root, `${name}/`);
    else {
      const found = await stat(join(root, name)).catch(() => undefined);
      // Skip a file that was deleted in the meantime.
      if (found !== undefined) yield { name, sizeBytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
    }
  }
}

const unreadable = ({ code }: NodeJS.ErrnoException): PdppError =>
  new PdppError("store_unavailable", `the folder for stored files cannot be used (${code})`);

async function orTyped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error, "nothing was stored");
  }
}
