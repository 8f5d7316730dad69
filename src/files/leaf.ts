// A leaf contains the entries of one directory, packed into one value of the index. Directories come first, then
// everything else, each sorted by name.

/** The maximum number of entries in a leaf. A larger directory has several leaves. */
export const LEAF_ENTRIES = 4096;

/** The upper bits of a mode, as returned by lstat. */
export const TYPE = {
  mask: 0o170000,
  directory: 0o040000,
  file: 0o100000,
  link: 0o120000,
  fifo: 0o010000,
  socket: 0o140000,
  blockDevice: 0o060000,
  characterDevice: 0o020000,
} as const;

/** Entries as columns. Names are stored back to back, as bytes; `nameEnds[i]` is where the name of entry i ends. */
export interface Entries {
  count: number;
  /** The number of directories, which come before all other entries. */
  dirs: number;
  modes: Uint16Array;
  uids: Uint32Array;
  gids: Uint32Array;
  sizes: Float64Array;
  /** Blocks of 512 bytes on the disk. */
  blocks: Float64Array;
  /** Modification times, in whole milliseconds. */
  times: Float64Array;
  names: Uint8Array;
  nameEnds: Uint32Array;
}

/** The numbers of a directory's entries, and the ids of its subdirectories. Both survive a rescan. */
export interface Numbering {
  numbers: Uint32Array;
  dirIds: Uint32Array;
}

export type NumberedEntries = Entries & Numbering;

/*
 * Bytes of a leaf, little-endian:
 *   0 u8  flags               1 u8  width of sizes (low half) and of times (high half)    2 u8 width of blocks
 *   3 u16 attributes          5 u16 entries          7 u16 directories          9 i48 earliest time
 *  15 u32 id of the first directory                 19 u32 number of the first entry
 *  23 attributes (mode, uid, gid), then columns: attribute of each entry, sizes, times, blocks, name lengths, names;
 *     finally numbers and ids, unless they simply count up from the first ones.
 * Numbers are before byte 23 and after the names, so that the disk content can be compared without them.
 */
export const AT = {
  flags: 0,
  widths: 1,
  blocksWidth: 2,
  attributes: 3,
  count: 5,
  dirs: 7,
  time: 9,
  dirId: 15,
  number: 19,
};
export const HEAD = 23;
export const FLAG = { numbered: 1, blocks: 2, longNames: 4, wideOwners: 8 } as const;

/** The space that an entry takes on a file system with 4 KB blocks. If all entries match it, blocks are not stored. */
export function usualBlocks(mode: number, size: number): number {
  const type = mode & TYPE.mask;
  if (type === TYPE.file) return Math.ceil(size / 4096) * 8;
  if (type === TYPE.directory) return size / 512;
  return type === TYPE.link && size >= 60 ? 8 : 0;
}

export const leafCount = (leaf: Uint8Array): number => leaf[AT.count]! | (leaf[AT.count + 1]! << 8);
export const leafDirs = (leaf: Uint8Array): number => leaf[AT.dirs]! | (leaf[AT.dirs + 1]! << 8);

/** Returns the name of an entry, as a view of the leaf's bytes. */
export function nameAt({ names, nameEnds }: Entries, index: number): Uint8Array {
  return names.subarray(index === 0 ? 0 : nameEnds[index - 1]!, nameEnds[index]!);
}

/** Wraps bytes from the database in a Buffer without copying them. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
