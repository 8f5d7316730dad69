// Opens a file below a root for reading. It goes name by name, through descriptors, never follows a link or enters a
// home, and opens only regular files.
import { constants, type Stats } from "node:fs";
import { type FileHandle, readlink } from "node:fs/promises";
import { platform } from "node:os";
import { PdppError } from "../contract/errors.ts";
import { HOME_MARKER, isHomeListing } from "../store/home-marker.ts";
import { isPrivateFile } from "../store/private-files.ts";
import { type DiskAccess, directAccess, type OpenHandle, pooledAccess } from "./disk-access.ts";
import { identityOf } from "./disk-identity.ts";
import { keyIdentity } from "./home-identities.ts";

export interface OpenFile<Handle extends OpenHandle> {
  handle: Handle;
  facts: Stats;
}

/**
 * Linux flag that refers to a file without opening it, so that not even a device notices. Node has no constant for it.
 */
const O_PATH = 0o10000000;
const STEP = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const SLASH = Buffer.from("/");
type Disk = DiskAccess<OpenHandle>;
/** Checked in this order. */
const HOME_NAMES = [HOME_MARKER, "records.db", "key", "audit.db"];

/**
 * `names` contains the names from the root down, as bytes, and `own` the identities of the files in this server's home.
 * The caller closes the handle.
 */
export const openBelow = (
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<OpenFile<FileHandle>> => opened(pooledAccess, root, names, own);

/** Opens a file synchronously, for a thread that has nothing else to do in the meantime. */
export const openBelowDirectly = (
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<OpenFile<OpenHandle>> => opened(directAccess, root, names, own);

async function opened<Handle extends OpenHandle>(
  disk: DiskAccess<Handle>,
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<OpenFile<Handle>> {
  checkNames(names);
  return translatingErrors(async () => {
    const opened = await (platform() === "linux" ? openByDescriptors : openByPath)(disk, root, names, own);
    try {
      if ((await isPrivateFile(opened.handle)) || (await isOwnKey(opened, own))) throw homeRefused();
      return opened;
    } catch (error) {
      await opened.handle.close();
      throw error;
    }
  });
}

/** Returns the target of a link, as bytes, without following any link. */
export async function readLinkBelow(
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<Buffer> {
  checkNames(names);
  return translatingErrors(async () => {
    if (platform() !== "linux") {
      await refuseHomesOnPath(pooledAccess, joined(root, names.slice(0, -1)), own);
      return readlink(joined(root, names), "buffer");
    }
    const parent = await stepDown(pooledAccess, root, names.slice(0, -1), own);
    try {
      return await readlink(inside(parent, names.at(-1)!), "buffer");
    } finally {
      await parent.close();
    }
  });
}

/** Longer than any key. */
const KEY_BYTES_MAX = 128;

async function isOwnKey({ handle, facts }: OpenFile<OpenHandle>, own: ReadonlySet<string>): Promise<boolean> {
  if (facts.size === 0 || facts.size > KEY_BYTES_MAX) return false;
  const buffer = Buffer.alloc(KEY_BYTES_MAX);
  const { bytesRead } = await handle.read(buffer, 0, KEY_BYTES_MAX, 0);
  return own.has(keyIdentity(buffer.subarray(0, bytesRead)));
}

/**
 * Each step starts at the previous step's descriptor, so it does not matter if a directory or link is swapped in the
 * meantime.
 */
async function openByDescriptors<Handle extends OpenHandle>(
  disk: DiskAccess<Handle>,
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<OpenFile<Handle>> {
  const parent = await stepDown(disk, root, names.slice(0, -1), own);
  try {
    const named = await disk.open(inside(parent, names.at(-1)!), O_PATH | constants.O_NOFOLLOW);
    try {
      const facts = await named.stat();
      requireRegular(facts);
      // This is another name for a file in the home.
      if (own.has(identityOf(facts))) throw homeRefused();
      // The descriptor's entry in /proc is exactly that file, whatever is at its path now.
      const handle = await disk.open(`/proc/self/fd/${named.fd}`, READ);
      return { handle, facts };
    } finally {
      await named.close();
    }
  } finally {
    await parent.close();
  }
}

async function stepDown<Handle extends OpenHandle>(
  disk: DiskAccess<Handle>,
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<Handle> {
  let here = await disk.open(Buffer.from(root), STEP);
  try {
    await refuseHome(disk, `/proc/self/fd/${here.fd}`, own);
    await refuseHomesAbove(disk, here, own);
    for (const name of names) {
      const next = await disk.open(inside(here, name), STEP);
      await here.close();
      here = next;
      await refuseHome(disk, `/proc/self/fd/${here.fd}`, own);
    }
    return here;
  } catch (error) {
    await here.close();
    throw error;
  }
}

/**
 * G-07: every directory along the path is checked when it is read, because it may have become a home since the scan.
 */
async function refuseHome(disk: Disk, directory: string | Buffer, own: ReadonlySet<string>): Promise<Stats> {
  const facts = await disk.stat(directory);
  if (own.has(identityOf(facts)) || (await isHome(disk, directory))) throw homeRefused();
  return facts;
}

async function isHome(disk: Disk, directory: string | Buffer): Promise<boolean> {
  const names = new Set<string>();
  for (const name of HOME_NAMES) {
    const path = Buffer.concat([Buffer.from(directory), SLASH, Buffer.from(name)]);
    if (await disk.isThere(path)) names.add(name);
    // Most directories have neither the marker nor records.db, so two checks are usually enough.
    if (isHomeListing((one) => names.has(one)) || (name === "records.db" && names.size === 0)) break;
  }
  return isHomeListing((name) => names.has(name));
}

/** The root itself may be inside a home. */
async function refuseHomesAbove(disk: Disk, root: OpenHandle, own: ReadonlySet<string>): Promise<void> {
  let below: Stats = await root.stat();
  for (let path = `/proc/self/fd/${root.fd}/..`; ; path += "/..") {
    const facts = await refuseHome(disk, path, own);
    if (identityOf(facts) === identityOf(below)) return;
    below = facts;
  }
}

const inside = (directory: OpenHandle, name: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${directory.fd}/`), name]);

/**
 * Without /proc, the real path must equal the path both before and after opening, and the open file must be the one at
 * that path.
 */
async function openByPath<Handle extends OpenHandle>(
  disk: DiskAccess<Handle>,
  root: Uint8Array,
  names: readonly Uint8Array[],
  own: ReadonlySet<string>,
): Promise<OpenFile<Handle>> {
  const path = joined(root, names);
  const requirePlain = async (): Promise<void> => {
    if (!(await disk.realpath(path)).equals(path)) throw changed();
    await refuseHomesOnPath(disk, joined(root, names.slice(0, -1)), own);
  };
  await requirePlain();
  requireRegular(await disk.lstat(path));
  const handle = await disk.open(path, READ | constants.O_NOFOLLOW);
  try {
    const facts = await handle.stat();
    requireRegular(facts);
    if (own.has(identityOf(facts))) throw homeRefused();
    const after = await disk.lstat(path);
    if (after.dev !== facts.dev || after.ino !== facts.ino) throw changed();
    await requirePlain();
    return { handle, facts };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Checks the directory and all its parents. */
async function refuseHomesOnPath(disk: Disk, directory: Buffer, own: ReadonlySet<string>): Promise<void> {
  for (let path = directory; path.length > 0; path = path.subarray(0, path.lastIndexOf(SLASH)))
    await refuseHome(disk, path, own);
}

function joined(root: Uint8Array, names: readonly Uint8Array[]): Buffer {
  const parts = names.flatMap((name) => [SLASH, name]);
  return Buffer.concat(root.length === 1 ? parts : [root, ...parts]);
}

/** Refuses names that the index never contains, so forged ones lead nowhere. */
function checkNames(names: readonly Uint8Array[]): void {
  const isName = (name: Uint8Array): boolean => {
    const text = Buffer.from(name).toString("latin1");
    return text !== "" && text !== "." && text !== ".." && !text.includes("/") && !text.includes("\0");
  };
  if (names.length === 0 || !names.every(isName)) {
    throw new PdppError("invalid_request", "this is not a file below a root", {
      param: "nodeId",
      next_step: "Take the nodeId of a file from a listing.",
    });
  }
}

function requireRegular(facts: Stats): void {
  if (facts.isFile()) return;
  const kind = facts.isSymbolicLink() ? "a link" : facts.isDirectory() ? "a directory" : "a special file";
  throw new PdppError("invalid_request", `this is ${kind}; only regular files can be read`, {
    param: "nodeId",
    next_step: facts.isDirectory() ? "List it instead." : "Choose a node of kind file.",
  });
}

const homeRefused = (): PdppError =>
  new PdppError("invalid_request", "this file belongs to a Postern home or a backup of one, which is never shown", {
    param: "nodeId",
    next_step: "Choose another file. If its directory has become a home, rescan the index to list it as one.",
  });

const changed = (): PdppError =>
  new PdppError("node_not_found", "the file that was indexed no longer exists", {
    param: "nodeId",
    next_step: "Rescan the index, and list the directory again.",
  });

async function translatingErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EINVAL") throw changed();
    if (code === "EACCES" || code === "EPERM") {
      throw new PdppError("invalid_request", "the server's user is not allowed to read this file", {
        param: "nodeId",
        next_step: "Allow the server's user to read it, or choose another file.",
      });
    }
    throw error;
  }
}
