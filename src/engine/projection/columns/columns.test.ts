// The columns as a whole: catching up, saving, damage, budgets and second processes.
import { describe, expect, it } from "vitest";
import { Columns, type ColumnsOptions } from "./columns.ts";
import { memoryFeed } from "./memory-feed.fixture.ts";
import { memorySegments } from "./memory-segments.fixture.ts";
import type { ColumnsShape } from "./shape.ts";

const shape: ColumnsShape = {
  columns: [
    { field: "name", kind: "string" },
    { field: "amount", kind: "number" },
  ],
  defaultSort: "amount",
};
const everything = { where: [] };
const total = { metric: "sum", field: "amount", orderBy: "-value", limit: 10 } as const;

async function filled(options: Partial<ColumnsOptions> = {}) {
  const feed = memoryFeed();
  const segments = memorySegments();
  const rebuilds: string[] = [];
  const open = (more: Partial<ColumnsOptions> = {}) =>
    new Columns({
      segments,
      budgetBytes: 1e9,
      persist: true,
      limits: { rows: 64, bytes: 1e9 },
      tailRows: 4,
      onRebuild: (_streamNo, reason) => rebuilds.push(reason),
      ...options,
      ...more,
    });
  for (let i = 0; i < 300; i++) feed.put(`id ${i}`, { name: `name ${i % 7}`, amount: i });
  const columns = open();
  const at = (from: Columns = columns) => from.at(1, shape, feed, feed.version);
  await at();
  await columns.flush();
  return { feed, segments, rebuilds, columns, open, at };
}

describe("a stored stream", () => {
  it("is loaded, not rebuilt, and reads only new changes", async () => {
    const { feed, open, at, rebuilds } = await filled();
    feed.put("one more", { name: "new", amount: 1000 });
    const read: number[] = [];
    const { changes } = feed;
    feed.changes = async (...asked) => {
      const rows = await changes(...asked);
      read.push(rows.length);
      return rows;
    };
    expect(await (await at(open())).count(everything)).toBe(301);
    expect(read).toEqual([1, 1]); // One read checks how far the feed goes, and the other reads the new row.
    expect(rebuilds).toEqual([]);
  });

  it("has at most one partly filled segment", async () => {
    const { segments } = await filled();
    const partly = segments.manifests.get(1)!.segments.filter(({ rows }) => rows <= 32);
    expect(partly.length).toBeLessThanOrEqual(1);
  });

  it("drops the text of deleted values when segments are rewritten", async () => {
    const { feed, segments, columns, at } = await filled();
    feed.put("id 0", { name: "a secret", amount: -1 });
    await at();
    await columns.flush();
    feed.remove("id 0");
    for (let i = 0; i < 40; i++) feed.put(`later ${i}`, { name: "later", amount: -i });
    await at();
    await columns.flush();
    const texts = [...segments.blobs.values()].map((bytes) => Buffer.from(bytes).toString("latin1"));
    expect(texts.some((text) => text.includes("a secret"))).toBe(false);
  });

  it("keeps the deletions of segments that are not rewritten", async () => {
    const { feed, columns, open, at, rebuilds } = await filled();
    feed.remove("id 5");
    feed.put("id 6", { name: "name 6", amount: 7000 });
    await at();
    await columns.flush();
    const again = await at(open());
    expect(await again.count(everything)).toBe(299);
    expect((await again.aggregate(everything, total)).value).toBe((299 * 300) / 2 - 5 - 6 + 7000);
    expect(rebuilds).toEqual([]);
  });
});

describe("SECURITY row 26: damage", () => {
  const damages: [string, (bytes: Uint8Array) => Uint8Array | undefined][] = [
    ["a flipped bit", (bytes) => bytes.map((byte, i) => (i === 40 ? byte ^ 1 : byte))],
    ["another magic", (bytes) => bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte))],
    ["a truncated end", (bytes) => bytes.subarray(0, bytes.length - 1)],
    ["no bytes", () => new Uint8Array(0)],
    ["a missing blob", () => undefined],
  ];
  for (const [name, damage] of damages) {
    it(`${name} in any blob causes a rebuild and no wrong answer`, async () => {
      const { segments, rebuilds, open, at } = await filled();
      for (const [key, bytes] of [...segments.blobs]) {
        const damaged = damage(bytes);
        if (damaged) segments.blobs.set(key, damaged);
        else segments.blobs.delete(key);
        const found = await at(open());
        expect((await found.aggregate(everything, total)).value).toBe((299 * 300) / 2);
        const page = await found.page({ where: [{ field: "name", op: "eq", value: "name 3" }] }, { limit: 2 });
        expect(page.map(({ id }) => id)).toEqual(["id 3", "id 10"]);
        expect(await found.count({ where: [], ids: new Set(["id 200", "no"]) })).toBe(1);
        segments.blobs.set(key, bytes);
      }
      expect(rebuilds.length).toBeGreaterThan(0);
      expect(new Set(rebuilds)).toEqual(new Set(["damaged"]));
    });
  }

  it("in a bitmap or a missing column causes a rebuild", async () => {
    const { feed, segments, rebuilds, columns, open, at } = await filled();
    feed.remove("id 5");
    await at();
    await columns.flush();
    const manifest = segments.manifests.get(1)!;
    const { dead } = manifest.segments.find((segment) => segment.dead.length > 0)!;
    dead[dead.length - 1]! ^= 2;
    expect(await (await at(open())).count(everything)).toBe(299);
    dead[dead.length - 1]! ^= 2;
    manifest.segments[0]!.columns.pop();
    expect(await (await at(open())).count(everything)).toBe(299);
    expect(rebuilds).toEqual(["damaged", "damaged"]);
  });

  it("is removed from the store by the next flush", async () => {
    const { segments, rebuilds, open, at } = await filled();
    segments.blobs.clear();
    const columns = open();
    await at(columns);
    await columns.flush();
    expect(await (await at(open())).count(everything)).toBe(300);
    expect(rebuilds).toEqual(["damaged"]);
  });
});

it("a changed declaration rebuilds the stream", async () => {
  const { feed, open, rebuilds } = await filled();
  const other = { columns: [{ field: "amount", kind: "string" as const }] };
  const found = await open().at(1, other, feed, feed.version);
  expect(
    (await found.aggregate(everything, { metric: "count_distinct", field: "amount", orderBy: "-value", limit: 1 }))
      .value,
  ).toBe(0);
  expect(rebuilds).toEqual(["shape"]);
});

it("columns that are ahead of the feed, for example after a backup was restored, are rebuilt", async () => {
  const { open, rebuilds } = await filled();
  const feed = memoryFeed();
  feed.put("only", { name: "one", amount: 1 });
  expect(await (await open().at(1, shape, feed, feed.version)).count(everything)).toBe(1);
  expect(rebuilds).toEqual(["ahead_of_feed"]);
});

it("a second process saves nothing, and adapts when the first process rewrites segments", async () => {
  const { feed, segments, columns, rebuilds, open, at } = await filled();
  const second = open({ persist: false });
  const found = await at(second);
  for (let i = 0; i < 300; i++) feed.put(`id ${i}`, { name: "changed", amount: i + 1 });
  await at();
  await columns.flush();
  const saved = structuredClone(segments.manifests.get(1));
  expect((await found.aggregate(everything, total)).count).toBe(300);
  expect((await (await at(second)).aggregate(everything, total)).value).toBe((300 * 301) / 2);
  await second.flush();
  expect(segments.manifests.get(1)).toEqual(saved);
  expect(rebuilds).toEqual([]);
});

it("a view does not change while later rows are added", async () => {
  const { feed, at } = await filled();
  const before = await at();
  for (let i = 0; i < 300; i += 2) feed.remove(`id ${i}`);
  await at();
  expect(await before.count(everything)).toBe(300);
});

it("stays within its memory budget once segments are saved, and still returns results", async () => {
  const { feed, open } = await filled();
  const columns = open({ budgetBytes: 4000 });
  for (let round = 0; round < 3; round++) {
    const found = await columns.at(1, shape, feed, feed.version);
    expect((await found.aggregate(everything, { ...total, groupBy: "name" })).groups).toHaveLength(7);
    expect((await found.page(everything, { sort: { field: "name", descending: true }, limit: 3 }))[0]!.value).toBe(
      "name 6",
    );
    expect(columns.bytes).toBeLessThanOrEqual(4000);
  }
});

it("concurrent readers share one catch-up", async () => {
  const { feed, open } = await filled();
  const columns = open();
  let reads = 0;
  const { changes } = feed;
  feed.put("new", { name: "new", amount: 1 });
  feed.changes = (...asked) => {
    reads++;
    return changes(...asked);
  };
  const all = await Promise.all(Array.from({ length: 5 }, () => columns.at(1, shape, feed, feed.version)));
  for (const found of all) expect(await found.count(everything)).toBe(301);
  expect(reads).toBe(2); // One read checks how far the feed goes, and the other reads the new row.
});

it("a feed that fails halfway leaves nothing behind", async () => {
  const { feed, columns, at } = await filled();
  const { changes } = feed;
  feed.put("id 1", { name: "again", amount: 1 });
  feed.changes = () => {
    throw new Error("gone");
  };
  await expect(at()).rejects.toThrow("gone");
  feed.changes = changes;
  expect(await (await at()).count(everything)).toBe(300);
  await columns.forget(1);
  expect(columns.bytes).toBe(0);
});

it("records that move in the feed during a catch-up appear once, in their current state", async () => {
  const feed = memoryFeed();
  for (let i = 0; i < 4500; i++) feed.put(`id ${i}`, { name: "old", amount: i });
  const { version, changes } = feed;
  let reads = 0;
  feed.changes = (...asked) => {
    // After the first read, one processed record and one unprocessed record move, and one is deleted.
    if (++reads === 2) {
      feed.put("id 1", { name: "new", amount: 1 });
      feed.put("id 4000", { name: "new", amount: 4000 });
      feed.remove("id 2");
    }
    return changes(...asked);
  };
  const columns = new Columns({ segments: memorySegments(), budgetBytes: 1e9, persist: true });
  const found = await columns.at(1, shape, feed, version);
  expect(await found.count(everything)).toBe(4499);
  expect(await found.count({ where: [{ field: "name", op: "eq", value: "new" }] })).toBe(2);
});
