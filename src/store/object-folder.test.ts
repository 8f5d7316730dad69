// Objects in a folder keep the contract; what a full or closed disk does is told.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderObjects } from "./object-folder.ts";
import { objectsContract } from "./objects-contract.fixture.ts";

objectsContract("P-07 objects in a folder", async () => {
  const root = mkdtempSync(join(tmpdir(), "postern-objects-"));
  return { objects: folderObjects({ kind: "folder", root }), close: async () => rmSync(root, { recursive: true }) };
});

test.skipIf(process.getuid?.() === 0)("P-07 a folder that cannot be read is no empty one", async () => {
  const root = mkdtempSync(join(tmpdir(), "postern-objects-"));
  chmodSync(root, 0);
  const objects = folderObjects({ kind: "folder", root });
  await expect(objects.open("a/one")).rejects.toMatchObject({ code: "store_unavailable" });
  chmodSync(root, 0o700);
  rmSync(root, { recursive: true });
});
