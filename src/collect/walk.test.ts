// The files that a walk finds on a disk, and its report about the rest.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder, walked } from "./archive/walked.fixture.ts";

const folder = newFolder();
beforeAll(() => {
  folder.put("tree/b/two.txt", "two");
  folder.put("tree/a.txt", "one");
  folder.put("tree/Thumbs.db", "x");
  folder.put("tree/._a.txt", "x");
});
afterAll(() => folder.remove());

describe("a walk", () => {
  test("yields files in order, with paths relative to the given path, without system files", async () => {
    const { roots, contents } = await walked([join(folder.path, "tree")]);
    expect(roots.map(({ name }) => name)).toEqual(["tree"]);
    expect(contents).toEqual({ "a.txt": "one", "b/two.txt": "two" });
  });

  test("of one file yields it under its own name, or under the given name", async () => {
    const path = join(folder.path, "tree/a.txt");
    expect((await walked([path])).contents).toEqual({ "a.txt": "one" });
    expect((await walked([{ path, name: "../Letters.txt" }])).contents).toEqual({ "Letters.txt": "one" });
  });

  test("groups separately given files by their top-level folder", async () => {
    const path = join(folder.path, "tree/a.txt");
    const given = ["vault/a.txt", "vault/b/c.txt", "vault/.DS_Store", "alone.txt", "vault/../../d.txt"];
    const { roots } = await walked(given.map((name) => ({ path, name })));
    expect(roots.map(({ name, entries }) => [name, entries.map((entry) => entry.path)])).toEqual([
      ["vault", ["a.txt", "b/c.txt", "d.txt"]],
      ["alone.txt", ["alone.txt"]],
    ]);
  });

  test("reports missing paths, and continues with the others", async () => {
    const { contents, unreadable } = await walked([join(folder.path, "nothing"), join(folder.path, "tree/a.txt")]);
    expect(unreadable).toEqual({ nothing: "there is no such file" });
    expect(contents).toEqual({ "a.txt": "one" });
  });

  test("follows a link that was given, but no other, and terminates on a loop of links", async () => {
    const place = join(folder.path, "links");
    mkdirSync(place);
    symlinkSync(join(folder.path, "tree"), join(place, "elsewhere"));
    symlinkSync(place, join(place, "round"));
    symlinkSync("nowhere", join(place, "dangling"));
    symlinkSync(join(place, "self"), join(place, "self"));
    const { contents, unreadable } = await walked([place]);
    expect(contents).toEqual({});
    expect(Object.keys(unreadable)).toEqual(["dangling", "elsewhere", "round", "self"]);
    expect(unreadable.elsewhere).toMatch(/it is a link/);
    expect((await walked([join(place, "elsewhere")])).contents).toEqual({ "a.txt": "one", "b/two.txt": "two" });
    expect((await walked([join(place, "self")])).unreadable).toEqual({ self: "its links form a loop" });
  });

  test("SECURITY row 14 never opens a FIFO, a socket or a device", async () => {
    const place = join(folder.path, "pipes");
    mkdirSync(place);
    execFileSync("mkfifo", [join(place, "fifo.mbox")]);
    const { unreadable } = await walked([place, "/dev/zero"]);
    expect(unreadable).toEqual({
      "fifo.mbox": "it is neither a file nor a folder",
      zero: "it is neither a file nor a folder",
    });
  });

  test("reads files with unusual names, or names that are not text", async () => {
    const place = join(folder.path, "names");
    mkdirSync(place);
    const latin = Buffer.concat([Buffer.from(`${place}/gr`), Buffer.from([0xfc]), Buffer.from("n.txt")]);
    writeFileSync(latin, "latin");
    for (const name of ["new\nline.txt", " space ", "quote'\".txt", "back\\slash.txt", "‮bidi.txt", "-rf"]) {
      writeFileSync(join(place, name), name);
    }
    const { contents, roots } = await walked([place]);
    expect(contents).toMatchObject({
      "grün.txt": "latin",
      "new\nline.txt": "new\nline.txt",
      " space ": " space ",
      "-rf": "-rf",
      "back/slash.txt": "back\\slash.txt",
    });
    expect(Object.keys(contents)).toHaveLength(7);
    // A program that needs a path gets a copy under a path that is valid text.
    const paths = await Promise.all(roots[0]!.entries.map((entry) => entry.file().catch(() => "a copy")));
    expect(paths.filter((path) => path === "a copy")).toHaveLength(1);
  });

  test("reports files that this user is not allowed to read, and reads the others", () => {
    const place = join(folder.path, "closed");
    folder.put("closed/open.txt", "open");
    chmodSync(folder.put("closed/secret.txt", "secret"), 0);
    folder.put("closed/room/inside.txt", "inside");
    chmodSync(join(place, "room"), 0);
    chmodSync(folder.path, 0o755);
    // Root can read everything, so another user runs the walk.
    const script = `
      import { walk } from ${JSON.stringify(fileURLToPath(new URL("./walk.ts", import.meta.url)))};
      import { recognise } from ${JSON.stringify(fileURLToPath(new URL("./recognise.ts", import.meta.url)))};
      const roots = await walk([${JSON.stringify(place)}], { copier: () => async () => "" });
      const { left } = await recognise(roots, []);
      console.log(JSON.stringify(left));`;
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      ...asNobody,
      encoding: "utf8",
    });
    chmodSync(join(place, "room"), 0o700);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      { path: "room", reason: "this user is not allowed to read it", failed: true },
      { path: "open.txt", reason: "no importer supports this format", advice: expect.any(String) },
      { path: "secret.txt", reason: "this user is not allowed to read it", failed: true },
    ]);
  });
});
