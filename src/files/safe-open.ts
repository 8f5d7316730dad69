// Opens a file below a root for reading: name by name, through descriptors, never through a link, and only regular files.
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { platform } from "node:os";
import { PdppError } from "../contract/errors.ts";

export interface OpenFile {
  handle: FileHandle;
  facts: Stats;
}

/** Linux: names a file without opening it, so that not even a device notices. Not among Node's constants. */
const O_PATH = 0o10000000;
const STEP = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
const SLASH = Buffer.from("/");

/** `way`: names from the root down, as bytes. Close the handle. */
export async function openBelow(root: Uint8Array, way: readonly Uint8Array[]): Promise<OpenFile> {
  checkNames(way);
  return told(() => (platform() === "linux" ? openByDescriptors(root, way) : openByPath(root, way)));
}

/** Where a link leads, as bytes; nothing is followed. */
export async function readLinkBelow(root: Uint8Array, way: readonly Uint8Array[]): Promise<Buffer> {
  checkNames(way);
  return told(async () => {
    if (platform() !== "linux") return readlink(joined(root, way), "buffer");
    const parent = await stepDown(root, way.slice(0, -1));
    try {
      return await readlink(inside(parent, way.at(-1)!), "buffer");
    } finally {
      await parent.close();
    }
  });
}

/** Each step is taken from the descriptor of the one before: whoever swaps a directory or a link meanwhile changes nothing. */
async function openByDescriptors(root: Uint8Array, way: readonly Uint8Array[]): Promise<OpenFile> {
  const parent = await stepDown(root, way.slice(0, -1));
  try {
    const named = await open(inside(parent, way.at(-1)!), O_PATH | constants.O_NOFOLLOW);
    try {
      const facts = await named.stat();
      requireRegular(facts);
      // The descriptor's own name in /proc is that very file, whatever stands at its path by now.
      const handle = await open(`/proc/self/fd/${named.fd}`, READ);
      return { handle, facts };
    } finally {
      await named.close();
    }
  } finally {
    await parent.close();
  }
}

async function stepDown(root: Uint8Array, way: readonly Uint8Array[]): Promise<FileHandle> {
  let here = await open(Buffer.from(root), STEP);
  for (const name of way) {
    const before = here;
    try {
      here = await open(inside(before, name), STEP);
    } finally {
      await before.close();
    }
  }
  return here;
}

const inside = (directory: FileHandle, name: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${directory.fd}/`), name]);

/** Without /proc: the real path before and after must be the path itself, and what is open must be what stands there. */
async function openByPath(root: Uint8Array, way: readonly Uint8Array[]): Promise<OpenFile> {
  const path = joined(root, way);
  const requirePlain = async (): Promise<void> => {
    if (!(await realpath(path, "buffer")).equals(path)) throw changed();
  };
  await requirePlain();
  requireRegular(await lstat(path));
  const handle = await open(path, READ | constants.O_NOFOLLOW);
  try {
    const facts = await handle.stat();
    requireRegular(facts);
    const after = await lstat(path);
    if (after.dev !== facts.dev || after.ino !== facts.ino) throw changed();
    await requirePlain();
    return { handle, facts };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function joined(root: Uint8Array, way: readonly Uint8Array[]): Buffer {
  const parts = way.flatMap((name) => [SLASH, name]);
  return Buffer.concat(root.length === 1 ? parts : [root, ...parts]);
}

/** The index has no such names; whoever made them up does not get further. */
function checkNames(way: readonly Uint8Array[]): void {
  const isName = (name: Uint8Array): boolean => {
    const text = Buffer.from(name).toString("latin1");
    return text !== "" && text !== "." && text !== ".." && !text.includes("/") && !text.includes("\0");
  };
  if (way.length === 0 || !way.every(isName)) {
    throw new PdppError("invalid_request", "this is no file below a root", {
      param: "nodeId",
      next_step: "Take the nodeId of a file from a listing.",
    });
  }
}

function requireRegular(facts: Stats): void {
  if (facts.isFile()) return;
  const kind = facts.isSymbolicLink() ? "a link" : facts.isDirectory() ? "a directory" : "a special file";
  throw new PdppError("invalid_request", `it is ${kind}; only regular files can be read`, {
    param: "nodeId",
    next_step: facts.isDirectory() ? "List it instead." : "Choose a node of kind file.",
  });
}

const changed = (): PdppError =>
  new PdppError("node_not_found", "what the index knows is not there any more", {
    param: "nodeId",
    next_step: "Scan the index again and list the directory anew.",
  });

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EINVAL") throw changed();
    if (code === "EACCES" || code === "EPERM") {
      throw new PdppError("invalid_request", "this server's user may not read it", {
        param: "nodeId",
        next_step: "Give the server's user the right to read it, or choose another file.",
      });
    }
    throw error;
  }
}
