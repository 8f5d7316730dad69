// Objects in a folder follow the contract, and unusable folders are reported.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storeBlob } from "../engine/blob-files.ts";
import { folderObjects } from "./object-folder.ts";
import { objectsContract } from "./objects-contract.fixture.ts";

objectsContract("P-07 object storage in a folder", async () => {
  const root = mkdtempSync(join(tmpdir(), "postern-objects-"));
  return { objects: folderObjects({ kind: "folder", root }), close: async () => rmSync(root, { recursive: true }) };
});

test("P-07 a path that is not a folder is reported in words, both by the check and by the first attempt to store", async () => {
  const root = mkdtempSync(join(tmpdir(), "postern-objects-"));
  await folderObjects({ kind: "folder", root: join(root, "not", "there", "yet") }).check();
  writeFileSync(join(root, "file"), "");
  const objects = folderObjects({ kind: "folder", root: join(root, "file", "below") });
  const expected = { code: "store_unavailable", message: expect.stringContaining("(ENOTDIR)") };
  await expect(objects.check()).rejects.toMatchObject(expected);
  await expect(folderObjects({ kind: "folder", root: join(root, "file") }).check()).rejects.toMatchObject(expected);
  await expect(objects.put("a/one", bytes())).rejects.toMatchObject(expected);
  await expect(
    storeBlob(objects, bytes(), () => ({ known: async () => [], write: async () => undefined })),
  ).rejects.toMatchObject(expected);
  rmSync(root, { recursive: true });
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("bytes");
}

test.skipIf(process.getuid?.() === 0)("P-07 a folder that cannot be read is not treated as empty", async () => {
  const root = mkdtempSync(join(tmpdir(), "postern-objects-"));
  chmodSync(root, 0);
  const objects = folderObjects({ kind: "folder", root });
  await expect(objects.open("a/one")).rejects.toMatchObject({ code: "store_unavailable" });
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true });
});
