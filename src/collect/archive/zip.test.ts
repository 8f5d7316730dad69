// Zip archives, well-formed and hostile.
import { crc32, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { wholeEntry } from "../entry.ts";
import { walk } from "../walk.ts";
import { type ZipItem, zipOf } from "./archives.fixture.ts";
import { ARCHIVE_LIMITS } from "./limits.ts";
import { unpackedFolder } from "./unpacked.ts";
import { newFolder, walked, walkedFile } from "./walked.fixture.ts";

const MB = 1024 * 1024;
const zip = (items: ZipItem[], limits = {}) => walkedFile("export.zip", zipOf(items), limits);

describe("a zip archive", () => {
  test("yields its files, stored or deflated, sorted by path, without folders and system files", async () => {
    const { contents, roots } = await zip([
      { name: "b/", content: "", method: 0 },
      { name: "b/two.txt", content: "two" },
      { name: "a.txt", content: "one", method: 0 },
      { name: "__MACOSX/a.txt", content: "x" },
      { name: "b/.DS_Store", content: "x" },
      { name: "empty.txt", content: "", method: 0 },
    ]);
    expect(contents).toEqual({ "a.txt": "one", "b/two.txt": "two", "empty.txt": "" });
    expect(Object.keys(contents)).toEqual(["a.txt", "b/two.txt", "empty.txt"]);
    expect(roots[0]!.name).toBe("export");
  });

  test("reads names in UTF-8 with or without the flag, in the DOS code page, and from an extra field", async () => {
    const raw = Buffer.from("gr?n.txt");
    const name = Buffer.from("grün.txt");
    const body = Buffer.concat([Buffer.from([1]), Buffer.alloc(4), name]);
    body.writeUInt32LE(crc32(raw), 1);
    const header = Buffer.alloc(4);
    header.writeUInt16LE(0x7075, 0);
    header.writeUInt16LE(body.length, 2);
    const { contents } = await zip([
      { name: "日本語.txt", content: "flag" },
      { name: "ελληνικά.txt", content: "no flag", flags: 0 },
      { name: Buffer.from([0x9a, 0x62, 0x2e, 0x74, 0x78, 0x74]), content: "dos", flags: 0 },
      { name: raw, content: "extra", flags: 0, extra: Buffer.concat([header, body]) },
      // A decomposed name, as macOS writes it.
      { name: "cafe\u0301.txt", content: "composed" },
    ]);
    expect(contents).toEqual({
      "日本語.txt": "flag",
      "ελληνικά.txt": "no flag",
      "Üb.txt": "dos",
      "grün.txt": "extra",
      "café.txt": "composed",
    });
  });

  test("inside another archive is opened, three levels deep at most", async () => {
    const inner = zipOf([{ name: "note.txt", content: "inside" }]);
    const gz = gzipSync("line");
    const nested = zipOf([
      { name: "inner.zip", content: inner },
      { name: "log.txt.gz", content: gz, method: 0 },
    ]);
    expect((await walkedFile("outer.zip", nested)).contents).toEqual({
      "inner.zip/note.txt": "inside",
      "log.txt.gz/log.txt": "line",
    });
    const deep = zipOf([{ name: "c.zip", content: zipOf([{ name: "d.zip", content: inner }]) }]);
    const { contents, unreadable } = await walkedFile("outer.zip", zipOf([{ name: "b.zip", content: deep }]));
    expect(contents).toEqual({});
    expect(unreadable).toEqual({ "b.zip/c.zip/d.zip": "archives are nested more than 3 deep" });
  });

  test("split into parts is treated as one export, and files with the same name in two parts are kept apart", async () => {
    const folder = newFolder();
    const part = (n: number, content: string) =>
      folder.put(
        `takeout-20240101T000000Z-00${n}.zip`,
        zipOf([
          { name: `Takeout/Mail/part${n}.mbox`, content },
          { name: "Takeout/archive_browser.html", content },
        ]),
      );
    const { roots, contents } = await walked([part(2, "two"), part(1, "one")]);
    expect(roots.map(({ name }) => name)).toEqual(["takeout-20240101T000000Z"]);
    expect(Object.keys(contents)).toEqual([
      "Takeout/Mail/part1.mbox",
      "Takeout/Mail/part2.mbox",
      "Takeout/archive_browser.html",
      "Takeout/archive_browser (2).html",
    ]);
    folder.remove();
  });

  test("with the same name in two folders counts as two exports", async () => {
    const folder = newFolder();
    const given = ["a", "b"].map((at) => folder.put(`${at}/export.zip`, zipOf([{ name: "x.txt", content: at }])));
    const { roots } = await walked(given);
    expect(roots.map(({ name, entries }) => [name, entries.length])).toEqual([
      ["export", 1],
      ["export (2)", 1],
    ]);
    folder.remove();
  });
});

describe("SECURITY row 15: a hostile zip archive", () => {
  test("SECURITY row 15 names with .. or an absolute path are displayed, and nothing is written to those paths", async () => {
    const { contents } = await zip([
      { name: "../../etc/passwd", content: "1" },
      { name: "/absolute.txt", content: "2" },
      { name: "C:\\Windows\\x.txt", content: "3", flags: 0 },
      { name: "a/../../b.txt", content: "4" },
      { name: "nul\0l.txt", content: "5" },
      { name: "..", content: "6" },
    ]);
    expect(contents).toEqual({
      "etc/passwd": "1",
      "absolute.txt": "2",
      "Windows/x.txt": "3",
      "a/b.txt": "4",
      "null.txt": "5",
    });
  });

  test("SECURITY row 15 a bomb is stopped by the actual ratio, whatever its header says", async () => {
    const bomb = Buffer.alloc(80 * MB);
    const { contents } = await zip([
      { name: "a.txt", content: "fine" },
      { name: "bomb.txt", content: bomb },
    ]);
    expect(contents["a.txt"]).toBe("fine");
    expect(contents["bomb.txt"]).toMatch(/unpacks to more than 300 times its size/);
    const lying = await zip([{ name: "small.txt", content: bomb, size: 10 }]);
    expect(lying.contents["small.txt"]).toMatch(/^! too many bytes/);
  });

  test("SECURITY row 15 many small bombs count as one large bomb", async () => {
    const items = Array.from({ length: 10 }, (_, n) => ({ name: `${n}.txt`, content: Buffer.alloc(10 * MB) }));
    const { contents } = await zip(items);
    expect(contents["0.txt"]!.length).toBe(10 * MB);
    expect(contents["9.txt"]).toMatch(/it unpacks to more than 300 times its size/);
  });

  test("SECURITY row 15 the size of an entry, the size of an archive and the number of entries are limited", async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({ name: `${n}.txt`, content: "x".repeat(1000) }));
    expect((await zip(items, { entryBytes: 999 })).contents["0.txt"]).toMatch(/more than 999 bytes/);
    const total = await zip(items, { totalBytes: 2500 });
    expect(Object.values(total.contents).map((text) => text.slice(0, 28))).toEqual([
      "x".repeat(28),
      "x".repeat(28),
      ...Array(3).fill("! it unpacks to more than 25"),
    ]);
    const many = await zip(items, { entries: 3 });
    expect(many.unreadable["export.zip"]).toBe("it has more than 3 entries");
  });

  test("reading an entry again does not count towards the limit", async () => {
    const folder = newFolder();
    const path = folder.put("a.zip", zipOf([{ name: "a.txt", content: "x".repeat(1000) }]));
    const limits = { ...ARCHIVE_LIMITS, totalBytes: 1500 };
    const [root] = await walk([path], unpackedFolder(folder.path, 1000), { limits });
    const [entry] = root!.entries;
    for (let time = 0; time < 5; time++) expect(await wholeEntry(entry!, 2000)).toHaveLength(1000);
    folder.remove();
  });

  test("SECURITY row 15 entries that overlap are refused", async () => {
    const { contents, unreadable } = await zip([
      { name: "a.txt", content: "x".repeat(5000) },
      { name: "b.txt", content: "", dataOf: 0 },
    ]);
    expect(contents).toEqual({});
    expect(unreadable["export.zip"]).toBe("entries in it overlap");
  });

  test("SECURITY row 15 an encrypted entry is reported with advice, and the others are read", async () => {
    const { contents } = await zip([
      { name: "open.txt", content: "open" },
      { name: "secret.txt", content: "secret", flags: 0x801 },
    ]);
    expect(contents["open.txt"]).toBe("open");
    expect(contents["secret.txt"]).toBe("! secret.txt is encrypted; unpack it with its password first");
  });

  test("SECURITY row 15 wrong sizes, broken data and unknown methods affect only their own entry", async () => {
    const { contents } = await zip([
      { name: "good.txt", content: "good" },
      { name: "larger.txt", content: "abc", size: 1000 },
      { name: "method.txt", content: "abc", method: 99 },
    ]);
    expect(contents["good.txt"]).toBe("good");
    expect(contents["larger.txt"]).toMatch(/^! not enough bytes/);
    expect(contents["method.txt"]).toMatch(/^! unsupported compression method/);
  });

  test("I-01 a truncated archive yields the files before the cut", async () => {
    for (const isStreamed of [false, true]) {
      const items = ["a", "b", "c"].map((name) => ({ name: `${name}.txt`, content: name.repeat(5000), isStreamed }));
      const whole = zipOf(items);
      const cut = whole.subarray(0, whole.indexOf("c.txt") + 8);
      const { contents, unreadable } = await walkedFile("cut.zip", cut);
      expect(contents).toMatchObject({ "a.txt": "a".repeat(5000), "b.txt": "b".repeat(5000) });
      expect(contents["c.txt"] ?? "!").toMatch(/^!/);
      expect(unreadable["cut.zip"]).toMatch(/truncated|incomplete/);
    }
  });

  test("SECURITY row 15 truncated anywhere, or with any byte changed, an archive never makes the walk throw", async () => {
    const whole = zipOf([
      { name: "a.txt", content: "one".repeat(100) },
      { name: "b.zip", content: zipOf([{ name: "c.txt", content: "three" }]) },
    ]);
    for (let cut = 0; cut < whole.length; cut += 7) {
      const { unreadable } = await walkedFile("cut.zip", whole.subarray(0, cut));
      expect(Object.keys(unreadable)).toContain("cut.zip");
    }
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0xff;
      await walkedFile("changed.zip", changed);
    }
  });

  test("SECURITY row 15 many nested archives use only a few file descriptors", async () => {
    const inner = zipOf([{ name: "note.txt", content: "inside" }]);
    const items = Array.from({ length: 60 }, (_, n) => ({ name: `${n}.zip`, content: inner, method: 0 }));
    const { contents } = await walkedFile("many.zip", zipOf(items));
    expect(Object.values(contents)).toEqual(Array(60).fill("inside"));
  });

  test("SECURITY row 15 copies of nested entries have their own limit", async () => {
    const inner = zipOf([{ name: "note.txt", content: "x".repeat(5000), method: 0 }]);
    const { unreadable } = await zip([{ name: "inner.zip", content: inner, method: 0 }], { copyBytes: 1000 });
    expect(unreadable["inner.zip"]).toMatch(/needs a temporary copy.*unpack it first/);
  });

  test("SECURITY row 15 a file that is named like an archive but is not one is reported", async () => {
    expect((await walkedFile("a.zip", Buffer.from("hello"))).unreadable["a.zip"]).toMatch(/is not one/);
    expect((await walkedFile("a.gz", Buffer.from("hello"))).unreadable["a.gz"]).toMatch(/is not/);
    expect((await walkedFile("a.zip", Buffer.alloc(0))).unreadable["a.zip"]).toMatch(/is not one/);
  });
});
