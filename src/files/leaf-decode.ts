// Unpacks leaves: a whole directory, or only the requested parts.
import {
  AT,
  FLAG,
  HEAD,
  leafCount,
  leafDirs,
  type NumberedEntries,
  type Numbering,
  TYPE,
  usualBlocks,
} from "./leaf.ts";

/** True if two leaves describe the same disk content, ignoring node numbers. */
export function sameLeaf(one: Buffer, other: Buffer): boolean {
  const [oneEnd, otherEnd] = [one, other].map((leaf) => leaf.length - numberingBytes(leaf)) as [number, number];
  return (
    oneEnd === otherEnd &&
    (one[AT.flags]! & ~FLAG.numbered) === (other[AT.flags]! & ~FLAG.numbered) &&
    one.compare(other, AT.widths, AT.dirId, AT.widths, AT.dirId) === 0 &&
    one.compare(other, HEAD, otherEnd, HEAD, oneEnd) === 0
  );
}

const numberingBytes = (leaf: Uint8Array): number =>
  (leaf[AT.flags]! & FLAG.numbered) === 0 ? 0 : (leafCount(leaf) + leafDirs(leaf)) * 4;

/** Unpacks a whole directory from its leaves, which must be in order. */
export function decodeLeaves(leaves: readonly Uint8Array[]): NumberedEntries {
  let [count, dirs, nameBytes] = [0, 0, 0];
  for (const leaf of leaves) {
    count += leafCount(leaf);
    dirs += leafDirs(leaf);
    nameBytes += leaf.length;
  }
  const entries: NumberedEntries = {
    count,
    dirs,
    modes: new Uint16Array(count),
    uids: new Uint32Array(count),
    gids: new Uint32Array(count),
    sizes: new Float64Array(count),
    blocks: new Float64Array(count),
    times: new Float64Array(count),
    // Most directories have only one leaf, so use its names without copying them.
    names: leaves.length === 1 ? leaves[0]! : new Uint8Array(nameBytes),
    nameEnds: new Uint32Array(count),
    numbers: new Uint32Array(count),
    dirIds: new Uint32Array(dirs),
  };
  const filled = { entries: 0, dirs: 0, names: 0 };
  for (const leaf of leaves) decodeInto(entries, leaf, filled, leaves.length > 1);
  if (leaves.length === 1 && count > 0) entries.names = leaves[0]!.subarray(filled.names, entries.nameEnds[count - 1]!);
  if (leaves.length === 1) for (let index = 0; index < count; index++) entries.nameEnds[index]! -= filled.names;
  return entries;
}

/** `filled.names` is where the names of a single leaf begin, or how many bytes of names were copied. */
export function decodeInto(
  entries: NumberedEntries,
  leaf: Uint8Array,
  filled: { entries: number; dirs: number; names: number },
  copies: boolean,
): void {
  const view = Buffer.from(leaf.buffer, leaf.byteOffset, leaf.byteLength);
  const flags = leaf[AT.flags]!;
  const count = leafCount(leaf);
  const dirs = leafDirs(leaf);
  const attributes = view.readUInt16LE(AT.attributes);
  const timeMin = view.readIntLE(AT.time, 6);
  const wideOwners = (flags & FLAG.wideOwners) !== 0;
  const attributeBytes = wideOwners ? 10 : 6;
  const first = filled.entries;
  let place = HEAD + attributes * attributeBytes;
  const codeWidth = attributes > 0x100 ? 2 : attributes > 1 ? 1 : 0;
  for (let index = 0; index < count; index++) {
    const code = codeWidth === 0 ? 0 : codeWidth === 1 ? leaf[place++]! : view.readUInt16LE(place);
    if (codeWidth === 2) place += 2;
    const attribute = HEAD + code * attributeBytes;
    entries.modes[first + index] = leaf[attribute]! | (leaf[attribute + 1]! << 8);
    entries.uids[first + index] = wideOwners ? view.readUInt32LE(attribute + 2) : view.readUInt16LE(attribute + 2);
    entries.gids[first + index] = wideOwners ? view.readUInt32LE(attribute + 6) : view.readUInt16LE(attribute + 4);
  }
  const { sizes, times, blocks, modes, nameEnds } = entries;
  const sizeWidth = leaf[AT.widths]! & 15;
  place = readColumn(leaf, place, sizes, first, count, sizeWidth, 0);
  place = readColumn(leaf, place, times, first, count, leaf[AT.widths]! >>> 4, timeMin);
  if ((flags & FLAG.blocks) !== 0) place = readColumn(leaf, place, blocks, first, count, leaf[AT.blocksWidth]!, 0);
  else
    for (let index = first; index < first + count; index++) blocks[index] = usualBlocks(modes[index]!, sizes[index]!);
  const longNames = (flags & FLAG.longNames) !== 0;
  const names = place + count * (longNames ? 2 : 1);
  let end = copies ? filled.names : names;
  const start = end;
  for (let index = 0; index < count; index++) {
    end += longNames ? view.readUInt16LE(place) : leaf[place]!;
    place += longNames ? 2 : 1;
    nameEnds[first + index] = end;
  }
  if (copies) entries.names.set(leaf.subarray(names, names + end - start), start);
  filled.names = copies ? end : names;
  readNumbering(view, names + end - start, entries, first, filled.dirs);
  filled.entries += count;
  filled.dirs += dirs;
}

function readColumn(
  leaf: Uint8Array,
  at: number,
  values: Float64Array,
  first: number,
  count: number,
  width: number,
  base: number,
): number {
  let place = at;
  for (let index = first; index < first + count; index++) {
    let value = 0;
    if (width > 0) value = leaf[place]!;
    if (width > 1) value += leaf[place + 1]! * 0x100;
    if (width > 2) value += leaf[place + 2]! * 0x10000;
    if (width > 3) value += leaf[place + 3]! * 0x1000000;
    if (width > 4) value += leaf[place + 4]! * 2 ** 32;
    if (width > 5) value += leaf[place + 5]! * 2 ** 40;
    if (width > 6) value += leaf[place + 6]! * 2 ** 48;
    values[index] = base + value;
    place += width;
  }
  return place;
}

/** Returns the names of a leaf's directories, as views of its bytes. */
export function dirNames(leaf: Buffer): Buffer[] {
  const dirs = leafDirs(leaf);
  if (dirs === 0) return [];
  const count = leafCount(leaf);
  const flags = leaf[AT.flags]!;
  const attributes = leaf.readUInt16LE(AT.attributes);
  const codeWidth = attributes > 0x100 ? 2 : attributes > 1 ? 1 : 0;
  const widths = leaf[AT.widths]!;
  const longNames = (flags & FLAG.longNames) !== 0;
  const columns = codeWidth + (widths & 15) + (widths >>> 4) + leaf[AT.blocksWidth]!;
  let lengths = HEAD + attributes * ((flags & FLAG.wideOwners) === 0 ? 6 : 10) + count * columns;
  let at = lengths + count * (longNames ? 2 : 1);
  const names: Buffer[] = [];
  for (let index = 0; index < dirs; index++) {
    const length = longNames ? leaf.readUInt16LE(lengths) : leaf[lengths]!;
    lengths += longNames ? 2 : 1;
    names.push(leaf.subarray(at, at + length));
    at += length;
  }
  return names;
}

/** Returns the number of one entry. */
export function numberOf(leaf: Buffer, index: number): number {
  if ((leaf[AT.flags]! & FLAG.numbered) === 0) return leaf.readUInt32LE(AT.number) + index;
  return leaf.readUInt32LE(leaf.length - numberingBytes(leaf) + index * 4);
}

/** Unpacks only the numbers of a directory's entries. */
export function numberingOf(leaves: readonly Buffer[]): Numbering {
  const sum = (of: (leaf: Buffer) => number): number => leaves.reduce((all, leaf) => all + of(leaf), 0);
  const numbering = { numbers: new Uint32Array(sum(leafCount)), dirIds: new Uint32Array(sum(leafDirs)) };
  let [entry, dir] = [0, 0];
  for (const leaf of leaves) {
    readNumbering(leaf, leaf.length - numberingBytes(leaf), numbering, entry, dir);
    entry += leafCount(leaf);
    dir += leafDirs(leaf);
  }
  return numbering;
}

function readNumbering(leaf: Buffer, at: number, { numbers, dirIds }: Numbering, entry: number, dir: number): void {
  const count = leafCount(leaf);
  const dirs = leafDirs(leaf);
  if ((leaf[AT.flags]! & FLAG.numbered) === 0) {
    const number = leaf.readUInt32LE(AT.number);
    const dirId = leaf.readUInt32LE(AT.dirId);
    for (let index = 0; index < count; index++) numbers[entry + index] = number + index;
    for (let index = 0; index < dirs; index++) dirIds[dir + index] = dirId + index;
    return;
  }
  for (let index = 0; index < count; index++) numbers[entry + index] = leaf.readUInt32LE(at + index * 4);
  const ids = at + count * 4;
  for (let index = 0; index < dirs; index++) dirIds[dir + index] = leaf.readUInt32LE(ids + index * 4);
}

/** Visits the regular files in a leaf that are larger than `above`. Unpacks only what it needs for that. */
export function eachLarger(leaf: Uint8Array, above: number, visit: (index: number, size: number) => void): void {
  const attributes = leaf[AT.attributes]! | (leaf[AT.attributes + 1]! << 8);
  const attributeBytes = (leaf[AT.flags]! & FLAG.wideOwners) === 0 ? 6 : 10;
  const codeWidth = attributes > 0x100 ? 2 : attributes > 1 ? 1 : 0;
  const width = leaf[AT.widths]! & 15;
  const count = leafCount(leaf);
  const codesAt = HEAD + attributes * attributeBytes;
  const sizesAt = codesAt + count * codeWidth;
  for (let index = leafDirs(leaf); index < count; index++) {
    let size = 0;
    for (let byte = width - 1, at = sizesAt + index * width; byte >= 0; byte--) size = size * 256 + leaf[at + byte]!;
    if (size <= above) continue;
    const code =
      codeWidth === 0
        ? 0
        : leaf[codesAt + index * codeWidth]! | (codeWidth === 2 ? leaf[codesAt + index * 2 + 1]! << 8 : 0);
    const mode = leaf[HEAD + code * attributeBytes]! | (leaf[HEAD + code * attributeBytes + 1]! << 8);
    if ((mode & TYPE.mask) === TYPE.file) visit(index, size);
  }
}
