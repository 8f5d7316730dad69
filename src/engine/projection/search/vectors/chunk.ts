// The storage format of vectors: chunks of 1,024, each with a head that stays in memory and 32 bodies that are read to
// compare candidates.
import { crc32 } from "node:zlib";
import { codeWords } from "./quantise.ts";

/** Vectors per chunk, large enough that a manifest can list all chunks. */
export const CHUNK = 1024;
/** Vectors per body: 12 KB at 384 dimensions, small enough to be read for one candidate. */
export const BODY = 32;

/**
 * The location of a passage: its record by version, its field by number, and its window. Version 0 means that it was
 * removed.
 */
export interface ChunkHead {
  versions: Float64Array;
  starts: Uint32Array;
  ends: Uint32Array;
  fields: Uint16Array;
  codes: Uint32Array;
}

export interface ChunkBody {
  scales: Float32Array;
  bytes: Int8Array;
}

export const emptyHead = (rows: number, dimensions: number): ChunkHead => ({
  versions: new Float64Array(rows),
  starts: new Uint32Array(rows),
  ends: new Uint32Array(rows),
  fields: new Uint16Array(rows),
  codes: new Uint32Array(rows * codeWords(dimensions)),
});

export const emptyBody = (dimensions: number): ChunkBody => ({
  scales: new Float32Array(BODY),
  bytes: new Int8Array(BODY * dimensions),
});

export const writeHead = (head: ChunkHead): Uint8Array => pack(headArrays(head));
export const writeBody = ({ scales, bytes }: ChunkBody): Uint8Array => pack([scales, bytes]);

/** Returns undefined if the bytes are missing or damaged. */
export function readHead(stored: Uint8Array | undefined, dimensions: number): ChunkHead | undefined {
  const head = emptyHead(CHUNK, dimensions);
  return unpack(stored, headArrays(head)) ? head : undefined;
}

export function readBody(stored: Uint8Array | undefined, dimensions: number): ChunkBody | undefined {
  const body = emptyBody(dimensions);
  return unpack(stored, [body.scales, body.bytes]) ? body : undefined;
}

type Numbers = Float64Array | Float32Array | Uint32Array | Uint16Array | Int8Array;

const headArrays = ({ versions, starts, ends, fields, codes }: ChunkHead): Numbers[] => [
  versions,
  starts,
  ends,
  fields,
  codes,
];

const asBytes = (part: Numbers): Uint8Array => new Uint8Array(part.buffer, part.byteOffset, part.byteLength);

function pack(parts: readonly Numbers[]): Uint8Array {
  const packed = new Uint8Array(4 + parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 4;
  for (const part of parts) {
    packed.set(asBytes(part), at);
    at += part.byteLength;
  }
  new DataView(packed.buffer).setUint32(0, crc32(packed.subarray(4)), true);
  return packed;
}

function unpack(stored: Uint8Array | undefined, parts: readonly Numbers[]): boolean {
  if (stored?.length !== 4 + parts.reduce((sum, part) => sum + part.byteLength, 0)) return false;
  if (new DataView(stored.buffer, stored.byteOffset).getUint32(0, true) !== crc32(stored.subarray(4))) return false;
  let at = 4;
  for (const part of parts) {
    asBytes(part).set(stored.subarray(at, at + part.byteLength));
    at += part.byteLength;
  }
  return true;
}
