// Copies a file while hashing it, so the hash is of the bytes that were written.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { ObjectStorage } from "../store/objects.ts";

export interface FileDigest {
  bytes: number;
  sha256: string;
}

const PIECE = 1024 * 1024;

/** The copy is synced when this returns, and readable only by its owner. */
export async function copyFile(from: string, to: string): Promise<FileDigest> {
  const target = await open(to, "wx", 0o600);
  try {
    const digest = await eachPiece(from, (piece) => target.writeFile(piece));
    await target.sync();
    return digest;
  } finally {
    await target.close();
  }
}

/** Returns an object's digest, or undefined if the object does not exist. */
export async function digestOf(objects: ObjectStorage, name: string): Promise<string | undefined> {
  const bytes = await objects.open(name);
  if (bytes === undefined) return undefined;
  const hash = createHash("sha256");
  for await (const piece of bytes) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}

export const digestFile = (path: string): Promise<FileDigest> => eachPiece(path, () => undefined);

async function eachPiece(path: string, take: (piece: Buffer) => Promise<void> | undefined): Promise<FileDigest> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(1, (await file.stat()).size)));
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await take(piece);
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Processes items concurrently, up to `atOnce` at a time. */
export async function eachOf<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run));
}
