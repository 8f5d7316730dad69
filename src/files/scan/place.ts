// The current directory of the scanner process. It moves by relative steps, and each step verifies where it arrived.
import type { Stats } from "node:fs";
import { closeSync, constants, lstatSync, openSync } from "./disk-calls.ts";
import type { ByteText } from "./messages.ts";

/** A name or path for a system call: a string if it is valid UTF-8, otherwise its bytes. */
type DiskName = string | Buffer;

/** A directory, with its path from the root. */
export interface Way {
  name: ByteText;
  parent: Way | null;
  depth: number;
}

const ROOT: Way = { name: ".", parent: null, depth: 0 };

/** Most names are short and ASCII, so a loop is cheaper than a regular expression. */
export function diskName(text: ByteText): DiskName {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return decoded(text);
  return text;
}

function decoded(text: ByteText): DiskName {
  const bytes = Buffer.from(text, "latin1");
  const name = bytes.toString("utf8");
  return Buffer.from(name).equals(bytes) ? name : bytes;
}

export function trackOf(path: readonly ByteText[]): Way {
  let way = ROOT;
  for (const name of path) way = { name, parent: way, depth: way.depth + 1 };
  return way;
}

export function namesOf(way: Way): ByteText[] {
  const names: ByteText[] = [];
  for (let at = way; at.parent !== null; at = at.parent) names.unshift(at.name);
  return names;
}

/** The path as text, for ignore patterns. */
export function textOf(way: Way): string {
  return Buffer.from(namesOf(way).join("/"), "latin1").toString("utf8");
}

/** The entry under this name is not the one that was listed there. */
class DirectoryMoved extends Error {
  readonly code = "EMOVED";
}

export class DirectoryCursor {
  readonly #root: ByteText;
  #here: Way | null = null;

  constructor(root: ByteText) {
    this.#root = root;
  }

  /**
   * Steps into a directory. Another process may move directories or replace them with links at any time, and chdir
   * follows links. So the directory must be the one in the parent's listing (ino -1 means not checked yet).
   */
  enter(way: Way, dev: number, ino: number): Stats {
    const up = ino === -1 ? undefined : this.#stepsUp(way);
    if (up !== undefined) {
      this.#here = null;
      try {
        chdir(up === 0 ? way.name : "../".repeat(up) + way.name);
        const facts = lstatSync(".");
        if (facts.ino === ino && facts.dev === dev) {
          this.#here = way;
          return facts;
        }
      } catch {
        // Try again from the root, step by step.
      }
    }
    const facts = this.#fromRoot(way);
    if (ino !== -1 && (facts.ino !== ino || facts.dev !== dev)) throw new DirectoryMoved();
    return facts;
  }

  /** Returns the directory's entry in its parent's listing. */
  look({ parent, name }: Way): Stats {
    if (parent === null) return lstatSync(diskName(this.#root));
    this.#fromRoot(parent);
    return lstatSync(diskName(name));
  }

  #fromRoot(way: Way): Stats {
    this.#here = null;
    chdir(this.#root);
    const steps: Way[] = [];
    for (let at = way; at.parent !== null; at = at.parent) steps.unshift(at);
    let facts = lstatSync(".");
    for (const { name } of steps) {
      const listed = lstatSync(diskName(name));
      if (!listed.isDirectory()) throw new DirectoryMoved();
      chdir(name);
      facts = lstatSync(".");
      if (facts.ino !== listed.ino || facts.dev !== listed.dev) throw new DirectoryMoved();
    }
    this.#here = way;
    return facts;
  }

  /** Returns how many levels up the parent is, if the current directory is inside it. */
  #stepsUp({ parent }: Way): number | undefined {
    const here = this.#here;
    if (here === null || parent === null) return undefined;
    const up = here.depth - parent.depth;
    let at: Way | null = here;
    for (let step = 0; step < up && at !== null; step++) at = at.parent;
    return at === parent && up >= 0 ? up : undefined;
  }
}

/** chdir accepts only text, so a directory whose path is not text is entered through a descriptor. */
function chdir(path: ByteText): void {
  const name = diskName(path);
  if (typeof name === "string") {
    process.chdir(name);
    return;
  }
  const handle = openSync(name, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    process.chdir(`/proc/self/fd/${handle}`);
  } finally {
    closeSync(handle);
  }
}
