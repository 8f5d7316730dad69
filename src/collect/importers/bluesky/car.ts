// CAR files, the format of a Bluesky repository: blocks of DAG-CBOR, each preceded by its content id. Only the features
// that these files use are supported.
import type { Entry } from "../../entry.ts";

/** A DAG-CBOR value. A link to another block is `{ link }`. */
export type CborValue = null | boolean | number | string | Buffer | CborValue[] | CborMap;
export interface CborMap {
  [name: string]: CborValue;
}

export interface CarBlock {
  /** The content id in hex. Empty for the header, which comes first and lists the roots. */
  id: string;
  offset: number;
  /** Undefined if the block is not DAG-CBOR. */
  value: CborValue | undefined;
}

/** Records are smaller than 2 MB, and so are the tree nodes that list them. */
const BLOCK_BYTES_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 64;

export const isMap = (value: CborValue | undefined): value is CborMap =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);

/** Throws if the file is not a CAR file, or is truncated. */
export async function* carBlocks(entry: Entry): AsyncGenerator<CarBlock> {
  let held = Buffer.alloc(0);
  let position = 0;
  let isHeader = true;
  for await (const piece of entry.open()) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    for (let next = sectionIn(held); next !== undefined; next = sectionIn(held)) {
      const { begin, end } = next;
      const section = held.subarray(begin, end);
      if (isHeader) {
        const header = decoded(section);
        if (!isMap(header) || header.version !== 1) throw new Error("it is not a version 1 CAR file");
        isHeader = false;
        yield { id: "", offset: 0, value: header };
      } else {
        const idBytes = idLength(section);
        yield { id: section.toString("hex", 0, idBytes), offset: position, value: decoded(section.subarray(idBytes)) };
      }
      held = held.subarray(end);
      position += end;
    }
  }
  if (isHeader) throw new Error("it is not a CAR file");
  if (held.length > 0) throw new Error(`it is truncated at byte ${position + held.length}`);
}

/** Finds the next section, if it is complete: a varint length (seven bits per byte), followed by that many bytes. */
function sectionIn(bytes: Buffer): { begin: number; end: number } | undefined {
  let length = 0;
  for (let at = 0; at < Math.min(bytes.length, 5); at++) {
    length += (bytes[at]! & 0x7f) * 2 ** (7 * at);
    if (bytes[at]! >= 0x80) continue;
    if (length === 0 || length > BLOCK_BYTES_MAX) throw new Error("a block has an invalid length");
    return at + 1 + length > bytes.length ? undefined : { begin: at + 1, end: at + 1 + length };
  }
  if (bytes.length >= 5) throw new Error("a block has an invalid length");
  return undefined;
}

/**
 * Version 1 ids consist of the version, the codec, the digest type and the digest length, one byte each here, and then
 * the digest.
 */
function idLength(section: Buffer): number {
  const digest = section[0] === 0x12 ? 1 : 3;
  return digest + 1 + (section[digest] ?? 0);
}

function decoded(bytes: Buffer): CborValue | undefined {
  let at = 0;
  const need = (count: number): number => {
    const from = at;
    at += count;
    if (at > bytes.length) throw new RangeError("it ends too early");
    return from;
  };
  const argument = (info: number): number => {
    if (info < 24) return info;
    if (info === 24) return bytes.readUInt8(need(1));
    if (info === 25) return bytes.readUInt16BE(need(2));
    if (info === 26) return bytes.readUInt32BE(need(4));
    if (info === 27) return Number(bytes.readBigUInt64BE(need(8)));
    throw new RangeError("a value has an invalid length");
  };
  const bounded = (count: number): number => {
    if (count > bytes.length - at) throw new RangeError("it ends too early");
    return count;
  };
  const slice = (count: number): Buffer => {
    const from = need(bounded(count));
    return bytes.subarray(from, at);
  };
  const value = (depth: number): CborValue => {
    if (depth > DEPTH_MAX) throw new RangeError("nested too deeply");
    const first = bytes[need(1)]!;
    const [major, info] = [first >> 5, first & 31];
    if (major === 7) return simple(info);
    const length = argument(info);
    if (major === 0) return length;
    if (major === 1) return -1 - length;
    if (major === 2) return slice(length);
    if (major === 3) return slice(length).toString("utf8").toWellFormed();
    if (major === 4) return Array.from({ length: bounded(length) }, () => value(depth + 1));
    if (major === 6) {
      const inner = value(depth + 1);
      // A link starts with a byte that identifies its encoding.
      return Buffer.isBuffer(inner) ? { link: inner.toString("hex", 1) } : inner;
    }
    const map = Object.create(null) as CborMap;
    for (let left = bounded(length); left > 0; left--) map[String(value(depth + 1))] = value(depth + 1);
    return map;
  };
  const simple = (info: number): CborValue => {
    if (info === 20 || info === 21) return info === 21;
    if (info === 27) return bytes.readDoubleBE(need(8));
    return null;
  };
  try {
    return value(0);
  } catch {
    return undefined;
  }
}
