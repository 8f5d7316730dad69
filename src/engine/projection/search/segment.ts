// A segment: documents and their inverted index in typed arrays, immutable except for the dead documents.
import { compareBytes } from "./byte-pool.ts";

/** A stream's shape in a segment: field names in order of their numbers, with weights. */
export interface SegmentStream {
  streamNo: number;
  fields: { name: string; weight: number }[];
  timeField?: string;
}

/** The parts of a segment as they are stored. All lengths follow from `documents`, `shift` and the offsets. */
export interface SegmentArrays {
  /**
   * For each document: index into `streams`, version, authored time and consent time (NaN if missing), id bytes.
   */
  streamOf: Uint16Array;
  versions: Float64Array;
  times: Float64Array;
  /** Empty if it equals the authored time for all documents. */
  consentTimes: Float64Array;
  idOffsets: Uint32Array;
  idPool: Uint8Array;
  /** Hashes of (stream, id) in ascending order, and the document of each. */
  idHashes: Uint32Array;
  idDocuments: Uint16Array;
  /** Length codes, indexed by `document << shift | field`. */
  lengths: Uint8Array;
  /** The language of each text, with the same index. */
  languages: Uint8Array;
  /** Equal texts have equal fingerprints. Same index as above. */
  fingerprints: Uint32Array;
  /** Terms in byte order. */
  termOffsets: Uint32Array;
  termPool: Uint8Array;
  /** Where each term's postings begin. */
  postingOffsets: Uint32Array;
  postings: Uint8Array;
  /**
   * For terms with more postings than one block: the document before each block, and the block's offsets in postings
   * and in positions.
   */
  skips: Uint32Array;
  /**
   * Hashes of stems with their language in ascending order, and each one's term. Terms that are their own stem are not
   * included.
   */
  stemHashes: Uint32Array;
  stemTerms: Uint32Array;
}

export interface SearchSegment extends SegmentArrays {
  documents: number;
  /** The number of bits in a field number. */
  shift: number;
  streams: SegmentStream[];
  /** 1 for documents that were replaced or deleted since the segment was sealed. */
  dead: Uint8Array;
  live: number;
}

/** The number of the first term that does not sort before these bytes. */
function lowerTerm(segment: SearchSegment, bytes: Uint8Array): number {
  const { termOffsets, termPool } = segment;
  let low = 0;
  let high = termOffsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(termPool, termOffsets[middle]!, termOffsets[middle + 1]!, bytes, 0, bytes.length) < 0)
      low = middle + 1;
    else high = middle;
  }
  return low;
}

export function findTerm(segment: SearchSegment, bytes: Uint8Array): number {
  const term = lowerTerm(segment, bytes);
  const { termOffsets, termPool } = segment;
  if (term === termOffsets.length - 1) return -1;
  return compareBytes(termPool, termOffsets[term]!, termOffsets[term + 1]!, bytes, 0, bytes.length) === 0 ? term : -1;
}

/** The range of terms that begin with these bytes. */
export function termRange(segment: SearchSegment, bytes: Uint8Array): { from: number; to: number } {
  const from = lowerTerm(segment, bytes);
  // UTF-8 never contains the byte 0xff, so this sorts after every continuation.
  const beyond = new Uint8Array(bytes.length + 1);
  beyond.set(bytes);
  beyond[bytes.length] = 0xff;
  return { from, to: lowerTerm(segment, beyond) };
}

/** In a segment with 100,000 stems, most hashes are closer than this to their expected place. */
const STEM_REACH = 256;

/**
 * Where the terms with this stem begin and end in `stemTerms`. Hashes are spread evenly, so the search starts near the
 * expected place and stays in a few cache lines. A search that starts in the middle reads cold memory at every step.
 */
export function stemRange({ stemHashes }: SearchSegment, hash: number): { from: number; to: number } {
  const size = stemHashes.length;
  const expected = Math.floor((hash / 2 ** 32) * size);
  let from = 0;
  let high = size;
  for (let reach = STEM_REACH; ; reach *= 4) {
    from = Math.max(0, expected - reach);
    high = Math.min(size, expected + reach);
    if ((from === 0 || stemHashes[from]! < hash) && (high === size || stemHashes[high]! >= hash)) break;
  }
  while (from < high) {
    const middle = (from + high) >>> 1;
    if (stemHashes[middle]! < hash) from = middle + 1;
    else high = middle;
  }
  let to = from;
  while (to < size && stemHashes[to] === hash) to++;
  return { from, to };
}

const decoder = new TextDecoder();

export function documentId(segment: SearchSegment, document: number): string {
  return decoder.decode(segment.idPool.subarray(segment.idOffsets[document]!, segment.idOffsets[document + 1]!));
}

export function segmentBytes(segment: SearchSegment): number {
  let bytes = segment.dead.byteLength;
  for (const part of Object.values(segment)) if (ArrayBuffer.isView(part)) bytes += part.byteLength;
  return bytes;
}
