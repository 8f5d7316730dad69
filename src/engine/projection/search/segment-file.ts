// Segments as bytes: a checksum, followed by a compressed JSON header and the arrays, each aligned to eight bytes
// (little-endian).
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { SearchSegment, SegmentArrays, SegmentStream } from "./segment.ts";

interface SegmentHeader {
  documents: number;
  shift: number;
  streams: SegmentStream[];
  /** The offset and byte length of each array. */
  arrays: Record<keyof SegmentArrays, [number, number]>;
}

const KINDS = {
  streamOf: Uint16Array,
  versions: Float64Array,
  times: Float64Array,
  consentTimes: Float64Array,
  idOffsets: Uint32Array,
  idPool: Uint8Array,
  idHashes: Uint32Array,
  idDocuments: Uint16Array,
  lengths: Uint8Array,
  languages: Uint8Array,
  fingerprints: Uint32Array,
  termOffsets: Uint32Array,
  termPool: Uint8Array,
  postingOffsets: Uint32Array,
  postings: Uint8Array,
  skips: Uint32Array,
  stemHashes: Uint32Array,
  stemTerms: Uint32Array,
} as const;
const NAMES = Object.keys(KINDS) as (keyof SegmentArrays)[];

/** Ascending numbers are stored as differences, which compress much better. */
const ASCENDING: ReadonlySet<string> = new Set([
  "idOffsets",
  "idHashes",
  "termOffsets",
  "postingOffsets",
  "stemHashes",
]);

/** The checksum, which precedes the compressed rest. */
const PREAMBLE = 4;

export function writeSegment(segment: SearchSegment): Uint8Array {
  let offset = 0;
  const arrays = {} as SegmentHeader["arrays"];
  for (const name of NAMES) {
    arrays[name] = [offset, segment[name].byteLength];
    offset = align(offset + segment[name].byteLength);
  }
  const { documents, shift, streams } = segment;
  const header = new TextEncoder().encode(
    JSON.stringify({ documents, shift, streams, arrays } satisfies SegmentHeader),
  );
  const base = align(4 + header.length);
  const body = new Uint8Array(base + offset);
  new DataView(body.buffer).setUint32(0, header.length, true);
  body.set(header, 4);
  for (const name of NAMES) {
    const part = ASCENDING.has(name) ? differences(segment[name] as Uint32Array) : segment[name];
    body.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), base + arrays[name][0]);
  }
  // Level 1 saves a third of the size and takes 40 ms for a full segment. Higher levels only take longer.
  const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const bytes = new Uint8Array(PREAMBLE + packed.length);
  bytes.set(packed, PREAMBLE);
  new DataView(bytes.buffer).setUint32(0, crc32(packed), true);
  return bytes;
}

/** Room for the header and the gaps between arrays. */
const SLACK = 1 << 18;

/**
 * Returns undefined if the bytes are damaged. The arrays are views of one buffer. `size` is their approximate total
 * size: unpacking into one buffer of that size avoids joining small ones.
 */
export function readSegment(stored: Uint8Array, dead: Uint8Array, size: number): SearchSegment | undefined {
  if (stored.length < PREAMBLE) return undefined;
  const packed = stored.subarray(PREAMBLE);
  if (new DataView(stored.buffer, stored.byteOffset).getUint32(0, true) !== crc32(packed)) return undefined;
  const unpacked = zstdDecompressSync(packed, { chunkSize: size + SLACK });
  const body = unpacked.byteOffset % 8 === 0 ? unpacked : new Uint8Array(unpacked);
  const length = new DataView(body.buffer, body.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(body.subarray(4, 4 + length))) as SegmentHeader;
  const base = body.byteOffset + align(4 + length);
  const array = <K extends keyof SegmentArrays>(name: K) => {
    const [offset, size] = header.arrays[name];
    const Kind = KINDS[name];
    const part = new Kind(body.buffer as ArrayBuffer, base + offset, size / Kind.BYTES_PER_ELEMENT);
    if (ASCENDING.has(name)) addUp(part as Uint32Array);
    return part as SegmentArrays[K];
  };
  const arrays = Object.fromEntries(NAMES.map((name) => [name, array(name)])) as unknown as SegmentArrays;
  const { documents, shift, streams } = header;
  return { documents, shift, streams, ...arrays, dead, live: countLive(dead) };
}

function differences(values: Uint32Array): Uint32Array {
  return values.map((value, at) => (at === 0 ? value : value - values[at - 1]!));
}

/** The inverse of `differences`, in place. */
function addUp(values: Uint32Array): void {
  let value = 0;
  for (let at = 0; at < values.length; at++) values[at] = value += values[at]!;
}

/** Encodes dead documents as a bitmap with a checksum. */
export function writeDead(dead: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + Math.ceil(dead.length / 8));
  for (let document = 0; document < dead.length; document++)
    if (dead[document] !== 0) bytes[4 + (document >> 3)]! |= 1 << (document & 7);
  new DataView(bytes.buffer).setUint32(0, crc32(bytes.subarray(4)), true);
  return bytes;
}

export function readDead(bytes: Uint8Array, documents: number): Uint8Array | undefined {
  if (bytes.length !== 4 + Math.ceil(documents / 8)) return undefined;
  const sum = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (sum !== crc32(bytes.subarray(4))) return undefined;
  return Uint8Array.from({ length: documents }, (_, document) => (bytes[4 + (document >> 3)]! >> (document & 7)) & 1);
}

export function countLive(dead: Uint8Array): number {
  let live = dead.length;
  for (let document = 0; document < dead.length; document++) live -= dead[document]!;
  return live;
}

function align(offset: number): number {
  return (offset + 7) & ~7;
}
