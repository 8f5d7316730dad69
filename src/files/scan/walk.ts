// The walk of a scanner process. It goes depth first from the given directories until it has read its share of entries.
import type { Stats } from "node:fs";
import { identityOf } from "../disk-identity.ts";
import type { IgnoreRules } from "./ignore.ts";
import {
  type BlockWriter,
  type ByteText,
  type DirStateCode,
  type DirsLeft,
  type DirsOfParent,
  type ScanSettings,
  STATE,
} from "./messages.ts";
import { type DirectoryCursor, namesOf, textOf, trackOf, type Way } from "./place.ts";
import { type ReadDirectory, readDirectory, reasonOf } from "./read-directory.ts";

export interface ScanWalk {
  settings: ScanSettings;
  place: DirectoryCursor;
  ignore: IgnoreRules;
  out: BlockWriter;
  /** The device of the root. */
  dev: number;
  /** The identities from the settings. */
  own: ReadonlySet<string>;
}

interface PendingDirectory extends Way {
  local: number;
  dev: number;
  ino: number;
}

/**
 * Reads the given directories and, if `below` is true, everything below them. After `share` entries it returns the
 * rest.
 */
export function walk(walker: ScanWalk, groups: readonly DirsOfParent[], share: number, below: boolean): DirsLeft[] {
  const stack: PendingDirectory[] = [];
  let locals = 0;
  for (const { path, dirs } of groups) {
    const parent = trackOf(path);
    for (const [name, dev, ino] of dirs) stack.push(waitingDir(name, dev, ino, parent, locals++));
  }
  stack.reverse();
  let read = 0;
  while (stack.length > 0 && read < share) {
    const dir = stack.pop()!;
    const found = readOne(walker, dir);
    read += found.entries + 1;
    if (!below) continue;
    // The first subdirectory is read next, so that ids are in walk order.
    for (let index = found.dirNames.length - 1; index >= 0; index--) {
      const { dev, ino } = found.dirStats[index]!;
      stack.push(waitingDir(found.dirNames[index]!, dev, ino, dir, locals + index));
    }
    locals += found.dirNames.length;
  }
  return leftOf(stack.reverse());
}

/** The root itself is named "." and has no parent. */
function waitingDir(name: ByteText, dev: number, ino: number, parent: Way, local: number): PendingDirectory {
  const isRoot = name === ".";
  return { name, parent: isRoot ? null : parent, depth: isRoot ? 0 : parent.depth + 1, local, dev, ino };
}

function leftOf(waiting: readonly PendingDirectory[]): DirsLeft[] {
  const groups = new Map<Way | null, DirsLeft>();
  for (const { parent, name, local, dev, ino } of waiting) {
    let group = groups.get(parent);
    if (group === undefined) {
      group = { path: parent === null ? [] : namesOf(parent), dirs: [], locals: [] };
      groups.set(parent, group);
    }
    group.dirs.push([name, dev, ino]);
    group.locals.push(local);
  }
  return [...groups.values()];
}

const NOTHING: ReadDirectory = { dirNames: [], dirStats: [], entries: 0 };

/** Reads one directory into a block, or writes a block that says why it was not read. */
function readOne(walker: ScanWalk, dir: PendingDirectory): ReadDirectory {
  const { settings, place, ignore, out } = walker;
  const { depthLimit, crossMounts } = settings;
  try {
    const facts = place.enter(dir, dir.dev, dir.ino);
    const state = stateOf(facts);
    const read = state === STATE.read ? readDirectory(out, dir.local, facts, () => textOf(dir), ignore) : undefined;
    if (read !== undefined) return read;
    closed(walker, dir.local, state === STATE.read ? STATE.home : state, facts);
  } catch (error) {
    closed(walker, dir.local, STATE.unreadable, factsOf(walker, dir), reasonOf(error));
  }
  return NOTHING;

  function stateOf(facts: Stats): DirStateCode {
    if (walker.own.has(identityOf(facts))) return STATE.home;
    if (facts.dev !== walker.dev && !crossMounts) return STATE.mount;
    return depthLimit !== null && dir.depth >= depthLimit ? STATE.tooDeep : STATE.read;
  }
}

function factsOf({ place }: ScanWalk, dir: PendingDirectory): Stats | undefined {
  try {
    return place.look(dir);
  } catch {
    return undefined;
  }
}

/** Writes the block of a directory that was found but not read. */
function closed({ out }: ScanWalk, local: number, state: DirStateCode, facts?: Stats, problem?: string): void {
  const counts = state === STATE.unreadable || state === STATE.tooDeep;
  out.dir(
    {
      local,
      state,
      dev: facts?.dev ?? 0,
      ino: facts?.ino ?? 0,
      mtime: facts?.mtimeMs ?? 0,
      ctime: facts?.ctimeMs ?? 0,
      files: 0,
      dirs: 0,
      size: 0,
      allocated: counts ? (facts?.blocks ?? 0) * 512 : 0,
      biggest: 0,
      newest: 0,
      severalNames: [],
      problems: problem === undefined ? [] : [[-1, problem]],
    },
    0,
    (_, at) => ({ count: 0, end: at }),
  );
}
