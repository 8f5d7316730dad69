// Reading JSON value by value gives the same result as parsing it in one go, wherever the chunks end. A broken item
// does not affect the others.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryEntry } from "../importer.fixture.ts";
import { type JsonItem, jsonItems } from "./json-items.ts";

async function all(text: string, wanted = (path: readonly unknown[]) => path.length === 1, options = {}) {
  const items: JsonItem[] = [];
  let failure: string | undefined;
  try {
    for await (const item of jsonItems(memoryEntry("a.json", text), wanted, options)) items.push(item);
  } catch (error) {
    failure = (error as Error).message;
  }
  return { items, failure };
}

const values = (items: readonly JsonItem[]): unknown[] =>
  items.map((item) => ("value" in item ? item.value : item.problem));

describe("jsonItems", () => {
  it("yields the same values as JSON.parse, in order, for any list", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 30 }), fc.constantFrom(0, 2), async (list, indent) => {
        const { items, failure } = await all(JSON.stringify(list, null, indent));
        expect(failure).toBeUndefined();
        expect(values(items)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
      { numRuns: 100 },
    );
  });

  it("yields the same values however the file is split into chunks", async () => {
    const text = JSON.stringify(
      [{ a: 'x\\"\\\\', '\\"b': [1, "]}", { c: "ü" }] }, "\\", -1.5e3, null, [['"']]],
      null,
      1,
    );
    const bytes = Buffer.from(text);
    const expected = await all(text);
    expect(values(expected.items)).toEqual(JSON.parse(text));
    for (let first = 1; first < bytes.length; first++) {
      const entry = memoryEntry("a.json", text);
      // One buffer is reused for all chunks, as in a file reader.
      const buffer = Buffer.alloc(bytes.length);
      const open = async function* () {
        for (const part of [bytes.subarray(0, first), bytes.subarray(first, first + 1), bytes.subarray(first + 1)]) {
          part.copy(buffer);
          yield buffer.subarray(0, part.length);
        }
      };
      const items: JsonItem[] = [];
      for await (const item of jsonItems({ ...entry, open }, (path) => path.length === 1)) items.push(item);
      expect(items).toEqual(expected.items);
    }
  });

  it("yields values at deep paths with their location", async () => {
    const text = '\ufeff{"chats": {"list": [{"name": "é", "messages": [{"id": 1}, {"id": 2}]}, {"messages": []}]}}';
    const { items, failure } = await all(text, (path) => path.length === 5 || path[3] === "name");
    expect(failure).toBeUndefined();
    expect(items).toEqual([
      { path: ["chats", "list", 0, "name"], value: "é", offset: 32 },
      { path: ["chats", "list", 0, "messages", 0], value: { id: 1 }, offset: 51 },
      { path: ["chats", "list", 0, "messages", 1], value: { id: 2 }, offset: 62 },
    ]);
  });

  it("starts after a prefix", async () => {
    const { items } = await all("window.YTD.like.part0 = [1, 2]", undefined, { behindPrefix: true });
    expect(values(items)).toEqual([1, 2]);
  });

  it("reports a broken, a deeply nested and a large item as one problem each, and continues", async () => {
    const deep = "[".repeat(300) + "]".repeat(300);
    const { items, failure } = await all(`[{"a" 1}, ${deep}, "${"x".repeat(5000)}", 7]`, undefined, {
      itemBytesMax: 2000,
    });
    expect(failure).toBeUndefined();
    expect(values(items)).toEqual(["it is not JSON", "nested more than 200 levels deep", "larger than 2000 bytes", 7]);
  });

  it("reports where a file is truncated, or that it is not JSON", async () => {
    expect(await all('[{"a":1}, {"b"')).toMatchObject({ items: [{}], failure: "it is truncated at byte 14" });
    expect((await all("hello")).failure).toBe("it contains invalid JSON at byte 0");
    expect((await all("")).failure).toBe("it contains no JSON");
    expect((await all("[1 2]")).failure).toBe("it contains invalid JSON at byte 3");
    expect((await all("[".repeat(500), () => false)).failure).toMatch(/nested more than 100 levels deep/);
  });
});
