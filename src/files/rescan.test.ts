// Rescans keep the handles of unchanged entries and find changes, and two scans can be compared.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openFiles } from "./files.ts";
import {
  indexTree,
  listAll,
  makeTree,
  rescanTree,
  temporary,
  testFiles,
  totalsOf,
  walkedTotals,
  walkTree,
} from "./tree.fixture.ts";

const TREE = {
  "a/one.txt": 100,
  "a/two.txt": 200,
  "a/sub/three.txt": 300,
  "b/four.txt": 400,
  "b/deep/er/five.txt": 500,
  "c/six.txt": 600,
};

/** Rescans always read directories that changed very recently, so most tests age them first. */
function settle(root: string): void {
  const past = new Date(Date.now() - 60_000);
  for (const { path, facts } of [...walkTree(root)].reverse())
    if (facts.isDirectory()) utimesSync(join(root, path), past, past);
  utimesSync(root, past, past);
}

describe("S-12 handles", () => {
  it("stay the same after rescans for every path that still exists, and are never reused", async () => {
    const root = temporary("handles");
    makeTree(root, TREE);
    const files = testFiles();
    const { indexId, root: top } = await indexTree(files, root);
    const before = await listAll(files, indexId, top);
    makeTree(root, { "a/0-first.txt": 1, "a/zz.txt": 2, "0/new/file": 3, "b/deep/aa/x": 4 });
    rmSync(join(root, "a/one.txt"));
    rmSync(join(root, "c"), { recursive: true });
    renameSync(join(root, "b/four.txt"), join(root, "b/fourth.txt"));
    for (const verify of [false, true, false]) {
      await rescanTree(files, indexId, { verify });
      const after = await listAll(files, indexId, top);
      expect([...after.keys()].sort()).toEqual([...walkTree(root)].map(({ path }) => path).sort());
      for (const [path, { nodeId }] of after)
        if (before.has(path)) expect([path, nodeId]).toEqual([path, before.get(path)!.nodeId]);
      const old = new Set([...before.values()].map(({ nodeId }) => nodeId));
      for (const [path, { nodeId }] of after) if (!before.has(path)) expect(old.has(nodeId)).toBe(false);
      expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    }
    for (const path of ["a/one.txt", "c", "c/six.txt", "b/four.txt"])
      await expect(files.node(indexId, before.get(path)!.nodeId)).rejects.toMatchObject({ code: "node_not_found" });
  });

  it("and cursors survive a restart; cursors for another index or query, and forged ones, are refused", async () => {
    const root = temporary("restart");
    const home = temporary("home");
    makeTree(root, TREE);
    const first = openFiles({ home });
    const { indexId, root: top } = await indexTree(first, root);
    const other = await indexTree(first, join(root, "a"));
    const page = await first.children(indexId, top, { limit: 1 });
    await first.close();
    const files = testFiles(home);
    expect(await files.node(indexId, page.entries[0]!.nodeId)).toMatchObject({ name: "a" });
    const next = await files.children(indexId, top, { limit: 1, cursor: page.nextCursor });
    expect(next.entries[0]!.name).toBe("b");
    const cursor = page.nextCursor!;
    for (const attempt of [
      files.children(indexId, top, { cursor, order: "size" }),
      files.children(other.indexId, other.root, { cursor }),
      files.children(indexId, top, { cursor: `${cursor.slice(0, -2)}AA` }),
      files.children(indexId, top, { cursor: "" }),
      files.largest(indexId, { cursor }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: "invalid_cursor", details: { param: "cursor" } });
    await expect(files.node(other.indexId, page.entries[0]!.nodeId)).rejects.toMatchObject({
      code: "node_not_found",
      message: expect.stringContaining(`belongs to the index ${indexId}`),
    });
    for (const nodeId of ["", "n1", "n1-0", "n1-1.x", "n01-1", "1", "n1-99999", "n1-1.99", "../etc", "n1-1\0"])
      await expect(files.node(indexId, nodeId)).rejects.toMatchObject({ code: "node_not_found" });
    await expect(files.indexInfo("ix77")).rejects.toMatchObject({ code: "not_found" });
    await expect(files.index({ rootId: "root9" })).rejects.toMatchObject({ code: "root_not_allowed" });
  });
});

describe("S-15 rescans", () => {
  it("read only changed directories and the new entries in them", async () => {
    const root = temporary("incremental");
    makeTree(root, TREE);
    settle(root);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    const last = async () => (await files.scans(indexId))[0]!;
    expect(await last()).toMatchObject({ scan: 1, mode: "first", dirsRead: 7 });
    await rescanTree(files, indexId);
    expect(await last()).toMatchObject({ scan: 2, mode: "changed", dirsRead: 0 });
    makeTree(root, { "b/deep/added/file": 7 });
    await rescanTree(files, indexId);
    expect(await last()).toMatchObject({ scan: 3, dirsRead: 2 });
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    await rescanTree(files, indexId, { verify: true });
    expect(await last()).toMatchObject({ scan: 4, mode: "verify", dirsRead: 8 });
  });

  it("miss a change of content alone, which does not change the directory; a verifying scan finds it", async () => {
    const root = temporary("content");
    makeTree(root, TREE);
    settle(root);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    appendFileSync(join(root, "b/deep/er/five.txt"), "more");
    await rescanTree(files, indexId, { verify: true });
    expect((await files.nodeAt(indexId, "b/deep/er/five.txt")).size).toBe(504);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });

  it("read a directory that replaced another, whatever its modification time", async () => {
    const root = temporary("swapped");
    makeTree(root, { "x/d/old": 10, "y/d/new": 20, "y/d/more": 30 });
    settle(root);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    rmSync(join(root, "x"), { recursive: true });
    renameSync(join(root, "y"), join(root, "x"));
    settle(root);
    await rescanTree(files, indexId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    expect((await files.nodeAt(indexId, "x/d")).counts!.entries).toBe(2);
  });

  it("can be compared: they show what grew, shrank, was added and was removed, with totals for every directory", async () => {
    const root = temporary("growth");
    makeTree(root, TREE);
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    makeTree(root, { "a/sub/huge.bin": 50_000, "new/place/file": 1000 });
    rmSync(join(root, "c"), { recursive: true });
    await rescanTree(files, indexId);
    makeTree(root, { "b/late": 77 });
    rmSync(join(root, "new"), { recursive: true });
    await rescanTree(files, indexId);
    const grown = async (from: number, to?: number, under?: string) => {
      const { growth, dirs } = await files.growth(indexId, { from, to, under });
      return { growth, dirs: dirs.map(({ path, growth: by }) => [path.slice(root.length), by]) };
    };
    expect(await grown(1, 2)).toEqual({
      growth: 50_400,
      dirs: [
        ["", 50_400],
        ["/a", 50_000],
        ["/a/sub", 50_000],
        ["/new", 1000],
        ["/new/place", 1000],
        ["/c", -600],
      ],
    });
    expect((await grown(2, 3)).dirs).toEqual([
      ["/new", -1000],
      ["/new/place", -1000],
      ["", -923],
      ["/b", 77],
    ]);
    expect((await grown(1)).dirs).toEqual([
      ["/a", 50_000],
      ["/a/sub", 50_000],
      ["", 49_477],
      ["/c", -600],
      ["/b", 77],
    ]);
    expect((await grown(3, 1)).growth).toBe(-49_477);
    const a = await files.nodeAt(indexId, "a");
    expect(await grown(1, 3, a.nodeId)).toEqual({
      growth: 50_000,
      dirs: [
        ["/a", 50_000],
        ["/a/sub", 50_000],
      ],
    });
    const { dirs } = await files.growth(indexId, { from: 1, to: 2 });
    expect(dirs.find(({ path }) => path.endsWith("/c"))).toMatchObject({ before: { files: 1, size: 600 } });
    expect(dirs.find(({ path }) => path.endsWith("/c"))).not.toHaveProperty("nodeId");
    await expect(files.growth(indexId, { from: 9 })).rejects.toMatchObject({
      details: { param: "from", next_step: expect.stringContaining("1, 2, 3") },
    });
  });

  it("produce the same index as an independent walk after any sequence of changes and rescans", async () => {
    const names = fc.constantFrom("a", "b", "c", "d");
    const path = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const change = fc.record({
      path,
      what: fc.constantFrom("file", "dir", "remove", "move"),
      size: fc.nat(5000),
      to: path,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { minLength: 2, maxLength: 4 }), async (rounds) => {
        const root = temporary("random");
        const files = testFiles();
        let indexId: string | undefined;
        for (const [round, changes] of rounds.entries()) {
          for (const one of changes) apply(root, one);
          if (indexId === undefined) ({ indexId } = await indexTree(files, root));
          else await rescanTree(files, indexId, { verify: round % 2 === 0 });
          const { rootNodeId } = await files.indexInfo(indexId);
          const listed = await listAll(files, indexId, rootNodeId);
          expect([...listed.keys()].sort()).toEqual([...walkTree(root)].map(({ path: one }) => one).sort());
          expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
        }
      }),
      { numRuns: 5 },
    );
  });

  it("tolerate changes during a scan, and the index is exact once they stop", async () => {
    const root = temporary("busy");
    for (let dir = 0; dir < 60; dir++) makeTree(root, { [`d${dir}/e/f/file`]: dir, [`d${dir}/g`]: 1 });
    const script = `
      const fs = require("node:fs");
      const { join } = require("node:path");
      for (let round = 0; ; round++) {
        const dir = join(process.argv[1], "d" + (round * 7) % 60);
        try {
          if (round % 3 === 0) fs.rmSync(dir, { recursive: true, force: true });
          else if (round % 3 === 1) fs.mkdirSync(join(dir, "e", "n" + round % 9), { recursive: true });
          else fs.renameSync(dir, dir + "-" + round % 5);
        } catch {}
      }`;
    const busy = spawn(process.execPath, ["-e", script, root], { stdio: "ignore" });
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    for (let round = 0; round < 4; round++) await rescanTree(files, indexId, { verify: round % 2 === 1 });
    busy.kill("SIGKILL");
    await new Promise((resolve) => busy.once("exit", resolve));
    await rescanTree(files, indexId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });
});

interface Change {
  path: string;
  what: string;
  size: number;
  to: string;
}

/** Skips impossible changes, such as writing below a file or removing a path that does not exist. */
function apply(root: string, { path, what, size, to }: Change): void {
  try {
    if (what === "remove") rmSync(join(root, path), { recursive: true });
    else if (what === "move") renameSync(join(root, path), join(root, to));
    else if (what === "dir") mkdirSync(join(root, path), { recursive: true });
    else {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), "x".repeat(size));
    }
  } catch {
    // An impossible change is skipped.
  }
}
