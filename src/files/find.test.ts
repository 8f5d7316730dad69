// Compares whole-tree queries (filters, orders, pages, reports) with plain code over an independent walk.
import { chmodSync, linkSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { FileFilter, FileNode } from "../contract/files.ts";
import { type Files, openFiles } from "./files.ts";
import { compileGlob } from "./glob.ts";
import { nodeHandles } from "./handles.ts";
import { typeOfName } from "./mime.ts";
import type { IndexColumns } from "./read/columns.ts";
import { compileFilter } from "./read/filter.ts";
import { find } from "./read/find.ts";
import { IndexReader } from "./read/index-reader.ts";
import { indexTree, listAll, makeTree, newFolder, type WalkedNode, walkedTotals, walkTree } from "./tree.fixture.ts";

const NAMES = [
  "a",
  "b",
  "photos",
  "Invoice 2019.pdf",
  "invoice.PDF",
  "IMG_0001.jpg",
  "img_2.JPG",
  "notes.md",
  "x.tar.gz",
  ".hidden",
  "no-ext",
];

let home: string;
let root: string;
let files: Files;
let indexId: string;
let walked: (WalkedNode & { size: number; depth: number; name: string })[];

/** All tests share one tree, which is created once. */
beforeAll(async () => {
  home = newFolder("home");
  root = newFolder("find");
  files = openFiles({ home });
  let random = 7;
  const next = (limit: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % limit;
  };
  for (let count = 0; count < 150; count++) {
    const path = Array.from({ length: 1 + next(4) }, () => NAMES[next(3)]).join("/");
    makeTree(root, { [`${path}/${NAMES[3 + next(8)]}`]: next(3) === 0 ? 0 : next(9000) });
  }
  makeTree(root, { "a/original": 4321 });
  linkSync(join(root, "a/original"), join(root, "a/linked"));
  symlinkSync("a", join(root, "link"));
  for (const { path, facts } of [...walkTree(root)].reverse()) {
    if (facts.isFile() && next(4) === 0) chmodSync(join(root, path), 0o600);
    const time = new Date(Date.UTC(2015 + next(10), next(12), 1 + next(28)));
    if (!facts.isSymbolicLink()) utimesSync(join(root, path), time, time);
  }
  ({ indexId } = await indexTree(files, root));
  walked = [...walkTree(root)].map((node) => ({
    ...node,
    name: node.path.split("/").at(-1)!,
    depth: node.path.split("/").length,
    size: node.facts.isDirectory() ? walkedTotals(join(root, node.path)).size : node.facts.size,
  }));
  return async () => {
    await files.close();
    for (const path of [home, root]) rmSync(path, { recursive: true });
  };
});

/** A filter's meaning, implemented as simply as possible. */
function means(filter: FileFilter, node: (typeof walked)[number]): boolean {
  const { facts, name, path, size, depth } = node;
  if ("and" in filter) return filter.and.every((one) => means(one, node));
  if ("or" in filter) return filter.or.some((one) => means(one, node));
  if ("not" in filter) return !means(filter.not, node);
  if ("name" in filter) return compileGlob(filter.name, { ignoreCase: !filter.caseSensitive })(name);
  if ("path" in filter) return compileGlob(filter.path, { ignoreCase: !filter.caseSensitive })(path);
  if ("kind" in filter)
    return [filter.kind].flat().includes(facts.isDirectory() ? "dir" : facts.isSymbolicLink() ? "link" : "file");
  if ("type" in filter) {
    const type = typeOfName(name);
    const wanted = filter.type;
    if (!facts.isFile()) return false;
    if (wanted.startsWith(".")) return name.toLowerCase().endsWith(wanted) && name.length > wanted.length;
    return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
  }
  if ("size" in filter) return size >= (filter.size.min ?? 0) && size <= (filter.size.max ?? Number.POSITIVE_INFINITY);
  if ("modified" in filter) {
    const { after, before } = filter.modified;
    const time = Math.floor(facts.mtimeMs);
    return (after === undefined || time >= Date.parse(after)) && (before === undefined || time < Date.parse(before));
  }
  if ("uid" in filter) return facts.uid === filter.uid;
  if ("gid" in filter) return facts.gid === filter.gid;
  if ("permission" in filter) {
    const { permission } = filter;
    const bits = Number.parseInt("all" in permission ? permission.all : permission.any, 8);
    return "all" in permission ? (facts.mode & bits) === bits : (facts.mode & bits) !== 0;
  }
  if ("depth" in filter)
    return depth >= (filter.depth.min ?? 0) && depth <= (filter.depth.max ?? Number.POSITIVE_INFINITY);
  return !filter.duplicate;
}

const day = fc.integer({ min: 2014, max: 2026 }).map((year) => `${year}-06-01`);
const leaf: fc.Arbitrary<FileFilter> = fc.oneof(
  fc.record({
    name: fc.constantFrom("*.pdf", "IMG*", "*o*", "no-ext", "?", "*.{md,jpg}", "[a-i]*", "*"),
    caseSensitive: fc.boolean(),
  }),
  fc.record({
    path: fc.constantFrom("a/**", "**/*.pdf", "*/*", "photos/**/a/*", "**", "**/*O*", "*/[a/i]*", "**/I*", "**/"),
    caseSensitive: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom("file", "dir", "link", ["dir", "link"]) }) as fc.Arbitrary<FileFilter>,
  fc.record({ type: fc.constantFrom("image/*", "application/pdf", ".gz", ".pdf", "text/markdown") }),
  fc.record({ size: fc.oneof(fc.record({ min: fc.nat(9000) }), fc.record({ max: fc.nat(9000) })) }),
  fc.record({ modified: fc.oneof(fc.record({ after: day }), fc.record({ before: day })) }),
  fc.record({ permission: fc.constantFrom({ all: "600" }, { any: "044" }, { all: "444" }) }),
  fc.record({ depth: fc.oneof(fc.record({ min: fc.nat(5) }), fc.record({ max: fc.nat(5) })) }),
  fc.record({ uid: fc.constantFrom(process.getuid!(), 4711) }),
);
const { filter: filters } = fc.letrec<{ filter: FileFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ and: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("filter"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("filter") }),
  ),
}));

function testColumns(): IndexColumns {
  const reader = new IndexReader(join(home, "files/ix1.db"), 1);
  try {
    return reader.snapshot(() => reader.columns());
  } finally {
    reader.close();
  }
}

async function findAll(query: Parameters<Files["find"]>[1]): Promise<FileNode[]> {
  const entries: FileNode[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await files.find(indexId, { ...query, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor;
    more = cursor !== undefined;
  }
  return entries;
}

const below = (node: FileNode): string => node.path!.slice(root.length + 1);

/** Sums the bytes of all matches and everything below them, counting each file once. */
function bytesOnce(found: typeof walked): number {
  const dirs = new Set(found.filter(({ facts }) => facts.isDirectory()).map(({ path }) => path));
  const direct = new Set(found.map(({ path }) => path));
  const isIn = (path: string): boolean =>
    direct.has(path) || path.split("/").some((_, at, names) => dirs.has(names.slice(0, at).join("/")));
  const inside = walked.filter(({ path, facts }) => !facts.isDirectory() && isIn(path));
  const sizes = new Map(inside.map(({ facts }) => [facts.ino, Number(facts.size)]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

describe("find", () => {
  it("returns exactly the nodes that match a filter, with their count and size", async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = walked.filter((node) => means(filter, node));
        const { matches } = await files.find(indexId, { filter, limit: 1 });
        const found = await findAll({ filter, limit: 500 });
        expect(found.map(below).sort()).toEqual(expected.map(({ path }) => path).sort());
        expect(matches).toMatchObject({
          nodes: expected.length,
          dirs: expected.filter(({ facts }) => facts.isDirectory()).length,
          size: bytesOnce(expected),
        });
        const selected = await files.select(indexId, { filter });
        expect(nodeHandles(indexId, selected).sort()).toEqual(found.map(({ nodeId }) => nodeId).sort());
        expect(selected.size).toBe(matches.size);
      }),
      { numRuns: 150 },
    );
  });

  it.each(["tree", "name", "size", "time"] as const)(
    "by %s, returns each node once, in order, across all pages",
    async (order) => {
      for (const descending of [false, true]) {
        const whole = await findAll({ order, descending, limit: 1000 });
        expect(new Set(whole.map(({ nodeId }) => nodeId)).size).toBe(walked.length);
        const key = ({ size, modifiedAt, name }: FileNode) =>
          order === "size" ? size : order === "time" ? modifiedAt : name.toLowerCase();
        if (order !== "tree")
          for (const [index, node] of whole.slice(1).entries()) {
            const [one, other] = descending ? [key(node), key(whole[index]!)] : [key(whole[index]!), key(node)];
            expect(one <= other).toBe(true);
          }
        expect(await findAll({ order, descending, limit: 7 })).toEqual(whole);
      }
    },
  );

  it("stays below a directory if one is given", async () => {
    const { nodeId } = await files.nodeAt(indexId, "a");
    const found = await findAll({ under: nodeId, limit: 500 });
    expect(found.map(below).sort()).toEqual(
      walked
        .map(({ path }) => path)
        .filter((path) => path.startsWith("a/"))
        .sort(),
    );
  });

  it.each([
    [{}, "filter"],
    [[], "filter"],
    [{ name: "a", size: { min: 1 } }, "filter"],
    [{ nope: 1 }, "filter"],
    [{ and: [] }, "filter.and"],
    [{ and: [{ name: "a" }, { size: {} }] }, "filter.and[1].size"],
    [{ not: { modified: { after: "yesterday" } } }, "filter.not.modified.after"],
    [{ name: "{".repeat(20) }, "filter.name"],
    [{ permission: { any: "9" } }, "filter.permission"],
    [{ kind: "folder" }, "filter.kind"],
  ])("refuses %j and reports where the error is", async (filter, param) => {
    await expect(files.find(indexId, { filter: filter as FileFilter })).rejects.toMatchObject({
      code: "invalid_filter",
      details: { param, next_step: expect.stringContaining("rite") },
    });
  });

  it("SECURITY row 12: refuses a filter with three hundred parts", () => {
    const filter = { or: Array.from({ length: 300 }, () => ({ uid: 1 })) };
    expect(() => compileFilter(filter)).toThrow("at most 200 operators");
  });

  it("P-05 duplicates are searched for once, regardless of how many blocks an index has", () => {
    const columns = testColumns();
    const blocks = [...columns.blocks, ...columns.blocks];
    let looks = 0;
    const request = { filter: compileFilter({ duplicate: true }), limit: 1, order: "tree", descending: false } as const;
    find({ ...columns, blocks }, request, () => {
      looks++;
      return new Set();
    });
    expect(looks).toBe(1);
  });

  it("SECURITY row 12: refuses patterns that take too many steps, but not those that take few", () => {
    const columns = testColumns();
    const run = (filter: FileFilter) => () => {
      const request = { filter: compileFilter(filter, { patternSteps: 15_000 }), limit: 10 } as const;
      return find(columns, { ...request, order: "tree", descending: false }, () => new Set()).matches.nodes;
    };
    expect(run({ path: "**/*.pdf" })()).toBeGreaterThan(0);
    for (const filter of [
      { path: "**?".repeat(150) },
      { name: "*?".repeat(250) },
      { or: Array(50).fill({ name: "?*[a-z]*#*" }) },
    ])
      expect(run(filter)).toThrow("too slow");
  });

  it("SECURITY row 12: refuses a filter nested a thousand levels deep without evaluating it", () => {
    let filter: FileFilter = { name: "a" };
    for (let depth = 0; depth < 1000; depth++) filter = { not: filter };
    expect(() => compileFilter(filter)).toThrow("20 deep");
  });
});

describe("children", () => {
  it.each(["name", "size", "time"] as const)(
    "by %s, are each listed once, in order, across all pages",
    async (order) => {
      const { nodeId } = await files.nodeAt(indexId, "a");
      for (const descending of [false, true]) {
        const whole = (await files.children(indexId, nodeId, { order, descending, limit: 1000 })).entries;
        const paged: FileNode[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await files.children(indexId, nodeId, { order, descending, limit: 3, cursor });
          expect(page.total).toBe(whole.length);
          paged.push(...page.entries);
          cursor = page.nextCursor;
          more = cursor !== undefined;
        }
        expect(paged).toEqual(whole);
        const key = ({ size, modifiedAt, name }: FileNode) =>
          order === "size" ? size : order === "time" ? modifiedAt : Buffer.from(name).toString("latin1");
        const keys = whole.map(key);
        const sorted = [...keys].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
        expect(keys).toEqual(descending ? sorted.reverse() : sorted);
      }
    },
  );
});

describe("reports", () => {
  it("largest: returns the same as sorting everything, below any directory", async () => {
    for (const under of [undefined, "a", "a/b", "photos"]) {
      const nodeId = under === undefined ? undefined : (await files.nodeAt(indexId, under)).nodeId;
      const inside = walked.filter(({ path }) => under === undefined || path.startsWith(`${under}/`));
      for (const kind of ["file", "dir"] as const) {
        const expected = inside
          .filter(({ facts }) => (kind === "file" ? facts.isFile() : facts.isDirectory()))
          .map(({ size }) => size)
          .sort((one, other) => other - one);
        const found: FileNode[] = [];
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await files.largest(indexId, { under: nodeId, kind, limit: 9, cursor });
          found.push(...page.entries);
          cursor = page.nextCursor;
          more = cursor !== undefined;
        }
        expect(found.map(({ size }) => size)).toEqual(expected);
        expect(new Set(found.map(({ nodeId: id }) => id)).size).toBe(found.length);
      }
    }
  });

  it("types and ages add up to all files, and a file with several names counts once", async () => {
    const total = (await files.indexInfo(indexId)).totals!;
    const links = walked.filter(({ facts }) => facts.isSymbolicLink());
    for (const shares of [await files.types(indexId), await files.ages(indexId)]) {
      expect(shares.reduce((sum, { files: count }) => sum + count, 0)).toBe(total.files - links.length);
      const size = total.size - links.reduce((sum, { size: one }) => sum + one, 0);
      expect(shares.reduce((sum, { size: one }) => sum + one, 0)).toBe(size);
    }
    const pdf = (await files.types(indexId)).find(({ type }) => type === "application/pdf")!;
    expect(pdf.files).toBe(walked.filter(({ name, facts }) => facts.isFile() && /\.pdf$/i.test(name)).length);
    const old = (await files.ages(indexId)).at(-1)!;
    const expected = walked.filter(({ facts }) => facts.isFile() && facts.mtimeMs < Date.parse(old.before!)).length;
    expect(old.files).toBe(expected);
  });

  it("every node in a listing equals the node that its handle returns", async () => {
    const listed = await listAll(files, indexId, (await files.indexInfo(indexId)).rootNodeId);
    const nodes = await files.nodes(
      indexId,
      [...listed.values()].map(({ nodeId }) => nodeId),
    );
    expect(nodes.map((node) => node && below(node))).toEqual([...listed.keys()]);
  });
});
