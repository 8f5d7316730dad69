// Reads the current directory of the process: the names, the lstat of each, and the resulting block for the writer.
import type { BigIntStats, Stats } from "node:fs";
import { isHomeListing } from "../../store/home-marker.ts";
import { type Entries, LEAF_ENTRIES, TYPE } from "../leaf.ts";
import { encodeLeaf, leafBytesMax } from "../leaf-encode.ts";
import { lstatSync, readdirSync } from "./disk-calls.ts";
import type { IgnoreRules } from "./ignore.ts";
import type { BlockWriter, ByteText, Problem, SeveralNames } from "./messages.ts";
import { STATE } from "./messages.ts";
import { diskName } from "./place.ts";

export interface ReadDirectory {
  /** The names and the lstat results of the subdirectories. */
  dirNames: ByteText[];
  dirStats: Stats[];
  entries: number;
}

const LSTAT = { throwIfNoEntry: false } as const;
const LSTAT_BIG = { throwIfNoEntry: false, bigint: true } as const;
/**
 * Limits of a leaf. Later times (beyond the year 4000) come from broken clocks, and sizes beyond 2^53 from sparse
 * files.
 */
const TIME_LIMIT = 2 ** 46;

/**
 * A directory that changed this recently may change again within the same clock tick, so the next scan reads it again.
 */
const UNSETTLED_MS = 2000;
const UNSETTLED = -1;

/** Each character is one byte of the name. */
const BYTE_NAMES = { encoding: "latin1" } as const;

/** The columns into which every directory is read. They are reused, and grow as needed. */
function columns(capacity: number): Entries {
  return {
    count: 0,
    dirs: 0,
    modes: new Uint16Array(capacity),
    uids: new Uint32Array(capacity),
    gids: new Uint32Array(capacity),
    sizes: new Float64Array(capacity),
    blocks: new Float64Array(capacity),
    times: new Float64Array(capacity),
    names: new Uint8Array(0),
    nameEnds: new Uint32Array(capacity),
  };
}

let scratch = columns(1024);
let nameBuffer = Buffer.allocUnsafe(64 * 1024);

/**
 * Writes the block of the directory at "." and returns its subdirectories. If it is a home or a backup of one, writes
 * nothing and returns undefined. `self` is its lstat from before it was read.
 */
export function readDirectory(
  out: BlockWriter,
  local: number,
  self: Stats,
  pathText: () => string,
  ignore: IgnoreRules,
): ReadDirectory | undefined {
  const names = namesHere();
  if (isHomeListing((name) => names.includes(name))) return undefined;
  if (names.length > scratch.modes.length) scratch = columns(names.length * 2);
  const entries = scratch;
  const fileNames: ByteText[] = [];
  const dirNames: ByteText[] = [];
  const dirStats: Stats[] = [];
  const severalNames: SeveralNames[] = [];
  const problems: Problem[] = [];
  let files = 0;
  let size = 0;
  let taken = self.blocks;
  let biggest = 0;
  let newest = 0;
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (ignore.matches(name, pathText)) continue;
    const facts = look(name, problems);
    if (facts === undefined) continue;
    const type = facts.mode & TYPE.mask;
    if (type === TYPE.directory) {
      dirNames.push(name);
      dirStats.push(facts);
      continue;
    }
    // Files are written to the columns at once, because keeping their Stats costs the collector more than moving them.
    fileNames.push(name);
    fill(entries, files, facts);
    const counts = type === TYPE.file || type === TYPE.link;
    const fileSize = entries.sizes[files]!;
    const time = entries.times[files]!;
    if (time > newest) newest = time;
    if (type === TYPE.file && fileSize > biggest) biggest = fileSize;
    if (facts.nlink > 1) {
      const ino = wholeInode(name, facts);
      const allocated = facts.blocks * 512;
      severalNames.push({ index: files, dev: facts.dev, ino, size: counts ? fileSize : 0, allocated });
    } else {
      if (counts) size += fileSize;
      taken += facts.blocks;
    }
    files++;
  }
  const dirs = dirNames.length;
  const count = dirs + files;
  entries.count = count;
  entries.dirs = dirs;
  if (dirs > 0) {
    moveFiles(entries, files, dirs);
    for (const file of severalNames) file.index += dirs;
    for (let index = 0; index < dirs; index++) fill(entries, index, dirStats[index]!);
  }
  entries.names = nameBuffer;
  writeNames(entries, fileNames, dirs, writeNames(entries, dirNames, 0, 0));
  out.dir(
    {
      local,
      state: STATE.read,
      dev: self.dev,
      ino: self.ino,
      mtime: Date.now() - self.mtimeMs < UNSETTLED_MS ? UNSETTLED : self.mtimeMs,
      ctime: self.ctimeMs,
      files,
      dirs,
      size,
      allocated: taken * 512,
      biggest,
      newest,
      severalNames,
      problems,
    },
    leafBytesMax(entries, 0, count) + Math.ceil(count / LEAF_ENTRIES + 1) * 32,
    (buffer, at) => writeLeaves(buffer, at, entries),
  );
  return { dirNames, dirStats, entries: count };
}

/** Returns undefined if the entry was deleted after the directory was listed, or cannot be read. */
function look(name: ByteText, problems: Problem[]): Stats | undefined {
  const path = diskName(name);
  try {
    return lstatSync(path, LSTAT);
  } catch (error) {
    problems.push([-1, `${JSON.stringify(typeof path === "string" ? path : name)}: ${reasonOf(error)}`]);
    return undefined;
  }
}

function writeLeaves(buffer: Buffer, at: number, entries: Entries): { count: number; end: number } {
  let end = at;
  let count = 0;
  for (let from = 0; from < entries.count; from += LEAF_ENTRIES) {
    const start = end;
    end = encodeLeaf(buffer, start + 4, entries, from, Math.min(entries.count, from + LEAF_ENTRIES));
    buffer.writeUInt32LE(end - start - 4, start);
    count++;
  }
  return { count, end };
}

function fill(entries: Entries, index: number, facts: Stats): void {
  entries.modes[index] = facts.mode;
  entries.uids[index] = facts.uid;
  entries.gids[index] = facts.gid;
  entries.sizes[index] = facts.size > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : facts.size;
  entries.blocks[index] = facts.blocks;
  const time = Math.floor(facts.mtimeMs);
  entries.times[index] = time > TIME_LIMIT ? TIME_LIMIT : time < -TIME_LIMIT ? -TIME_LIMIT : time;
}

/** Makes room for the directories, which come first. */
function moveFiles({ modes, uids, gids, sizes, blocks, times }: Entries, files: number, dirs: number): void {
  for (const column of [modes, uids, gids, sizes, blocks, times]) column.copyWithin(dirs, 0, files);
}

/** Numbers are exact only up to 53 bits, so two files could seem to have the same inode. */
function wholeInode(name: ByteText, facts: Stats): bigint {
  if (facts.ino <= Number.MAX_SAFE_INTEGER) return BigInt(facts.ino);
  const exact: BigIntStats | undefined = lstatSync(diskName(name), LSTAT_BIG);
  return exact?.ino ?? BigInt(facts.ino);
}

/** Returns the names in byte order. They usually arrive in that order, and checking it is cheaper than sorting. */
function namesHere(): ByteText[] {
  const names = readdirSync(".", BYTE_NAMES);
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return names.sort();
  return names;
}

/** Adds names as the entries from `first` on, and returns where the last one ends. */
function writeNames(entries: Entries, names: readonly ByteText[], first: number, start: number): number {
  let end = start;
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (end + name.length > nameBuffer.length) {
      nameBuffer = Buffer.concat([nameBuffer], (end + name.length) * 2);
      entries.names = nameBuffer;
    }
    // A loop is cheaper than a call into the runtime, because most names are short.
    for (let at = 0; at < name.length; at++) nameBuffer[end + at] = name.charCodeAt(at);
    end += name.length;
    entries.nameEnds[first + index] = end;
  }
  return end;
}

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "the server's user is not allowed to read it";
    case "ENOENT":
    case "ENOTDIR":
      return "it was deleted before it was read";
    case "EMOVED":
      return "it was replaced while it was being read";
    case "ELOOP":
      return "its links form a loop";
    case "EIO":
      return "the disk could not read it";
  }
  return code ?? message;
}
