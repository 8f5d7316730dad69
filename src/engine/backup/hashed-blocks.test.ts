// Tests which pages a later backup hashes, and that the ids of pages never depend on the block cache.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openChunks } from "./chunk-store.ts";
import { type ChunkId, namesFrom, PAGE_BYTES } from "./chunks.ts";
import { BLOCK_BYTES, BLOCKS_FILE } from "./hashed-blocks.ts";
import { createRepository, type Repository, type Snapshot } from "./repository.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-blocks-"));
const connection = new DatabaseSync(":memory:");
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const BLOCKS = 4;
const PAGES_OF_BLOCK = BLOCK_BYTES / PAGE_BYTES;
/** The last block is incomplete. */
const content = randomBytes(BLOCKS * BLOCK_BYTES + 3 * PAGE_BYTES);
const pagesIn = (bytes: Buffer): number => bytes.length / PAGE_BYTES;
const secret = randomBytes(32);
let repository: Repository;
let count = 0;
let newest: Snapshot | undefined;

/** Backs up these bytes as a database. Returns the ids of its pages, and how many pages were hashed and stored. */
async function backUp(bytes: Buffer, key = secret): Promise<{ ids: ChunkId[]; hashed: number; written: number }> {
  const plain = namesFrom(key);
  let hashed = 0;
  const ofPage = (page: Uint8Array): ChunkId => {
    hashed++;
    return plain.ofPage(page);
  };
  const names = { ...plain, ofPage };
  const name = `2030-01-01T00-00-0${count++}Z`;
  const chunks = await openChunks(repository, { name, newest, names });
  const read = (into: Buffer, offset: number): number => bytes.copy(into, 0, offset);
  const { chunks: ids } = await chunks.putDatabase("records.db", { bytes: bytes.length, connection, read });
  const { packs, written } = await chunks.finish();
  newest = { name, created_at: "", checked_at: "", bytes: bytes.length, written, packs };
  return { ids, hashed, written };
}

const idsOf = (bytes: Buffer, key = secret): ChunkId[] =>
  Array.from({ length: pagesIn(bytes) }, (_, page) =>
    namesFrom(key).ofPage(bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)),
  );

beforeAll(async () => {
  repository = await createRepository(join(folder, "backups"), { now: 0 });
});

it("O-06 hashes only the pages of changed blocks, and derives every page's id from its content", async () => {
  const first = await backUp(content);
  expect(first.hashed).toBe(pagesIn(content));
  expect(first.ids).toEqual(idsOf(content));
  const changed = Buffer.from(content);
  changed[2 * BLOCK_BYTES + 20 * PAGE_BYTES]! ^= 1;
  const second = await backUp(changed);
  expect(second.hashed).toBe(PAGES_OF_BLOCK + 3);
  expect(second.ids).toEqual(idsOf(changed));
  expect(second.written).toBeLessThan(first.written / 20);
});

it("O-06 hashes all pages if the block cache is damaged, changed or from another home", async () => {
  const path = join(repository.directory, BLOCKS_FILE);
  const whole = readFileSync(path);
  const flipped = Buffer.from(whole);
  flipped[100]! ^= 1;
  for (const other of [flipped, whole.subarray(0, 5000), whole.subarray(0, 10), Buffer.alloc(0)]) {
    writeFileSync(path, other);
    const { ids, hashed } = await backUp(content);
    expect([ids, hashed]).toEqual([idsOf(content), pagesIn(content)]);
  }
  rmSync(path);
  expect((await backUp(content)).hashed).toBe(pagesIn(content));
  const another = randomBytes(32);
  const { ids, hashed } = await backUp(content, another);
  expect([ids, hashed]).toEqual([idsOf(content, another), pagesIn(content)]);
});

it("O-06 stores the pages of an unchanged block again if the packs that contained them are gone", async () => {
  await backUp(content);
  newest = undefined;
  const { ids, written } = await backUp(content);
  expect(ids).toEqual(idsOf(content));
  expect(written).toBeGreaterThan(content.length);
});
