// Blobs stored together: whole and named after `store`, never half, never twice.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobBatch } from "./blob-batch.ts";
import { blobPath, storeBlob } from "./blob-files.ts";
import { homeObjects, openObjects } from "./objects-place.ts";

let home: string;
let aside: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "postern-test-"));
  aside = join(home, "blobs", ".incoming");
  mkdirSync(aside, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const bytesOf = (text: string): Buffer => Buffer.from(text);

describe("a batch of blobs", () => {
  test("is named as a blob that streams in, and has its name only when it is stored", async () => {
    const batch = blobBatch(home, aside);
    const file = await batch.add(bytesOf("one"));
    expect(existsSync(blobPath(home, file.blobId))).toBe(false);
    await batch.store();
    expect(readFileSync(blobPath(home, file.blobId), "utf8")).toBe("one");
    async function* stream() {
      yield bytesOf("o");
      yield bytesOf("ne");
    }
    expect(await storeBlob(openObjects(homeObjects(home)), stream())).toEqual(file);
  });

  test("writes the same bytes once, in one batch and in later ones", async () => {
    const batch = blobBatch(home, aside);
    const { blobId } = await batch.add(bytesOf("same"));
    await batch.add(bytesOf("same"));
    expect(readdirSync(aside)).toHaveLength(1);
    await batch.store();
    const { ino } = statSync(blobPath(home, blobId));
    await batch.add(bytesOf("same"));
    await batch.store();
    expect(statSync(blobPath(home, blobId)).ino).toBe(ino);
  });

  test("holds as many as there are", async () => {
    const batch = blobBatch(home, aside);
    const files = [];
    for (let n = 0; n < 200; n++) files.push(await batch.add(bytesOf(`blob ${n}`)));
    await batch.store();
    for (const [n, { blobId }] of files.entries())
      expect(readFileSync(blobPath(home, blobId), "utf8")).toBe(`blob ${n}`);
    expect(readdirSync(aside)).toEqual([]);
  });

  test("that could not be stored stores nothing any more: what spoke of it must not be kept", async () => {
    const batch = blobBatch(home, aside);
    const { blobId } = await batch.add(bytesOf("lost"));
    // A file where its folder must be.
    writeFileSync(join(blobPath(home, blobId), ".."), "");
    await expect(batch.store()).rejects.toThrow(/EEXIST|ENOTDIR/);
    await expect(batch.add(bytesOf("later"))).rejects.toThrow(/EEXIST|ENOTDIR/);
    await expect(batch.store()).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
