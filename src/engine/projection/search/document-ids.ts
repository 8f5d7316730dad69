// Finds a record's document by stream and id.
import { lowerBound } from "../../../core/binary-search.ts";
import { hashBytes } from "../../../core/search/tokenise.ts";
import type { SearchSegment } from "./segment.ts";

const encoder = new TextEncoder();

/** Id hashes are stored, so the basis must be the same everywhere. */
const ID_BASIS = 0x811c9dc5;

export interface RecordName {
  streamNo: number;
  bytes: Uint8Array;
  hash: number;
}

export function recordName(streamNo: number, id: string): RecordName {
  const bytes = encoder.encode(id);
  return { streamNo, bytes, hash: nameHash(streamNo, bytes) };
}

export function nameHash(streamNo: number, id: Uint8Array): number {
  return Math.imul(hashBytes(id, id.length, ID_BASIS) ^ streamNo, 0x9e3779b1) >>> 0;
}

/** A record's live document, or -1. */
export function findDocument(segment: SearchSegment, name: RecordName): number {
  const { idHashes, idDocuments, idOffsets, idPool, streamOf, streams, dead } = segment;
  for (let index = lowerBound(idHashes, name.hash); idHashes[index] === name.hash; index++) {
    const document = idDocuments[index]!;
    const from = idOffsets[document]!;
    if (dead[document] || streams[streamOf[document]!]!.streamNo !== name.streamNo) continue;
    if (idOffsets[document + 1]! - from !== name.bytes.length) continue;
    let at = 0;
    while (at < name.bytes.length && idPool[from + at] === name.bytes[at]) at++;
    if (at === name.bytes.length) return document;
  }
  return -1;
}

/** Sorted hashes with their documents, for `findDocument`. */
export function hashOrder(hashes: Uint32Array): { idHashes: Uint32Array; idDocuments: Uint16Array } {
  // Combined into one number, which sorts natively and stays below 2^53.
  const keys = Float64Array.from(hashes, (hash, document) => hash * 65_536 + document).sort();
  const idHashes = new Uint32Array(keys.length);
  const idDocuments = new Uint16Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const document = keys[at]! % 65_536;
    idDocuments[at] = document;
    idHashes[at] = (keys[at]! - document) / 65_536;
  }
  return { idHashes, idDocuments };
}
