// Tests that stored text never controls a terminal, and that JSON stays unchanged.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainJson, printable, printableText } from "./printable.ts";
import { bytes, count, table } from "./table.ts";

/**
 * Finds characters that stored text must not send to a terminal: controls and direction marks. Newlines and tabs are
 * accepted only where allowed.
 */
const steers = (text: string, allowed = "") =>
  [...text].some(
    (character) =>
      !allowed.includes(character) && /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(character),
  );

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\x1b", "\x9b", "\r", "\n", "\x07", "\u202e", "\u2066", "\ufeff", "é", "漢", "😀"),
    fc.string({ unit: "binary", maxLength: 3 }),
  ),
});

describe("stored text on a terminal", () => {
  it("never controls the terminal, whether in a cell, a text or JSON", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(steers(printable(text))).toBe(false);
        expect(steers(printableText(text), "\n\t")).toBe(false);
        expect(steers(plainJson(JSON.stringify({ text })))).toBe(false);
        expect(steers(table([text], [[text]]), "\n")).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves JSON unchanged", () => {
    fc.assert(
      fc.property(fc.json(), hostile, (json, text) => {
        expect(JSON.parse(plainJson(json))).toEqual(JSON.parse(json));
        expect(JSON.parse(plainJson(JSON.stringify([text])))).toEqual([text]);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps newlines, tabs and joiners in a text", () => {
    expect(printableText("a\r\nb\tc 👩‍👧 می‌خواهم\r!")).toBe("a\nb\tc 👩‍👧 می‌خواهم�!");
  });

  it("truncates a cell by characters, even if the text is very long", () => {
    expect(printable("x".repeat(1_000_000), 10)).toBe(`${"x".repeat(9)}…`);
    expect(printable("😀".repeat(20), 10)).toBe(`${"😀".repeat(9)}…`);
    expect(printable("ten chars!", 10)).toBe("ten chars!");
  });
});

describe("a table", () => {
  it("aligns wide characters and never truncates its first column", () => {
    const id = "i".repeat(100);
    const lines = table(
      ["id", "name", "n"],
      [
        [id, "漢字", "1"],
        ["b", "ab", "2"],
      ],
    ).split("\n");
    expect(lines[2]!.startsWith(id)).toBe(true);
    expect(lines[2]!.endsWith("漢字  1")).toBe(true);
    expect(lines[3]!.endsWith("ab    2")).toBe(true);
  });
});

it("formats numbers as people do", () => {
  expect([count(1, "record"), count(20_000, "record"), count(2, "entry", "entries")]).toEqual([
    "1 record",
    "20,000 records",
    "2 entries",
  ]);
  expect([bytes(5), bytes(2048), bytes(5 * 1024 ** 3)]).toEqual(["5 B", "2.0 KiB", "5.0 GiB"]);
});
