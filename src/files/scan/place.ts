// The current directory of the scanner process. It moves by relative steps, and each step verifies where it arrived.
import { closeSync, constants, lstatSync, openSync, type Stats } from "node:fs";
import type { ByteText } from "./messages.ts";
import type { DiskName } from "./read-directory.ts";

/** A directory, with its path from the root. */
export interface Way {
  name: DiskName;
  parent: Way | null;
  depth: number;
}

export const ROOT: Way = { name: ".", parent: null, depth: 0 };

const NOT_ASCII = /[^\x00-\x7f]/;

export function diskName(text: ByteText): DiskName {
  if (!NOT_ASCII.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded).equals(bytes) ? decoded : bytes;
}

export const byteText = (name: DiskName): ByteText =>
  (typeof name === "string" ? Buffer.from(name) : name).toString("latin1");

export function trackOf(path: readonly ByteText[]): Way {
  let way = ROOT;
  for (const name of path) way = { name: diskName(name), parent: way, depth: way.depth + 1 };
  return way;
}

export function namesOf(way: Way): ByteText[] {
  const names: ByteText[] = [];
  for (let at = way; at.parent !== null; at = at.parent) names.unshift(byteText(at.name));
  return names;
}

/** The path as text, for ignore patterns. */
export function textOf(way: Way): string {
  const names: string[] = [];
  for (let at = way; at.parent !== null; at = at.parent) names.unshift(at.name.toString());
  return names.join("/");
}

/** The entry under this name is not the one that was listed there. */
class DirectoryMoved extends Error {
  readonly code = "EMOVED";
}

export class DirectoryCursor {
  readonly #root: DiskName;
  #here: Way | null = null;

  constructor(root: ByteText) {
    this.#root = diskName(root);
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
        chdir(up === 0 ? "" : up === 1 ? "../" : "../".repeat(up), way.name);
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
    if (parent === null) return lstatSync(this.#root);
    this.#fromRoot(parent);
    return lstatSync(name);
  }

  #fromRoot(way: Way): Stats {
    this.#here = null;
    chdir("", this.#root);
    const steps: Way[] = [];
    for (let at = way; at.parent !== null; at = at.parent) steps.unshift(at);
    let facts = lstatSync(".");
    for (const { name } of steps) {
      const listed = lstatSync(name);
      if (!listed.isDirectory()) throw new DirectoryMoved();
      chdir("", name);
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

/** chdir accepts only text, so a directory whose name is not text is entered through a descriptor. */
function chdir(above: string, name: DiskName): void {
  if (typeof name === "string") {
    process.chdir(above + name);
    return;
  }
  const path = Buffer.concat([Buffer.from(above), name]);
  const handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    process.chdir(`/proc/self/fd/${handle}`);
  } finally {
    closeSync(handle);
  }
}
