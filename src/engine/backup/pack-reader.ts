// Reads a pack's chunks in disk order, and checks each one.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { zstdDecompressSync } from "node:zlib";
import { Decrypter } from "age-encryption";
import { PdppError } from "../../contract/errors.ts";
import { bytePieces } from "./byte-pieces.ts";
import type { ChunkId } from "./chunks.ts";
import { backupDamaged } from "./damaged.ts";
import type { PackIndex } from "./pack-index.ts";
import { PACK_HEADER } from "./pack-writer.ts";

export interface ReadPackOptions {
  folder: string;
  /** The secret that decrypts an encrypted backup. */
  identity?: string;
  wants(id: ChunkId): boolean;
  take(id: ChunkId, bytes: Buffer): void | Promise<void>;
}

export async function readPack(pack: PackIndex, { folder, identity, wants, take }: ReadPackOptions): Promise<void> {
  const source = createReadStream(join(folder, pack.name), { highWaterMark: 256 * 1024 });
  try {
    const bytes = bytePieces(await plainBytes(source, identity));
    const next = async (length: number): Promise<Buffer> => {
      const piece = await bytes.next(length);
      if (piece?.length !== length) throw backupDamaged(`${pack.name} ends too early`);
      return piece;
    };
    const header = await next(PACK_HEADER.length);
    if (!header.equals(PACK_HEADER)) throw backupDamaged(`${pack.name} is damaged`);
    let chunkNo = 0;
    for (const [stored, raw] of pack.frames) {
      const frame = await next(stored);
      const chunks: { id: ChunkId; at: number; length: number }[] = [];
      for (let at = 0; at < raw; at += chunks.at(-1)!.length) {
        const chunk = pack.chunks[chunkNo++];
        if (chunk === undefined || chunk.length === 0)
          throw backupDamaged(`the index of ${pack.name} does not match it`);
        chunks.push({ ...chunk, at });
      }
      if (!chunks.some(({ id }) => wants(id))) continue;
      const plain = zstdDecompressSync(frame, { maxOutputLength: raw });
      for (const { id, at, length } of chunks) if (wants(id)) await take(id, plain.subarray(at, at + length));
    }
  } catch (error) {
    throw failureOf(error, pack.name);
  } finally {
    source.destroy();
  }
}

async function plainBytes(source: Readable, identity: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  if (identity === undefined) return source;
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
}

/** The owner sees the same error, whichever one a decompressor or cipher throws for changed bytes. */
function failureOf(error: unknown, name: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return backupDamaged(`${name} is missing`);
  if (syscall !== undefined || error instanceof PdppError) return error;
  return backupDamaged(`${name} is damaged`);
}
