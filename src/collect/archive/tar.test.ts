// Tar archives, plain and gzipped, well-formed and hostile.
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pax, type TarItem, tarOf } from "./archives.fixture.ts";
import { walkedFile } from "./walked.fixture.ts";

const MB = 1024 * 1024;
const tar = (items: TarItem[], limits = {}) => walkedFile("export.tar", tarOf(items), limits);

describe("a tar archive", () => {
  test("yields its files, and skips folders, links and devices", async () => {
    const { contents, unreadable } = await tar([
      { name: "a/", type: "5" },
      { name: "a/one.txt", content: "one" },
      { name: "link", type: "2", link: "/etc/passwd" },
      { name: "hard", type: "1", link: "a/one.txt" },
      { name: "device", type: "3" },
      { name: "fifo", type: "6" },
      { name: "old.txt", content: "old", type: "\0" },
      { name: "empty.txt" },
    ]);
    expect(contents).toEqual({ "a/one.txt": "one", "empty.txt": "", "old.txt": "old" });
    expect(unreadable).toEqual({});
  });

  test("yields the same files when gzipped, as .tgz and as .tar.gz", async () => {
    const bytes = gzipSync(tarOf([{ name: "a.txt", content: "a".repeat(5000) }]));
    for (const name of ["x.tgz", "x.tar.gz", "x.tar"]) {
      expect((await walkedFile(name, bytes)).contents).toEqual({ "a.txt": "a".repeat(5000) });
    }
  });

  test("supports long names (GNU, pax, prefix) and names that are not UTF-8", async () => {
    const long = `${"folder/".repeat(30)}file.txt`;
    const { contents } = await tar([
      { name: "././@LongLink", type: "L", content: `${long}\0` },
      { name: long.slice(0, 100), content: "gnu" },
      { name: "PaxHeader", type: "x", content: pax({ mtime: "1.5", path: "日本/a\nb.txt", comment: "path=no" }) },
      { name: "short", content: "pax" },
      { name: "file.txt", prefix: "in/front", content: "prefix" },
      { name: Buffer.from([0xfc, 0x2e, 0x74]), content: "latin" },
      { name: "././@LongLink", type: "K", content: "where a link leads\0" },
      { name: "after.txt", content: "after" },
    ]);
    expect(contents).toEqual({
      [long]: "gnu",
      "日本/a\nb.txt": "pax",
      "in/front/file.txt": "prefix",
      "ü.t": "latin",
      "after.txt": "after",
    });
  });

  test("reads the size from pax if it does not fit in the header", async () => {
    const { contents } = await tar([
      { name: "PaxHeader", type: "x", content: pax({ size: "5" }) },
      { name: "a.txt", content: "12345", size: 0 },
      { name: "b.txt", content: "after" },
    ]);
    expect(contents).toEqual({ "a.txt": "12345", "b.txt": "after" });
  });

  test("yields the files it can read, and reports that sparse files are skipped", async () => {
    const map = Buffer.alloc(512);
    const { contents, unreadable } = await tar([
      { name: "old-gnu.bin", type: "S", content: "x".repeat(600), patch: (header) => (header[482] = 1), between: map },
      { name: "PaxHeader", type: "x", content: pax({ "GNU.sparse.major": "1" }) },
      { name: "GNUSparseFile.0/new.bin", content: "map and data" },
      { name: "plain.txt", content: "plain" },
    ]);
    expect(contents).toEqual({ "plain.txt": "plain" });
    expect(unreadable["export.tar"]).toBe(
      "it contains sparse files (old-gnu.bin, GNUSparseFile.0/new.bin); unpack it first",
    );
  });
});

describe("SECURITY row 15: a hostile tar archive", () => {
  test("SECURITY row 15 names with .. or an absolute path are displayed but never followed", async () => {
    const { contents } = await tar([
      { name: "../../etc/passwd", content: "1" },
      { name: "/abs.txt", content: "2" },
    ]);
    expect(contents).toEqual({ "etc/passwd": "1", "abs.txt": "2" });
  });

  test("SECURITY row 15 a gzip bomb is stopped by its ratio, alone or inside a tar", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * MB));
    expect((await walkedFile("bomb.txt.gz", bomb)).contents["bomb.txt"]).toMatch(/more than 300 times its size/);
    const inTar = gzipSync(tarOf([{ name: "bomb.txt", content: Buffer.alloc(80 * MB) }]));
    expect((await walkedFile("bomb.tgz", inTar)).unreadable["bomb.tgz"]).toMatch(/more than 300 times its size/);
  });

  test("SECURITY row 15 an entry with a wrong size yields the bytes that exist, and is reported as truncated", async () => {
    const { contents } = await tar([{ name: "a.txt", content: "abc", size: 100_000 }]);
    expect(contents["a.txt"]).toMatch(/is cut off/);
    const endless = await tar([
      {
        name: "a.txt",
        content: "abc",
        patch(header) {
          header.fill(0xff, 124, 136);
        },
      },
    ]);
    expect(endless.unreadable["export.tar"]).toMatch(/is not one/);
  });

  test("SECURITY row 15 a name longer than a megabyte, too many entries, and a broken header are reported", async () => {
    const long = await tar([{ name: "L", type: "L", content: "x".repeat(2 * MB) }]);
    expect(long.unreadable["export.tar"]).toMatch(/longer than a megabyte/);
    const items = Array.from({ length: 5 }, (_, n) => ({ name: `${n}.txt`, content: "x" }));
    expect((await tar(items, { entries: 3 })).unreadable["export.tar"]).toBe("it has more than 3 entries");
    const { contents, unreadable } = await tar([...items, { name: "bad", badSum: true }]);
    expect(Object.keys(contents)).toHaveLength(5);
    expect(unreadable["export.tar"]).toBe("it is broken at byte 5120");
  });

  test("I-01 a truncated compressed archive yields the files before the cut", async () => {
    const noise = (name: string) => ({ name: `${name}.txt`, content: randomBytes(20_000).toString("hex") });
    const items = [noise("a"), noise("b"), noise("c")];
    const packed = gzipSync(tarOf(items));
    const { contents, unreadable } = await walkedFile("cut.tgz", packed.subarray(0, packed.length * 0.8));
    expect([contents["a.txt"], contents["b.txt"]]).toEqual([items[0]!.content, items[1]!.content]);
    expect(contents["c.txt"]).toMatch(/^! c.txt is cut off/);
    expect(unreadable["cut.tgz"]).toMatch(/truncated|incomplete/);
  });

  test("SECURITY row 15 truncated anywhere, or with any byte changed, an archive never makes the walk throw", async () => {
    const whole = tarOf([
      { name: "PaxHeader", type: "x", content: pax({ path: "a/b.txt" }) },
      { name: "x", content: "one".repeat(300) },
      { name: "two.txt", content: "two" },
    ]);
    const packed = gzipSync(whole);
    for (let cut = 0; cut < whole.length; cut += 97) await walkedFile("cut.tar", whole.subarray(0, cut));
    for (let cut = 0; cut < packed.length; cut += 5) await walkedFile("cut.tgz", packed.subarray(0, cut));
    for (let at = 0; at < whole.length; at += 41) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0xff;
      await walkedFile("changed.tar", changed);
    }
  });
});
