// The chunks of a backup, and the ids that let two backups share them.
import { createCipheriv, hash, hkdfSync, type KeyObject } from "node:crypto";

/**
 * Databases are split into pages. With 1 % new and changed records, a second backup writes 1.3 to 2.3 % of the
 * databases with 8 KB pieces, 2.7 to 4.1 % with 64 KB pieces, and 11 to 12 % with 1 MB pieces.
 */
export const PAGE_BYTES = 8192;
/** Files never change, so their piece size affects only the memory used, not the size of the next backup. */
export const PIECE_BYTES = 1024 * 1024;
export const ID_BYTES = 16;

/** One character per byte. */
export type ChunkId = string;

export interface ChunkNames {
  /** Stored in the backup, so that the backup can be checked without its home. */
  readonly secret: Buffer;
  ofPage(bytes: Uint8Array): ChunkId;
  /**
   * Hashes many pages together, in an eighth of the time. The id only shows that the home has read the same bytes
   * before. A backup's manifest lists the ids of pages instead.
   */
  ofBlock(bytes: Uint8Array): ChunkId;
  /** The id of one piece of a blob, computed from the blob's digest without reading the piece. */
  ofPiece(sha256: string, index: number): ChunkId;
}

/** Ids are keyed, so that no one can test guesses at a page or a file against an encrypted backup. */
export const namesFor = (key: KeyObject, repository: string): ChunkNames =>
  namesFrom(Buffer.from(hkdfSync("sha256", key, "", `postern backup ${repository}`, 32)));

export function namesFrom(secret: Buffer): ChunkNames {
  const blockKey = Buffer.from(hkdfSync("sha256", secret, "", "postern backup blocks", 32));
  const keyed = Buffer.alloc(64);
  secret.copy(keyed);
  const idOf = (digest: Buffer): ChunkId => {
    digest.copy(keyed, 32);
    return hash("sha256", keyed, "buffer").toString("latin1", 0, ID_BYTES);
  };
  return {
    secret,
    ofPage: (bytes) => idOf(hash("sha256", bytes, "buffer")),
    ofBlock: (bytes) => idOf(hash("sha256", blockTag(bytes, blockKey), "buffer")),
    ofPiece: (sha256, index) => idOf(hash("sha256", `${sha256}:${index}`, "buffer")),
  };
}

/**
 * GMAC with a fixed nonce, used as a universal hash: without the key, two different 1 MB blocks have the same tag with
 * a probability of 2^-112. This is true only while tags stay secret, so only a keyed digest of the tag is stored.
 */
function blockTag(bytes: Uint8Array, key: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, NONCE);
  cipher.setAAD(bytes);
  cipher.final();
  return cipher.getAuthTag();
}

const NONCE = Buffer.alloc(12);

export const piecesOf = ({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }, names: ChunkNames): ChunkId[] =>
  Array.from({ length: Math.ceil(sizeBytes / PIECE_BYTES) }, (_, index) => names.ofPiece(sha256, index));

export const idsToText = (ids: readonly ChunkId[]): string => Buffer.from(ids.join(""), "latin1").toString("base64");

export function idsFromText(text: string): ChunkId[] {
  const all = Buffer.from(text, "base64").toString("latin1");
  return Array.from({ length: Math.ceil(all.length / ID_BYTES) }, (_, at) =>
    all.slice(at * ID_BYTES, (at + 1) * ID_BYTES),
  );
}
