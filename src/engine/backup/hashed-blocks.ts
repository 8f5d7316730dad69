// A cache in the backup directory. For each block that the newest backup read, it stores the ids of the block's pages,
// so an unchanged block does not have to be hashed page by page.
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { type ChunkId, type ChunkNames, ID_BYTES, PAGE_BYTES } from "./chunks.ts";

const PAGES = 128;
export const BLOCK_BYTES = PAGES * PAGE_BYTES;
export const BLOCKS_FILE = "blocks";
/** A block's id, followed by the ids of its pages. */
const ENTRY_BYTES = ID_BYTES * (1 + PAGES);
const SEAL_BYTES = 32;

/** The ids of a block's pages, by the block's id. */
export type HashedBlocks = Map<ChunkId, ChunkId[]>;

/** Returns an empty map if there is no valid file. All pages are then hashed. */
export async function readBlocks(path: string, names: ChunkNames): Promise<HashedBlocks> {
  const file = await readFile(path).catch(() => Buffer.alloc(0));
  const entries = file.subarray(0, Math.max(0, file.length - SEAL_BYTES));
  const blocks: HashedBlocks = new Map();
  if (file.length % ENTRY_BYTES !== SEAL_BYTES) return blocks;
  if (!timingSafeEqual(sealOf(entries, names), file.subarray(entries.length))) return blocks;
  const text = entries.toString("latin1");
  const idAt = (at: number): ChunkId => text.slice(at, at + ID_BYTES);
  for (let at = 0; at < text.length; at += ENTRY_BYTES)
    blocks.set(
      idAt(at),
      Array.from({ length: PAGES }, (_, page) => idAt(at + ID_BYTES * (1 + page))),
    );
  return blocks;
}

/** The file is not synced, because a file truncated by a power cut has no valid seal. Returns the file's size. */
export async function writeBlocks(path: string, blocks: HashedBlocks, names: ChunkNames): Promise<number> {
  const entries = Buffer.from([...blocks].map(([id, pages]) => id + pages.join("")).join(""), "latin1");
  const aside = `${path}.partial`;
  await writeFile(aside, Buffer.concat([entries, sealOf(entries, names)]), { mode: 0o600 });
  await rename(aside, path);
  return entries.length + SEAL_BYTES;
}

/** Only the home can compute this seal, so changes on the backup disk cannot make a backup skip a changed page. */
const sealOf = (entries: Buffer, { secret }: ChunkNames): Buffer =>
  createHmac("sha256", secret).update(BLOCKS_FILE).update(entries).digest();
