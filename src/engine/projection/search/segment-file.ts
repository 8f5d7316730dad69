// Segments as bytes: a checksum, a header in JSON, then the arrays, each at a multiple of eight (little-endian).
import { crc32 } from "node:zlib";
import type { Segment, SegmentArrays, SegmentStream } from "./segment.ts";

interface Header {
  documents: number;
  shift: number;
  streams: SegmentStream[];
  /** Offset and bytes of each array. */
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
  termOffsets: Uint32Array,
  termPool: Uint8Array,
  postingOffsets: Uint32Array,
  postings: Uint8Array,
  skips: Uint32Array,
} as const;
const NAMES = Object.keys(KINDS) as (keyof SegmentArrays)[];

/** Bytes before the header: its checksum over all that follows, its length. */
const PREAMBLE = 8;

export function writeSegment(segment: Segment): Uint8Array {
  let offset = 0;
  const arrays = {} as Header["arrays"];
  for (const name of NAMES) {
    arrays[name] = [offset, segment[name].byteLength];
    offset = align(offset + segment[name].byteLength);
  }
  const { documents, shift, streams } = segment;
  const header = new TextEncoder().encode(JSON.stringify({ documents, shift, streams, arrays } satisfies Header));
  const base = align(PREAMBLE + header.length);
  const bytes = new Uint8Array(base + offset);
  bytes.set(header, PREAMBLE);
  for (const name of NAMES) {
    const part = segment[name];
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), base + arrays[name][0]);
  }
  const view = new DataView(bytes.buffer);
  view.setUint32(4, header.length, true);
  view.setUint32(0, crc32(bytes.subarray(4)), true);
  return bytes;
}

/** The segment, or undefined when the bytes are damaged. The arrays are views: nothing is copied. */
export function readSegment(stored: Uint8Array, dead: Uint8Array): Segment | undefined {
  if (stored.length < PREAMBLE) return undefined;
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== crc32(bytes.subarray(4))) return undefined;
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(PREAMBLE, PREAMBLE + length))) as Header;
  const base = bytes.byteOffset + align(PREAMBLE + length);
  const array = <K extends keyof SegmentArrays>(name: K) => {
    const [offset, size] = header.arrays[name];
    const Kind = KINDS[name];
    return new Kind(bytes.buffer as ArrayBuffer, base + offset, size / Kind.BYTES_PER_ELEMENT) as SegmentArrays[K];
  };
  const arrays = Object.fromEntries(NAMES.map((name) => [name, array(name)])) as unknown as SegmentArrays;
  const { documents, shift, streams } = header;
  return { documents, shift, streams, ...arrays, dead, live: countLive(dead) };
}

/** Dead documents as a bitmap with its checksum. */
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
