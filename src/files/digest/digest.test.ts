// Duplicates are found by content, not by name, and only while the files are unchanged.
import { createHash } from "node:crypto";
import { appendFileSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { indexTree, makeTree, rescanTree, temporary, testFiles } from "../tree.fixture.ts";

const block = (byte: string, size: number): string => byte.repeat(size);

it("P-05 duplicates have the same size, the same ends and the same content; hard links and symbolic links are not copies", async () => {
  const root = temporary("duplicates");
  const big = block("a", 50_000);
  makeTree(root, {
    "one.bin": big,
    "sub/two.bin": big,
    "sub/deep/three.bin": big,
    // The same size and ends, but a different middle.
    "other.bin": `${block("a", 20_000)}b${block("a", 29_999)}`,
    "ends.bin": `b${block("a", 49_999)}`,
    "small/one": "tiny text",
    "small/two": "tiny text",
    "small/three": "tiny test",
    "empty/one": "",
    "empty/two": "",
  });
  linkSync(join(root, "one.bin"), join(root, "linked.bin"));
  symlinkSync("one.bin", join(root, "symbolic.bin"));
  const files = testFiles();
  const { indexId } = await indexTree(files, root);
  const digest = async (path: string) => files.digest(indexId, (await files.nodeAt(indexId, path)).nodeId);
  expect(await digest("one.bin")).toBeUndefined();
  expect((await files.duplicates(indexId)).groups).toEqual([]);
  const job = await files.jobEnded((await files.startDigests(indexId, { minSize: 1 })).jobId);
  expect(job).toMatchObject({ kind: "digest", status: "succeeded", progress: { problems: 0, percent: 100 } });
  const shown = async () =>
    (await files.duplicates(indexId)).groups.map(({ size, wasted, files: same }) => ({
      size,
      wasted,
      paths: same.map(({ path }) => path!.slice(root.length + 1)).sort(),
    }));
  const names = (await shown())[0]!.paths;
  expect(names).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(["sub/deep/three.bin", "sub/two.bin"]));
  expect(await shown()).toEqual([
    { size: 50_000, wasted: 100_000, paths: names },
    { size: 9, wasted: 9, paths: ["small/one", "small/two"] },
  ]);
  expect(await digest("sub/two.bin")).toBe(
    createHash("sha256")
      .update(readFileSync(join(root, "one.bin")))
      .digest("hex"),
  );
  const { matches } = await files.find(indexId, { filter: { duplicate: true } });
  expect(matches).toMatchObject({ files: 5, size: 150_018 });

  appendFileSync(join(root, "small/two"), "!");
  rmSync(join(root, "sub/two.bin"));
  writeFileSync(join(root, "sub/four.bin"), big);
  await rescanTree(files, indexId, { verify: true });
  expect((await shown()).map(({ size, wasted }) => [size, wasted])).toEqual([[50_000, 50_000]]);
  await files.jobEnded((await files.startDigests(indexId, { minSize: 1 })).jobId);
  expect((await shown())[0]).toMatchObject({ size: 50_000, wasted: 100_000 });
  expect((await files.duplicates(indexId)).total).toEqual({ groups: 1, wasted: 100_000 });
});
