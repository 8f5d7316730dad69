// Loads all nodes of an index into memory as columns, in blocks, for whole-tree filters and reports.
import type { DatabaseSync } from "node:sqlite";
import { dirOfLeaf } from "../index-schema.ts";
import { leafCount, leafDirs, type NumberedEntries } from "../leaf.ts";
import { decodeInto } from "../leaf-decode.ts";

/** Nodes per block. A column of this length fits into a processor's cache. */
const BLOCK = 32_768;
/** The initial size of the buffer for a block's names. The buffer can grow. */
const NAME_BYTES = BLOCK * 24;

export interface EntryBlock {
  count: number;
  /** The directory of each entry. */
  parents: Uint32Array;
  /** The number of each entry in its directory, or its id if it is a directory. */
  numbers: Uint32Array;
  modes: Uint16Array;
  owners: Uint16Array;
  /** For a directory, the total of everything below it. */
  sizes: Float64Array;
  times: Float64Array;
  names: Uint8Array;
  nameEnds: Uint32Array;
  /** Extension codes, computed on first use. */
  extensions?: Uint16Array;
}

/** Directories, indexed by id. */
export interface DirColumns {
  parents: Uint32Array;
  depths: Uint16Array;
  sizes: Float64Array;
  /** Names back to back, in id order. */
  names: Uint8Array;
  nameEnds: Uint32Array;
}

export interface IndexColumns {
  version: number;
  blocks: EntryBlock[];
  nodes: number;
  dirs: DirColumns;
  /** The uid and gid of each owner code. */
  owners: { uid: number; gid: number }[];
  /** For files with several names, by linkKey: the name under which the file is counted. */
  several: ReadonlyMap<number, number>;
  extensions: { text: string[]; codes: Map<number | string, number> };
}

const LINK_NUMBERS = 2 ** 24;
export const linkKey = (parent: number, number: number): number => parent * LINK_NUMBERS + number;
export const dirOfLink = (key: number): number => Math.floor(key / LINK_NUMBERS);

export function loadColumns(database: DatabaseSync, version: number): IndexColumns {
  const dirs = loadDirs(database);
  const owners: IndexColumns["owners"] = [];
  const ownerCodes = new Map<string, number>();
  const blocks: EntryBlock[] = [];
  let nodes = 0;
  const open = newEntries();
  const parents = new Uint32Array(BLOCK);
  const filled = { entries: 0, dirs: 0, names: 0 };
  const statement = database.prepare("SELECT key, body FROM leaf ORDER BY key");
  statement.setReturnArrays(true);
  for (const [key, body] of statement.iterate() as unknown as Iterable<[number, Uint8Array]>) {
    const count = leafCount(body);
    if (filled.entries + count > BLOCK) seal();
    if (filled.names + body.length > open.names.length) {
      const larger = new Uint8Array((filled.names + body.length) * 2);
      larger.set(open.names);
      open.names = larger;
    }
    const [first, firstDir] = [filled.entries, filled.dirs];
    decodeInto(open, body, filled, true);
    parents.fill(dirOfLeaf(key), first, filled.entries);
    for (let index = 0; index < leafDirs(body); index++) {
      const id = open.dirIds[firstDir + index]!;
      open.numbers[first + index] = id;
      open.sizes[first + index] = dirs.sizes[id] ?? 0;
    }
  }
  seal();
  return {
    version,
    blocks,
    nodes,
    dirs,
    owners,
    several: loadSeveral(database),
    extensions: { text: [""], codes: new Map() },
  };

  function seal(): void {
    const { entries: count, names } = filled;
    if (count > 0) {
      blocks.push({
        count,
        parents: parents.slice(0, count),
        numbers: open.numbers.slice(0, count),
        modes: open.modes.slice(0, count),
        owners: ownersOf(count),
        sizes: open.sizes.slice(0, count),
        times: open.times.slice(0, count),
        names: open.names.slice(0, names),
        nameEnds: open.nameEnds.slice(0, count),
      });
      nodes += count;
    }
    Object.assign(filled, { entries: 0, dirs: 0, names: 0 });
  }

  function ownersOf(count: number): Uint16Array {
    const codes = new Uint16Array(count);
    let [lastUid, lastGid, code] = [-1, -1, 0];
    for (let index = 0; index < count; index++) {
      const uid = open.uids[index]!;
      const gid = open.gids[index]!;
      if (uid !== lastUid || gid !== lastGid) {
        [lastUid, lastGid] = [uid, gid];
        const key = `${uid} ${gid}`;
        const known = ownerCodes.get(key);
        code = known ?? Math.min(owners.length, 0xffff);
        if (known === undefined && owners.length < 0xffff) {
          ownerCodes.set(key, code);
          owners.push({ uid, gid });
        }
      }
      codes[index] = code;
    }
    return codes;
  }
}

function newEntries(): NumberedEntries {
  return {
    count: 0,
    dirs: 0,
    modes: new Uint16Array(BLOCK),
    uids: new Uint32Array(BLOCK),
    gids: new Uint32Array(BLOCK),
    sizes: new Float64Array(BLOCK),
    blocks: new Float64Array(BLOCK),
    times: new Float64Array(BLOCK),
    names: new Uint8Array(NAME_BYTES),
    nameEnds: new Uint32Array(BLOCK),
    numbers: new Uint32Array(BLOCK),
    dirIds: new Uint32Array(BLOCK),
  };
}

function loadDirs(database: DatabaseSync): DirColumns {
  const last = database.prepare("SELECT coalesce(max(id), 0) AS last FROM dir").get()!.last as number;
  const dirs: DirColumns = {
    parents: new Uint32Array(last + 1),
    depths: new Uint16Array(last + 1),
    sizes: new Float64Array(last + 1),
    names: new Uint8Array((last + 1) * 16),
    nameEnds: new Uint32Array(last + 1),
  };
  let [end, named] = [0, 0];
  const statement = database.prepare("SELECT id, parent, depth, size, name FROM dir ORDER BY id");
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as unknown as Iterable<[number, number, number, number, Uint8Array]>) {
    const [id, parent, depth, size, name] = row;
    dirs.parents[id] = parent;
    dirs.depths[id] = depth;
    dirs.sizes[id] = size;
    if (end + name.length > dirs.names.length) {
      const larger = new Uint8Array(dirs.names.length * 2 + name.length);
      larger.set(dirs.names);
      dirs.names = larger;
    }
    dirs.names.set(name, end);
    dirs.nameEnds.fill(end, named + 1, id);
    end += name.length;
    dirs.nameEnds[id] = end;
    named = id;
  }
  return dirs;
}

function loadSeveral(database: DatabaseSync): Map<number, number> {
  const several = new Map<number, number>();
  const statement = database.prepare("SELECT dev, ino, dir, number FROM several ORDER BY dev, ino, dir, number");
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  let [lastDev, lastIno, first] = [-1n, 0n, 0];
  for (const [dev, ino, dir, number] of statement.iterate() as unknown as Iterable<[bigint, bigint, bigint, bigint]>) {
    const key = linkKey(Number(dir), Number(number));
    if (dev !== lastDev || ino !== lastIno) [lastDev, lastIno, first] = [dev, ino, key];
    several.set(key, first);
  }
  return several;
}

/** Marks this directory and all directories below it. Parents have smaller ids, so one pass is enough. */
export function insideOf({ dirs }: IndexColumns, under: number): Uint8Array {
  const inside = new Uint8Array(dirs.parents.length);
  inside[under] = 1;
  for (let id = under + 1; id < inside.length; id++) inside[id] = inside[dirs.parents[id]!]!;
  return inside;
}

export function nameOf({ names, nameEnds }: EntryBlock, index: number): Uint8Array {
  return names.subarray(index === 0 ? 0 : nameEnds[index - 1]!, nameEnds[index]!);
}

/** Returns codes for the text after the last dot of each name, in lower case. Names without a dot have code 0. */
export function extensionsOf(columns: IndexColumns, block: EntryBlock): Uint16Array {
  if (block.extensions !== undefined) return block.extensions;
  const { text, codes } = columns.extensions;
  const { names, nameEnds } = block;
  const found = new Uint16Array(block.count);
  let start = 0;
  for (let index = 0; index < block.count; index++) {
    const end = nameEnds[index]!;
    let dot = end - 1;
    const limit = Math.max(start, end - 13);
    while (dot > limit && names[dot] !== 0x2e) dot--;
    // A name whose only dot is its first character has no extension.
    if (dot > start && names[dot] === 0x2e && dot < end - 1) {
      const length = end - dot - 1;
      let key: number | string = 0;
      if (length <= 6) {
        for (let at = dot + 1; at < end; at++) {
          const byte = names[at]!;
          key = key * 256 + (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte);
        }
      } else
        key = Buffer.from(names.subarray(dot + 1, end))
          .toString("latin1")
          .toLowerCase();
      let code = codes.get(key);
      if (code === undefined && text.length < 0xffff) {
        code = text.length;
        codes.set(key, code);
        text.push(
          Buffer.from(names.subarray(dot + 1, end))
            .toString("utf8")
            .toLowerCase(),
        );
      }
      found[index] = code ?? 0;
    }
    start = end;
  }
  block.extensions = found;
  return found;
}
