// A segment's blobs: a header with a magic number, lengths and a checksum, followed by numbers and strings that are
// read without copying.
import { crc32 } from "node:zlib";
import type { Keys } from "./column.ts";
import type { StringTable } from "./string-table.ts";

export interface Block {
  keys?: Keys;
  strings?: StringTable;
}

const MAGIC = 0x4c4f4350; // "PCOL"
const HEADER = 32;
const ARRAYS = [Uint8Array, Uint16Array, Uint32Array, undefined, Float64Array] as const;

// Header, as little-endian words: magic, checksum of everything after it, kind of keys, rows, strings (0xffffffff if
// there are none), bytes of strings, total length, 0. Sections start at multiples of 8, so that typed arrays can view
// them in place.
export function encodeBlock(block: Block): { bytes: Uint8Array; checksum: number } {
  const { keys, strings } = block;
  const offsetsAt = HEADER + padded(keys?.byteLength ?? 0);
  const textAt = offsetsAt + padded(strings?.offsets.byteLength ?? 0);
  const total = textAt + (strings?.bytes.length ?? 0);
  const bytes = new Uint8Array(total);
  const header = new DataView(bytes.buffer);
  const words = [
    MAGIC,
    0,
    keys ? ARRAYS.findIndex((array) => array !== undefined && keys instanceof array) : 3,
    keys?.length ?? 0,
    strings ? strings.offsets.length - 1 : 0xffffffff,
    strings?.bytes.length ?? 0,
    total,
  ];
  words.forEach((word, i) => {
    header.setUint32(i * 4, word, true);
  });
  if (keys) bytes.set(new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength), HEADER);
  if (strings) {
    const { offsets } = strings;
    bytes.set(new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength), offsetsAt);
    bytes.set(strings.bytes, textAt);
  }
  const checksum = crc32(bytes.subarray(8));
  header.setUint32(4, checksum, true);
  return { bytes, checksum };
}

/** Returns undefined if the bytes are damaged or are not the expected blob. */
export function decodeBlock(stored: Uint8Array, checksum?: number): Block | undefined {
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  if (bytes.length < HEADER) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const [magic, sum, kind, rows, count, textLength, total] = Array.from({ length: 7 }, (_, i) =>
    header.getUint32(i * 4, true),
  ) as [number, number, number, number, number, number, number];
  if (magic !== MAGIC || total !== bytes.length || (checksum !== undefined && checksum !== sum)) return undefined;
  if (crc32(bytes.subarray(8)) !== sum) return undefined;
  const block: Block = {};
  const array = ARRAYS[kind];
  let at = bytes.byteOffset + HEADER;
  if (array) {
    block.keys = new array(bytes.buffer as ArrayBuffer, at, rows);
    at += padded(block.keys.byteLength);
  }
  if (count !== 0xffffffff) {
    const offsets = new Uint32Array(bytes.buffer as ArrayBuffer, at, count + 1);
    at += padded(offsets.byteLength);
    block.strings = { offsets, bytes: Buffer.from(bytes.buffer as ArrayBuffer, at, textLength) };
  }
  return block;
}

function padded(length: number): number {
  return (length + 7) & ~7;
}
