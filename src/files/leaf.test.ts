// The content of any directory is the same after it has been packed into leaves and unpacked.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entries, nameAt, TYPE } from "./leaf.ts";
import { decodeLeaves, dirNames, numberingOf, sameLeaf } from "./leaf-decode.ts";
import { encodeLeaf, leafBytesMax, setFirstDirId, withNumbering } from "./leaf-encode.ts";

interface Entry {
  isDir: boolean;
  mode: number;
  uid: number;
  gid: number;
  size: number;
  blocks: number;
  time: number;
  name: Uint8Array;
}

const entry: fc.Arbitrary<Entry> = fc.record({
  isDir: fc.boolean(),
  mode: fc.nat(0o7777),
  uid: fc.oneof(fc.constantFrom(0, 1000), fc.nat(0xffff_ffff)),
  gid: fc.oneof(fc.constantFrom(0, 1000), fc.nat(0xffff_ffff)),
  size: fc.oneof(fc.nat(5000), fc.nat(2 ** 40), fc.constant(Number.MAX_SAFE_INTEGER)),
  blocks: fc.oneof(fc.nat(100), fc.nat(2 ** 41)),
  time: fc.oneof(
    fc.integer({ min: 1_600_000_000_000, max: 1_700_000_000_000 }),
    fc.integer({ min: -(2 ** 40), max: 2 ** 46 }),
  ),
  name: fc.uint8Array({ minLength: 1, maxLength: 300 }),
});

function columnsOf(list: readonly Entry[]): Entries {
  const sorted = [...list.filter(({ isDir }) => isDir), ...list.filter(({ isDir }) => !isDir)];
  let end = 0;
  return {
    count: sorted.length,
    dirs: sorted.filter(({ isDir }) => isDir).length,
    modes: Uint16Array.from(sorted, ({ isDir, mode }) => mode | (isDir ? TYPE.directory : TYPE.file)),
    uids: Uint32Array.from(sorted, ({ uid }) => uid),
    gids: Uint32Array.from(sorted, ({ gid }) => gid),
    sizes: Float64Array.from(sorted, ({ size }) => size),
    blocks: Float64Array.from(sorted, ({ blocks }) => blocks),
    times: Float64Array.from(sorted, ({ time }) => time),
    names: Buffer.concat(sorted.map(({ name }) => name)),
    nameEnds: Uint32Array.from(sorted, ({ name }) => {
      end += name.length;
      return end;
    }),
  };
}

function leavesOf(entries: Entries, perLeaf: number): Buffer[] {
  const leaves: Buffer[] = [];
  for (let from = 0; from < entries.count; from += perLeaf) {
    const to = Math.min(entries.count, from + perLeaf);
    const out = Buffer.alloc(leafBytesMax(entries, from, to) + 7, 0xee);
    leaves.push(out.subarray(7, encodeLeaf(out, 7, entries, from, to)));
  }
  return leaves;
}

const lists = fc.array(entry, { minLength: 1, maxLength: 40 });

describe("a leaf", () => {
  it("unpacks to the same content that was packed, in one leaf or several", () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 50 }), (list, perLeaf) => {
        const entries = columnsOf(list);
        const read = decodeLeaves(leavesOf(entries, perLeaf));
        for (const column of ["modes", "uids", "gids", "sizes", "blocks", "times"] as const)
          expect([...read[column]]).toEqual([...entries[column]]);
        expect([read.count, read.dirs]).toEqual([entries.count, entries.dirs]);
        for (let index = 0; index < entries.count; index++)
          expect(Buffer.from(nameAt(read, index)).equals(nameAt(entries, index))).toBe(true);
        expect([...read.numbers]).toEqual([...read.numbers.keys()]);
      }),
    );
  });

  it("equals another if the disk reports the same content, whatever the node numbers", () => {
    fc.assert(
      fc.property(lists, fc.nat(1000), (list, first) => {
        const entries = columnsOf(list);
        const [plain] = leavesOf(entries, 50);
        const [counted] = leavesOf(entries, 50);
        setFirstDirId(counted!, first);
        const numbers = Uint32Array.from({ length: entries.count }, (_, index) => index * 3 + first);
        const dirIds = Uint32Array.from({ length: entries.dirs }, (_, index) => index * 7 + first);
        const numbered = withNumbering(plain!, { numbers, dirIds });
        expect(sameLeaf(plain!, counted!) && sameLeaf(counted!, numbered) && sameLeaf(numbered, plain!)).toBe(true);
        expect(numberingOf([numbered])).toEqual({ numbers, dirIds });
        expect([...numberingOf([counted!]).dirIds]).toEqual([...dirIds.keys()].map((index) => first + index));
        expect(dirNames(plain!).map((name) => name.toString("hex"))).toEqual(
          [...dirIds.keys()].map((index) => Buffer.from(nameAt(entries, index)).toString("hex")),
        );
        const other = {
          ...entries,
          sizes: entries.sizes.map((size, index) => (index === 0 ? (size + 1) % 2 ** 50 : size)),
        };
        expect(sameLeaf(plain!, leavesOf(other, 50)[0]!)).toBe(false);
      }),
    );
  });
});
