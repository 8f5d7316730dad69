// Compares an index with an independent walk of the same tree: odd names, special files, hard links, limits and
// problems.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFiles } from "./files.ts";
import { printable } from "./printable.ts";
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
  "Documents/letter.txt": 100,
  "Documents/taxes/2019/form.pdf": 5000,
  "Documents/taxes/2020/form.pdf": 7000,
  "Photos/2019/IMG_0001.jpg": 90_000,
  "Photos/2019/IMG_0002.jpg": 110_000,
  "Photos/2020/IMG_0001.jpg": 1,
  "empty/": 0,
  ".hidden": 12,
};

describe("P-05 an indexed disk", () => {
  it("matches an independent walk in totals, sizes and times, for every node", async () => {
    const root = temporary("tree");
    makeTree(root, TREE);
    const files = testFiles();
    const { indexId, root: top } = await indexTree(files, root);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    const listed = await listAll(files, indexId, top);
    const walked = [...walkTree(root)];
    expect([...listed.keys()].sort()).toEqual(walked.map(({ path }) => path).sort());
    for (const { path, facts } of walked) {
      const node = listed.get(path)!;
      expect(node.modifiedAt).toBe(new Date(Math.floor(facts.mtimeMs)).toISOString());
      if (facts.isDirectory()) {
        const { files: within, dirs, size, allocated } = walkedTotals(join(root, path));
        expect(node).toMatchObject({ kind: "dir", size, allocated, counts: { files: within, dirs } });
      } else expect(node).toMatchObject({ kind: "file", size: facts.size, allocated: facts.blocks * 512 });
    }
    const detail = await files.nodeAt(indexId, "Documents/taxes/2019");
    expect(detail.breadcrumb.map(({ name }) => name)).toEqual([root.split("/").at(-1), "Documents", "taxes", "2019"]);
    expect(detail).toMatchObject({ path: join(root, "Documents/taxes/2019"), depth: 3, permissions: "rwxr-xr-x" });
  });

  it("can be listed as soon as the job has started", async () => {
    const root = temporary("tree");
    makeTree(root, TREE);
    const files = testFiles();
    const { rootId } = await files.addRoot({ path: root });
    const { jobId, indexId } = await files.index({ rootId });
    const { rootNodeId } = await files.indexInfo(indexId);
    expect((await files.children(indexId, rootNodeId)).parent.kind).toBe("dir");
    expect((await files.jobEnded(jobId)).progress).toMatchObject({ files: 7, dirs: 8, nodes: 15, percent: 100 });
  });

  it("counts a file with several names once, wherever those names are, even after one of them is deleted", async () => {
    const root = temporary("links");
    makeTree(root, { "a/one": 10_000, "b/": 0, "c/d/": 0, "c/single": 50 });
    linkSync(join(root, "a/one"), join(root, "b/two"));
    linkSync(join(root, "a/one"), join(root, "c/d/three"));
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    expect(await files.nodeAt(indexId, "b/two")).toMatchObject({ size: 10_000, names: 3 });
    rmSync(join(root, "a/one"));
    await rescanTree(files, indexId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    rmSync(join(root, "b"), { recursive: true });
    rmSync(join(root, "c/d"), { recursive: true });
    await rescanTree(files, indexId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });

  it("omits ignored names, and stops at the maximum depth", async () => {
    const root = temporary("limits");
    makeTree(root, {
      "a/b/c/d.txt": 1,
      "a/.git/x": 1,
      "node_modules/m/i.js": 1,
      "build/a": 1,
      "a/build/b": 1,
      "t.tmp": 1,
    });
    const files = testFiles();
    const paths = async (options: object): Promise<string[]> => {
      const { indexId, root: top } = await indexTree(files, root, options);
      return [...(await listAll(files, indexId, top)).keys()].sort();
    };
    expect(await paths({ ignore: [".git", "node_modules", "*.tmp", "/build"] })).toEqual(
      ["a", "a/b", "a/b/c", "a/b/c/d.txt", "a/build", "a/build/b"].sort(),
    );
    expect(await paths({ depthLimit: 2 })).toEqual(
      ["a", "a/.git", "a/b", "a/build", "build", "build/a", "node_modules", "node_modules/m", "t.tmp"].sort(),
    );
    const limited = (await files.indexes()).find(({ options }) => options.depthLimit === 2)!;
    expect((await files.nodeAt(limited.indexId, "a/b")).state).toBe("too_deep");
  });
});

describe("S-13 SECURITY row 13: odd names", () => {
  it("are supported: newlines, bytes that are not UTF-8, NFC next to NFD, leading dashes, 255 bytes", async () => {
    const root = temporary("names");
    const names = [
      Buffer.from("new\nline"),
      Buffer.from([0x66, 0xff, 0xfe]),
      Buffer.from([0x64, 0xc3]),
      Buffer.from("caf\u00e9"),
      Buffer.from("cafe\u0301"),
      Buffer.from("-rf"),
      Buffer.from("\u202egpj.exe"),
      Buffer.from("\ufffd"),
      Buffer.from("back\\slash"),
      Buffer.from("\u{1f600} \uffee"),
      Buffer.from("x".repeat(255)),
      Buffer.from(" "),
    ];
    const inRoot = (name: Buffer): Buffer => Buffer.concat([Buffer.from(`${root}/`), name]);
    for (const [index, name] of names.entries()) {
      if (index % 2 === 0) writeFileSync(inRoot(name), "x".repeat(index));
      else {
        mkdirSync(inRoot(name));
        writeFileSync(Buffer.concat([inRoot(name), Buffer.from("/inside")]), "in");
      }
    }
    const files = testFiles();
    const { indexId, root: top } = await indexTree(files, root);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    for (const name of names) {
      const found = await files.nodeAt(indexId, printable(name));
      expect(found.name).toBe(printable(name));
      expect(found.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      if (found.nameBytes !== undefined) expect(Buffer.from(found.nameBytes, "base64").equals(name)).toBe(true);
      const file = found.kind === "file" ? found : await files.nodeAt(indexId, `${printable(name)}/inside`);
      const { handle, size } = await files.openFile(indexId, file.nodeId);
      await handle.close();
      expect(size).toBe(file.size);
    }
    await rescanTree(files, indexId, { verify: true });
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    expect((await files.children(indexId, top, { limit: 100 })).total).toBe(names.length);
  });

  it("a name is found by the other Unicode form of its accents if no name has the requested form", async () => {
    const root = temporary("accents");
    makeTree(root, { "re\u0301sume\u0301.txt": 3 });
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    expect((await files.nodeAt(indexId, "r\u00e9sum\u00e9.txt")).size).toBe(3);
  });

  it("a tree deeper than the longest possible path is walked to its end, and its deepest file can be opened", async () => {
    const root = temporary("deep");
    const name = "d".repeat(200);
    const depth = 40;
    // The path is longer than 4096 bytes, so create it one level at a time.
    execFileSync("sh", [
      "-c",
      `cd "$1"; for i in $(seq ${depth}); do mkdir ${name} && cd -P ${name}; done; echo deep > end`,
      "sh",
      root,
    ]);
    onTestFinished(() => {
      execFileSync("rm", ["-rf", join(root, name)]);
    });
    const files = testFiles();
    const { indexId } = await indexTree(files, root);
    expect(await totalsOf(files, indexId)).toMatchObject({ files: 1, dirs: depth, size: 5 });
    const { entries } = await files.find(indexId, { filter: { name: "end" } });
    expect(entries[0]!.path!.length).toBeGreaterThan(depth * 200);
    const { handle } = await files.openFile(indexId, entries[0]!.nodeId);
    expect((await handle.readFile("utf8")).trim()).toBe("deep");
    await handle.close();
    expect((await rescanTree(files, indexId)).status).toBe("succeeded");
    expect(await totalsOf(files, indexId)).toMatchObject({ files: 1, dirs: depth });
  });
});

describe("SECURITY row 14: files that could hang a walker", () => {
  it("FIFOs, sockets, devices, a sparse terabyte and link loops are listed by kind and never opened", async () => {
    const root = temporary("special");
    makeTree(root, { "dir/file": 5 });
    execFileSync("mkfifo", [join(root, "fifo")]);
    const server = createServer().listen(join(root, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    writeFileSync(join(root, "sparse"), "");
    truncateSync(join(root, "sparse"), 2 ** 40);
    symlinkSync("/dev/zero", join(root, "zero"));
    symlinkSync("loop-b", join(root, "loop-a"));
    symlinkSync("loop-a", join(root, "loop-b"));
    symlinkSync("..", join(root, "dir/up"));
    symlinkSync("nowhere", join(root, "dangling"));
    const files = testFiles();
    for (const options of [{}, { followSymlinks: true }]) {
      const { indexId, root: top } = await indexTree(files, root, options);
      expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
      const listed = await listAll(files, indexId, top);
      expect(Object.fromEntries([...listed].map(([path, { kind }]) => [path, kind]))).toEqual({
        dangling: "link",
        dir: "dir",
        "dir/file": "file",
        "dir/up": "link",
        fifo: "fifo",
        "loop-a": "link",
        "loop-b": "link",
        socket: "socket",
        sparse: "file",
        zero: "link",
      });
      expect(listed.get("sparse")).toMatchObject({ size: 2 ** 40, allocated: 0 });
      for (const path of ["fifo", "socket", "zero", "loop-a", "dangling", "dir"])
        await expect(files.openFile(indexId, listed.get(path)!.nodeId)).rejects.toMatchObject({
          code: "invalid_request",
        });
    }
  });

  it("links are followed only if requested, and only to directories in the same root", async () => {
    const root = temporary("follow");
    const outside = temporary("outside");
    makeTree(outside, { secret: 10 });
    makeTree(root, { "real/inner/file": 5, "other/": 0 });
    symlinkSync("../real/inner", join(root, "other/near"));
    symlinkSync(join(root, "real"), join(root, "absolute"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync("../..", join(root, "other/above"));
    symlinkSync(".", join(root, "real/self"));
    const files = testFiles();
    const { indexId, root: top } = await indexTree(files, root, { followSymlinks: true });
    const listed = await listAll(files, indexId, top);
    expect(listed.get("other/near")!.targetId).toBe(listed.get("real/inner")!.nodeId);
    expect(listed.get("absolute")!.targetId).toBe(listed.get("real")!.nodeId);
    expect(listed.get("real/self")!.targetId).toBe(listed.get("real")!.nodeId);
    expect(listed.get("out")).not.toHaveProperty("targetId");
    expect(listed.get("other/above")).not.toHaveProperty("targetId");
    expect((await files.children(indexId, listed.get("other/near")!.nodeId)).entries.map(({ name }) => name)).toEqual([
      "file",
    ]);
    expect((await files.nodeAt(indexId, "absolute/inner/file")).path).toBe(join(root, "real/inner/file"));
    await expect(files.nodeAt(indexId, "out/secret")).rejects.toMatchObject({ code: "node_not_found" });
    await expect(files.children(indexId, listed.get("out")!.nodeId)).rejects.toMatchObject({ code: "invalid_request" });
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
    expect(await files.readLink(indexId, listed.get("out")!.nodeId)).toBe(outside);
  });

  it("other file systems are not entered unless the owner allows it", async () => {
    const files = testFiles();
    const { indexId } = await indexTree(files, "/", { depthLimit: 2, ignore: ["/home", "/tmp", "/work", "/root"] });
    const proc = await files.nodeAt(indexId, "/proc");
    expect(proc).toMatchObject({ kind: "dir", state: "mount", counts: { entries: 0 } });
  });

  it("the server's own home is excluded from a root that contains it", async () => {
    const root = temporary("around");
    makeTree(root, { "notes.txt": 3, "home/": 0 });
    const files = testFiles(join(root, "home"));
    const { indexId } = await indexTree(files, root);
    expect(await files.nodeAt(indexId, "home")).toMatchObject({ state: "home", size: 0, counts: { entries: 0 } });
    await expect(files.nodeAt(indexId, "home/files/catalogue.db")).rejects.toMatchObject({ code: "node_not_found" });
    await expect(files.addRoot({ path: join(root, "home/files") })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("unreadable files", () => {
  it("are listed with the reason, and everything else is indexed", async () => {
    const root = temporary("closed");
    makeTree(root, { "open/file": 5, "closed/file": 5, "closed/dir/file": 5, "listed/file": 7 });
    chmodSync(join(root, "closed"), 0);
    onTestFinished(() => chmodSync(join(root, "closed"), 0o755));
    // Root can read everything, so run the scan as another user.
    const home = temporary("home");
    const nobody = 65_534;
    if (process.getuid!() === 0)
      for (const path of [home, root]) execFileSync("chown", ["-R", `${nobody}:${nobody}`, path]);
    if (process.getuid!() === 0) chownSync(join(root, "closed"), 0, 0);
    const script = fileURLToPath(new URL("./unprivileged.fixture.ts", import.meta.url));
    const { node, problems, totals } = JSON.parse(
      execFileSync(process.execPath, [script, home, root, String(nobody)], { encoding: "utf8" }),
    );
    expect(node).toMatchObject({ state: "unreadable", counts: { entries: 0 } });
    expect(problems).toMatchObject([
      { path: join(root, "closed"), text: "the server's user is not allowed to read it" },
    ]);
    expect(totals).toMatchObject({ files: 2, dirs: 3, problems: 1 });
  });

  it("if the home's disk is full, the scan fails with a reason and the index is unchanged", async () => {
    const root = temporary("full");
    const home = temporary("home");
    makeTree(root, TREE);
    const first = openFiles({ home });
    const { indexId } = await indexTree(first, root);
    const before = await totalsOf(first, indexId);
    await first.close();
    for (let dir = 0; dir < 200; dir++) makeTree(root, { [`more/${dir}/${"long-name-".repeat(20)}`]: 1 });
    const full = openFiles({ home, indexPages: 17 });
    const job = await full.jobEnded((await full.rescan(indexId)).jobId);
    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("the home's disk is full") });
    expect(await totalsOf(full, indexId)).toEqual(before);
    await full.close();
    const files = testFiles(home);
    await rescanTree(files, indexId);
    expect(await totalsOf(files, indexId)).toEqual(walkedTotals(root));
  });

  it("if the root has disappeared, the scan fails and the index is unchanged", async () => {
    const root = temporary("vanishing");
    makeTree(join(root, "disk"), TREE);
    const files = testFiles();
    const { indexId } = await indexTree(files, join(root, "disk"));
    const before = await totalsOf(files, indexId);
    renameSync(join(root, "disk"), join(root, "unmounted"));
    for (const verify of [false, true]) {
      const job = await files.jobEnded((await files.rescan(indexId, { verify })).jobId);
      expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("the root does not exist") });
    }
    expect(await totalsOf(files, indexId)).toEqual(before);
    expect((await files.roots())[0]!.available).toBe(false);
    await expect(files.openFile(indexId, (await files.nodeAt(indexId, ".hidden")).nodeId)).rejects.toMatchObject({
      code: "node_not_found",
    });
    renameSync(join(root, "unmounted"), join(root, "disk"));
    expect((await rescanTree(files, indexId)).status).toBe("succeeded");
    expect(lstatSync(root).isDirectory() && readdirSync(root).length).toBe(1);
  });
});
