// A repository's chunks during one backup: existing ones, and those that the backup adds.
import { join } from "node:path";
import type { StillDatabase } from "../../store/sqlite/still-database.ts";
import { type ChunkId, type ChunkNames, PAGE_BYTES } from "./chunks.ts";
import { BLOCK_BYTES, BLOCKS_FILE, type HashedBlocks, readBlocks, writeBlocks } from "./hashed-blocks.ts";
import type { ManifestFile } from "./manifest.ts";
import type { PackIndex } from "./pack-index.ts";
import { PackWriter } from "./pack-writer.ts";
import { indexesOf, type Repository, type Snapshot } from "./repository.ts";

/**
 * If less than this share of a pack is in use, its chunks are written again, so that the pack can be deleted with the
 * last snapshot that needs it.
 */
const SPARSE = 0.3;

export type ChunkStore = Awaited<ReturnType<typeof openChunks>>;

export async function openChunks(
  repository: Repository,
  { name, newest, names }: { name: string; newest: Snapshot | undefined; names: ChunkNames },
) {
  const usedBefore = newest?.packs ?? {};
  const present = await indexesOf(repository, Object.keys(usedBefore));
  const dense = present.filter((pack) => usedBefore[pack.name]! >= SPARSE * rawBytes(pack));
  const known = new Set(dense.flatMap(({ chunks }) => chunks.map(({ id }) => id)));
  const used = new Set<ChunkId>();
  const { recipient, packs: folder } = repository;
  const blocksFile = join(repository.directory, BLOCKS_FILE);
  const hashedBefore = await readBlocks(blocksFile, names);
  const hashedNow: HashedBlocks = new Map();
  const writer = new PackWriter({ folder, prefix: name, ...(recipient === undefined ? {} : { recipient }) });

  async function put(id: ChunkId, bytes: Uint8Array): Promise<void> {
    used.add(id);
    if (known.has(id)) return;
    known.add(id);
    await writer.put(id, bytes);
  }

  /** Returns true if all of these chunks exist, and marks them as used. */
  function hasAll(ids: readonly ChunkId[]): boolean {
    if (!ids.every((id) => known.has(id))) return false;
    for (const id of ids) used.add(id);
    return true;
  }

  async function putBlock(block: Buffer): Promise<ChunkId[]> {
    const blockId = names.ofBlock(block);
    const hashed = hashedBefore.get(blockId);
    const pages = hashed !== undefined && hasAll(hashed) ? hashed : await putPages(block);
    // All cache entries have the same size. Only the last block of a database can be shorter, so it is not cached.
    if (block.length === BLOCK_BYTES) hashedNow.set(blockId, pages);
    return pages;
  }

  async function putPages(block: Buffer): Promise<ChunkId[]> {
    const ids: ChunkId[] = [];
    for (let at = 0; at < block.length; at += PAGE_BYTES) {
      const page = block.subarray(at, at + PAGE_BYTES);
      const id = names.ofPage(page);
      ids.push(id);
      used.add(id);
      if (!known.has(id)) await put(id, page);
    }
    return ids;
  }

  return {
    names,
    put,
    hasAll,
    discard(ids: readonly ChunkId[]): void {
      for (const id of ids) {
        known.delete(id);
        used.delete(id);
      }
      writer.discard(new Set(ids));
    },
    async putDatabase(path: string, { bytes, read }: StillDatabase): Promise<ManifestFile> {
      const chunks: ChunkId[] = [];
      const block = Buffer.alloc(BLOCK_BYTES);
      for (let offset = 0; offset < bytes; offset += BLOCK_BYTES)
        chunks.push(...(await putBlock(block.subarray(0, read(block, offset)))));
      return { path, bytes, chunks };
    },
    /** Returns the packs that the snapshot needs, with the number of bytes used from each. */
    async finish(): Promise<{ packs: Record<string, number>; written: number }> {
      const added = await writer.finish();
      const packs = usage([...added.reverse(), ...dense.reverse()], used);
      return { packs, written: writer.bytesWritten + (await writeBlocks(blocksFile, hashedNow, names)) };
    },
    abandon: () => writer.abandon(),
  };
}

const rawBytes = ({ frames }: PackIndex): number => frames.reduce((sum, [, raw]) => sum + raw, 0);

function usage(packs: readonly PackIndex[], used: ReadonlySet<ChunkId>): Record<string, number> {
  const left = new Set(used);
  const found: [string, number][] = [];
  for (const { name, chunks } of packs) {
    let bytes = 0;
    for (const { id, length } of chunks) if (left.delete(id)) bytes += length;
    if (bytes > 0) found.push([name, bytes]);
  }
  if (left.size > 0) throw new Error(`${left.size} chunks of a backup are not in any pack`);
  return Object.fromEntries(found);
}
