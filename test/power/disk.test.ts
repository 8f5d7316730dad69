// The disk for simulated power cuts: synced data is always there, and other data only after some cuts.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { randomFrom } from "../crash/random.ts";
import { Disk } from "./disk.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-disk-"));
const home = join(folder, "home");
const after = join(folder, "after");
mkdirSync(home);
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a line in the format of write-log.c. */
function line(kind: string, { inode = 0, place = 0, names = "", data = "" }): Buffer {
  const head = Buffer.alloc(32);
  head.write(kind);
  head.writeUInt32LE(Buffer.byteLength(names), 4);
  head.writeBigUInt64LE(BigInt(inode), 8);
  head.writeBigUInt64LE(BigInt(place), 16);
  head.writeBigUInt64LE(BigInt(data.length), 24);
  return Buffer.concat([head, Buffer.from(names), Buffer.from(data)]);
}

/** Returns the possible states of a file after 60 power cuts that follow these lines: its contents, or its absence. */
function outcomes(lines: Buffer[], name: string): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const disk = new Disk(home);
    disk.replay(Buffer.concat(lines));
    disk.cut(randomFrom(seed));
    disk.writeTo(after);
    found.add(readdirSync(after).includes(name) ? readFileSync(join(after, name), "utf8") : "absent");
  }
  return found;
}

const created = (name: string, inode: number): Buffer => line("C", { inode, names: join(home, name) });
const written = (inode: number, place: number, data: string): Buffer => line("W", { inode, place, data });
const synced = (inode: number, number: number): Buffer[] => [
  line("B", { inode, place: number }),
  line("E", { place: number }),
];
const homeOpened = line("O", { inode: 9, names: home });

it("synced data is there, with its name, after every cut", () => {
  const lines = [created("a", 1), written(1, 0, "one"), ...synced(1, 1), homeOpened, ...synced(9, 2)];
  expect(outcomes(lines, "a")).toEqual(new Set(["one"]));
  expect(outcomes([...lines, written(1, 3, "!")], "a")).toEqual(new Set(["one", "one!"]));
});

it("a synced file whose name was not synced, and bytes written during a sync, may be lost", () => {
  expect(outcomes([created("a", 1), written(1, 0, "one"), ...synced(1, 1)], "a")).toEqual(new Set(["absent", "one"]));
  const during = [created("a", 1), line("B", { inode: 1, place: 1 }), written(1, 0, "x"), line("E", { place: 1 })];
  expect(outcomes([...during, homeOpened, ...synced(9, 2)], "a")).toEqual(new Set(["", "x"]));
});

it("a renamed file has its old or its new name, and a removed file may still be there, until the directory is synced", () => {
  const lines = [created("a", 1), written(1, 0, "one"), ...synced(1, 1), homeOpened, ...synced(9, 2)];
  const renamed = [...lines, line("R", { names: `${join(home, "a")}\0${join(home, "b")}` })];
  expect(outcomes(renamed, "b")).toEqual(new Set(["absent", "one"]));
  expect(outcomes([...renamed, ...synced(9, 3)], "b")).toEqual(new Set(["one"]));
  const removed = [...lines, line("U", { names: join(home, "a") })];
  expect(outcomes(removed, "a")).toEqual(new Set(["absent", "one"]));
  expect(outcomes([...removed, ...synced(9, 3)], "a")).toEqual(new Set(["absent"]));
});
