// When a file is opened below a root, no name, link or race leads outside the root.
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { raceLinks } from "../../test/hostile/link-race.ts";
import { namesUnder } from "./node-path.ts";
import { openBelow, openBelowDirectly, readLinkBelow } from "./safe-open.ts";
import { indexTree, makeTree, temporary, testFiles } from "./tree.fixture.ts";

/** No file here is in a server's home. */
const NONE = new Set<string>();
const nameBytes = (...names: string[]): Buffer[] => names.map((name) => Buffer.from(name));

describe("S-13 SECURITY row 13: a file below a root", () => {
  it.each([openBelow, openBelowDirectly])("can be opened only by its exact names: %o", async (open) => {
    const top = temporary("open");
    makeTree(top, { "root/a/file": "inside", "root2/file": "sibling", secret: "outside" });
    const root = join(top, "root");
    symlinkSync(join(top, "secret"), join(root, "link"));
    symlinkSync(top, join(root, "up"));
    symlinkSync("a", join(root, "near"));
    const { handle } = await open(Buffer.from(root), nameBytes("a", "file"), NONE);
    const bytes = Buffer.alloc(100);
    expect(bytes.toString("utf8", 0, (await handle.read(bytes, 0, 100, 0)).bytesRead)).toBe("inside");
    await handle.close();
    for (const names of [
      ["..", "secret"],
      ["a", "..", "..", "secret"],
      ["../secret"],
      ["a/file"],
      ["", "secret"],
      [".", "a", "file"],
      ["a", "file\0"],
      [],
      ["link"],
      ["up", "secret"],
      ["near", "file"],
      ["a", "file", "x"],
      ["A", "file"],
      ["%2e%2e", "secret"],
      ["..\u2215secret"],
      ["..;", "secret"],
    ])
      await expect(open(Buffer.from(root), nameBytes(...names), NONE), names.join("/")).rejects.toMatchObject({
        code: expect.stringMatching(/^(node_not_found|invalid_request)$/),
        details: { next_step: expect.stringMatching(/./) },
      });
    expect((await readLinkBelow(Buffer.from(root), nameBytes("link"), NONE)).toString()).toBe(join(top, "secret"));
    await expect(readLinkBelow(Buffer.from(root), nameBytes("up", "root", "link"), NONE)).rejects.toThrow();
  });

  it("paths that people type resolve inside the root or are refused", () => {
    for (const [path, names] of [
      ["", []],
      [".", []],
      ["/data", []],
      ["/data/", []],
      ["a/b", ["a", "b"]],
      ["/data/a//./b/", ["a", "b"]],
      ["a/../b", ["b"]],
      ["/data/x/../../data/y", ["y"]],
      ["%2e%2e/etc", ["%2e%2e", "etc"]],
    ] as const)
      expect(namesUnder("/data", path)).toEqual(names);
    for (const path of ["..", "a/../..", "/", "/etc", "/data2", "/data/../etc", "/datas/x", "a/../../data/x"])
      expect(() => namesUnder("/data", path), path).toThrow(expect.objectContaining({ code: "root_not_allowed" }));
    expect(() => namesUnder("/data", "a\0b")).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("a link that has replaced a file or directory since the scan is not followed", async () => {
    const top = temporary("replaced");
    makeTree(top, { "root/dir/file": "inside", "root/plain": "inside", "outside/file": "outside" });
    const files = testFiles();
    const { indexId } = await indexTree(files, join(top, "root"));
    const dir = await files.nodeAt(indexId, "dir/file");
    const plain = await files.nodeAt(indexId, "plain");
    renameSync(join(top, "root/dir"), join(top, "root/moved"));
    symlinkSync("../outside", join(top, "root/dir"));
    rmSync(join(top, "root/plain"));
    symlinkSync("../outside/file", join(top, "root/plain"));
    for (const { nodeId } of [dir, plain])
      await expect(files.openFile(indexId, nodeId)).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|invalid/),
      });
  });

  it("no escape succeeds while a racing process makes 1,000 swaps during opens and walks", async () => {
    const { swaps, opened, refused, scans, escapes } = await raceLinks(1000);
    expect(escapes).toEqual([]);
    expect(swaps).toBeGreaterThanOrEqual(1000);
    expect(opened).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(scans).toBeGreaterThan(0);
  });
});
