// Passages cover a text in order, end at sentences or words, and skip parts without words.
import { expect, it } from "vitest";
import { passagesOf } from "./passages.ts";

it("a short text has one passage, and a text without words has none", () => {
  expect(passagesOf("  Bread and butter. ")).toEqual([{ start: 2, end: 20 }]);
  expect(passagesOf(" … --- \n")).toEqual([]);
  expect(passagesOf("")).toEqual([]);
});

it("a long text is cut at sentence ends, and every word is in exactly one passage", () => {
  const text = Array.from({ length: 200 }, (_, at) => `Sentence number ${at} has a few words.`).join(" ");
  const passages = passagesOf(text);
  expect(passages.length).toBeGreaterThan(6);
  expect(passages.map(({ start, end }) => text.slice(start, end)).join(" ")).toBe(text);
  for (const { start, end } of passages) {
    expect(end - start).toBeLessThanOrEqual(1000);
    expect(text.slice(start, end)).toMatch(/^Sentence .*\.$/s);
  }
});

it("a very long word is cut, and only the first 64 passages are kept", () => {
  const passages = passagesOf("x".repeat(100_000));
  expect(passages).toHaveLength(64);
  expect(passages[1]!.start).toBe(passages[0]!.end);
});
