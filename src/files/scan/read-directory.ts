// Reads the current directory of the process: the names, the lstat of each, and the resulting block for the writer.
import { type BigIntStats, lstatSync, readdirSync, type Stats } from "node:fs";
import { isHomeListing } from "../../store/home-marker.ts";
import { type Entries, LEAF_ENTRIES, TYPE } from "../leaf.ts";
import { encodeLeaf, leafBytesMax } from "../leaf-encode.ts";
import type { IgnoreRules } from "./ignore.ts";
import type { BlockWriter, Problem, SeveralNames } from "./messages.ts";
import { STATE } from "./messages.ts";

/** A name from the disk: a string if it is valid UTF-8, otherwise its bytes. */
export type DiskName = string | Buffer;

export interface FoundDir {
  name: DiskName;
  dev: number;
  ino: number;
}

export interface ReadDirectory {
  dirs: FoundDir[];
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

const REPLACEMENT = "\ufffd";
/** For these characters, UTF-16 order differs from byte order. */
const BYTE_ORDER_DIFFERS = /[\ud800-\uffff]/;
const NOT_ASCII = /[^\x00-\x7f]/;

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
  const found: DiskName[] = [];
  const stats: Stats[] = [];
  const problems: Problem[] = [];
  const dirNames: DiskName[] = [];
  const dirStats: Stats[] = [];
  for (const name of names) {
    if (ignore.matches(name, pathText)) continue;
    let facts: Stats | undefined;
    try {
      facts = lstatSync(name, LSTAT);
    } catch (error) {
      problems.push([-1, `${printable(name)}: ${reasonOf(error)}`]);
      continue;
    }
    // The entry was deleted after the directory was listed.
    if (facts === undefined) continue;
    if ((facts.mode & TYPE.mask) === TYPE.directory) {
      dirNames.push(name);
      dirStats.push(facts);
    } else {
      found.push(name);
      stats.push(facts);
    }
  }
  const dirs = dirNames.length;
  const count = dirs + found.length;
  if (count > scratch.modes.length) scratch = columns(count * 2);
  const entries = scratch;
  entries.count = count;
  entries.dirs = dirs;
  writeNames(entries, dirNames, found);
  for (let index = 0; index < dirs; index++) fill(entries, index, dirStats[index]!);
  let [size, taken, biggest, newest] = [0, self.blocks, 0, 0];
  const severalNames: SeveralNames[] = [];
  for (let index = 0; index < stats.length; index++) {
    const facts = stats[index]!;
    const place = dirs + index;
    fill(entries, place, facts);
    const type = facts.mode & TYPE.mask;
    const counts = type === TYPE.file || type === TYPE.link;
    const time = entries.times[place]!;
    if (time > newest) newest = time;
    if (type === TYPE.file && facts.size > biggest) biggest = entries.sizes[place]!;
    if (facts.nlink > 1) {
      const allocated = facts.blocks * 512;
      const ino = wholeInode(found[index]!, facts);
      severalNames.push({ index: place, dev: facts.dev, ino, size: counts ? entries.sizes[place]! : 0, allocated });
    } else {
      if (counts) size += entries.sizes[place]!;
      taken += facts.blocks;
    }
  }
  out.dir(
    {
      local,
      state: STATE.read,
      dev: self.dev,
      ino: self.ino,
      mtime: Date.now() - self.mtimeMs < UNSETTLED_MS ? UNSETTLED : self.mtimeMs,
      ctime: self.ctimeMs,
      files: found.length,
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
  return {
    dirs: dirNames.map((name, index) => ({ name, dev: dirStats[index]!.dev, ino: dirStats[index]!.ino })),
    entries: count,
  };
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

/** Numbers are exact only up to 53 bits, so two files could seem to have the same inode. */
function wholeInode(name: DiskName, facts: Stats): bigint {
  if (facts.ino <= Number.MAX_SAFE_INTEGER) return BigInt(facts.ino);
  const exact: BigIntStats | undefined = lstatSync(name, LSTAT_BIG);
  return exact?.ino ?? BigInt(facts.ino);
}

/** Returns the names in byte order. */
function namesHere(): DiskName[] {
  const names = readdirSync(".");
  if (names.length === 0) return names;
  const all = names.join("");
  if (!NOT_ASCII.test(all)) return names.sort();
  if (!all.includes(REPLACEMENT))
    return BYTE_ORDER_DIFFERS.test(all)
      ? names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      : names.sort();
  // At least one name is not valid UTF-8, or contains the replacement character itself, so read the names as bytes.
  return readdirSync(".", { encoding: "buffer" })
    .sort(Buffer.compare)
    .map((bytes) => {
      const text = bytes.toString("utf8");
      return Buffer.from(text).equals(bytes) ? text : bytes;
    });
}

function writeNames(entries: Entries, dirNames: readonly DiskName[], names: readonly DiskName[]): void {
  let end = 0;
  let index = 0;
  for (const list of [dirNames, names]) {
    for (const name of list) {
      if (end + name.length * 3 > nameBuffer.length) {
        const larger = Buffer.allocUnsafe((end + name.length * 3) * 2);
        nameBuffer.copy(larger, 0, 0, end);
        nameBuffer = larger;
      }
      end += typeof name === "string" ? writeText(nameBuffer, name, end) : name.copy(nameBuffer, end);
      entries.nameEnds[index++] = end;
    }
  }
  entries.names = nameBuffer.subarray(0, end);
}

/** Most names are short and ASCII, so a loop is cheaper than a call into the runtime. */
function writeText(out: Buffer, text: string, at: number): number {
  const { length } = text;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return out.write(text, at, "utf8");
    out[at + index] = code;
  }
  return length;
}

function printable(name: DiskName): string {
  return typeof name === "string" ? JSON.stringify(name) : JSON.stringify(name.toString("latin1"));
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
