// Packs a directory's entries into leaves and numbers them.
import { AT, type Entries, FLAG, HEAD, LEAF_ENTRIES, type Numbering, usualBlocks } from "./leaf.ts";

/** The maximum size of one entry, excluding its name. */
const ENTRY_BYTES_MAX = 10 + 2 + 7 + 6 + 7 + 2 + 8;

function widthOf(value: number): number {
  let width = 0;
  for (let limit = 1; value >= limit; limit *= 256) width++;
  return width;
}

/** The maximum size of a leaf with entries from…to. */
export function leafBytesMax({ nameEnds }: Entries, from: number, to: number): number {
  const nameBytes = to === from ? 0 : nameEnds[to - 1]! - (from === 0 ? 0 : nameEnds[from - 1]!);
  return HEAD + (to - from) * ENTRY_BYTES_MAX + nameBytes;
}

const codes = new Uint16Array(LEAF_ENTRIES);
/** For each attribute of the leaf, the first entry that has it. */
const examples = new Uint32Array(LEAF_ENTRIES);

function sameAttributes({ modes, uids, gids }: Entries, one: number, other: number): boolean {
  return modes[one] === modes[other] && uids[one] === uids[other] && gids[one] === gids[other];
}

/** Writes entries from…to (at most LEAF_ENTRIES) as a leaf into `out`, and returns where it ends. */
export function encodeLeaf(out: Buffer, at: number, entries: Entries, from: number, to: number): number {
  const { modes, uids, gids, sizes, blocks, times, names, nameEnds } = entries;
  const namesFrom = from === 0 ? 0 : nameEnds[from - 1]!;
  let sizeMax = 0;
  let blocksMax = 0;
  let timeMin = Number.POSITIVE_INFINITY;
  let timeMax = 0;
  let nameMax = 0;
  let ownerMax = 0;
  let usual = true;
  let nameStart = namesFrom;
  for (let index = from; index < to; index++) {
    const size = sizes[index]!;
    const time = times[index]!;
    const taken = blocks[index]!;
    const nameEnd = nameEnds[index]!;
    if (size > sizeMax) sizeMax = size;
    if (time < timeMin) timeMin = time;
    if (time > timeMax) timeMax = time;
    if (taken > blocksMax) blocksMax = taken;
    if (usual && taken !== usualBlocks(modes[index]!, size)) usual = false;
    if (nameEnd - nameStart > nameMax) nameMax = nameEnd - nameStart;
    if (uids[index]! > ownerMax) ownerMax = uids[index]!;
    if (gids[index]! > ownerMax) ownerMax = gids[index]!;
    nameStart = nameEnd;
  }
  if (to === from) timeMin = 0;
  const wideOwners = ownerMax > 0xffff;
  const longNames = nameMax > 0xff;
  const sizeWidth = widthOf(sizeMax);
  const timeWidth = widthOf(Math.max(0, timeMax - timeMin));
  const blocksWidth = usual ? 0 : widthOf(blocksMax);

  let place = at + HEAD;
  let attributes = 0;
  for (let index = from, code = 0; index < to; index++) {
    // Neighbours mostly have the same attributes, and a directory has few, so searching a list is fastest.
    if (index === from || !sameAttributes(entries, index, index - 1)) {
      code = 0;
      while (code < attributes && !sameAttributes(entries, index, examples[code]!)) code++;
      if (code === attributes) {
        examples[attributes++] = index;
        place = out.writeUInt16LE(modes[index]!, place);
        place = wideOwners ? out.writeUInt32LE(uids[index]!, place) : out.writeUInt16LE(uids[index]!, place);
        place = wideOwners ? out.writeUInt32LE(gids[index]!, place) : out.writeUInt16LE(gids[index]!, place);
      }
    }
    codes[index - from] = code;
  }
  const codeWidth = attributes > 0x100 ? 2 : attributes > 1 ? 1 : 0;
  for (let index = 0; index < to - from && codeWidth > 0; index++) {
    out[place++] = codes[index]!;
    if (codeWidth === 2) out[place++] = codes[index]! >>> 8;
  }
  place = writeColumn(out, place, sizes, from, to, sizeWidth, 0);
  place = writeColumn(out, place, times, from, to, timeWidth, timeMin);
  place = writeColumn(out, place, blocks, from, to, blocksWidth, 0);
  nameStart = namesFrom;
  for (let index = from; index < to; index++) {
    const length = nameEnds[index]! - nameStart;
    out[place++] = length;
    if (longNames) out[place++] = length >>> 8;
    nameStart = nameEnds[index]!;
  }
  out.set(names.subarray(namesFrom, nameStart), place);
  place += nameStart - namesFrom;

  out[at + AT.flags] =
    (usual ? 0 : FLAG.blocks) | (longNames ? FLAG.longNames : 0) | (wideOwners ? FLAG.wideOwners : 0);
  out[at + AT.widths] = sizeWidth | (timeWidth << 4);
  out[at + AT.blocksWidth] = blocksWidth;
  out.writeUInt16LE(attributes, at + AT.attributes);
  out.writeUInt16LE(to - from, at + AT.count);
  out.writeUInt16LE(Math.max(0, Math.min(entries.dirs, to) - from), at + AT.dirs);
  out.writeIntLE(timeMin, at + AT.time, 6);
  out.writeUInt32LE(0, at + AT.dirId);
  out.writeUInt32LE(from, at + AT.number);
  return place;
}

function writeColumn(
  out: Buffer,
  at: number,
  values: Float64Array,
  from: number,
  to: number,
  width: number,
  base: number,
): number {
  let place = at;
  if (width === 0) return place;
  for (let index = from; index < to; index++) {
    const value = values[index]! - base;
    const low = value >>> 0;
    out[place++] = low;
    if (width > 1) out[place++] = low >>> 8;
    if (width > 2) out[place++] = low >>> 16;
    if (width > 3) out[place++] = low >>> 24;
    if (width > 4) {
      const high = Math.floor(value / 2 ** 32);
      out[place++] = high;
      if (width > 5) out[place++] = high >>> 8;
      if (width > 6) out[place++] = high >>> 16;
    }
  }
  return place;
}

/** Sets the id of the first directory in a leaf whose directories are numbered consecutively. */
export function setFirstDirId(leaf: Buffer, dirId: number): void {
  leaf.writeUInt32LE(dirId, AT.dirId);
}

/** Returns a copy of the leaf with explicit numbers. */
export function withNumbering(leaf: Buffer, { numbers, dirIds }: Numbering): Buffer {
  const out = Buffer.allocUnsafe(leaf.length + (numbers.length + dirIds.length) * 4);
  leaf.copy(out);
  out[AT.flags] = out[AT.flags]! | FLAG.numbered;
  let place = leaf.length;
  for (const number of numbers) place = out.writeUInt32LE(number, place);
  for (const id of dirIds) place = out.writeUInt32LE(id, place);
  return out;
}
