// L-04, L-13: windows never split a character, and their offsets and counts are correct for every text and every
// request.
import fc from "fast-check";
import { expect, it } from "vitest";
import { WINDOW } from "../contract/limits.ts";
import { cutWindow, fieldText } from "./window.ts";

const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fc.constantFrom("a", "é", "𝒳", "😀", "\n", "ﬀ"), { maxLength: 200 }).map((parts) => parts.join("")),
);

it("L-04 a window contains exactly the code points that it reports, and says what precedes and follows it", () => {
  fc.assert(
    fc.property(text, fc.nat(310), fc.integer({ min: 1, max: 50 }), (whole, offset, limit) => {
      const points = [...whole];
      if (offset > points.length) {
        expect(() => cutWindow(whole, { offset, limit })).toThrow(/past its end/);
        return;
      }
      const window = cutWindow(whole, { offset, limit });
      expect(window.text).toBe(points.slice(offset, offset + limit).join(""));
      expect([window.start_chars, window.total_chars]).toEqual([offset, points.length]);
      expect(window.end_chars).toBe(Math.min(points.length, offset + limit));
      expect(window.has_more).toBe(window.end_chars < points.length);
      expect(window.next_offset_chars).toBe(window.has_more ? window.end_chars : undefined);
      expect(window.complete).toBe(window.text === whole);
      expect(window.previous_offset_chars).toBe(offset === 0 ? undefined : Math.max(0, offset - limit));
    }),
    { numRuns: 1000 },
  );
});

it("L-04 a window around a match contains the match at the reported offset, within its limit", () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(200),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(30),
      fc.nat(30),
      fc.integer({ min: 5, max: 60 }),
      (whole, at, length, before, after, limit) => {
        const points = [...whole];
        const q = points.slice(at, at + length).join("");
        fc.pre(q !== "");
        const window = cutWindow(whole, { q, before, after, limit });
        const [start, end] = [window.match_start_chars!, window.match_end_chars!];
        expect(points.slice(start, end).join("").toLowerCase()).toBe(q.toLowerCase());
        expect(start).toBeLessThanOrEqual(at);
        expect(window.start_chars).toBeLessThanOrEqual(start);
        expect(window.end_chars).toBeGreaterThanOrEqual(end);
        expect(window.end_chars - window.start_chars).toBeLessThanOrEqual(limit);
        expect(window.text).toBe(points.slice(window.start_chars, window.end_chars).join(""));
      },
    ),
    { numRuns: 1000 },
  );
});

it("K-10 q finds the first match at or after the offset, ignoring case, and counts all matches", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "A", "b", "İ", "σ", "ς", "Σ", "😀", " "), { maxLength: 60 }),
      fc.array(fc.constantFrom("a", "A", "b", "σ", "Σ", "😀"), { minLength: 1, maxLength: 2 }),
      fc.nat(60),
      (points, wanted, offset) => {
        fc.pre(offset <= points.length);
        // Finds matches naively, position by position and character by character.
        const same = (one: string, other: string) => one.toLowerCase().replace("ς", "σ") === other.toLowerCase();
        const matchAt = (at: number) =>
          wanted.every((point, index) => at + index < points.length && same(points[at + index]!, point));
        const places = points.map((_, at) => at).filter(matchAt);
        let count = 0;
        for (let at = 0; at < points.length; at += matchAt(at) ? wanted.length : 1) if (matchAt(at)) count++;
        const found = places.find((at) => at >= offset);
        const cut = () => cutWindow(points.join(""), { q: wanted.join(""), offset });
        if (found === undefined) {
          expect(cut).toThrow(count === 0 ? /does not occur/ : new RegExp(`${count} match`));
          return;
        }
        expect(cut()).toMatchObject({
          match_start_chars: found,
          match_end_chars: found + wanted.length,
          match_count: count,
        });
        expect(cut().next_match_chars).toBe(places.find((at) => at >= found + wanted.length));
      },
    ),
    { numRuns: 1000 },
  );
});

it("L-04 no request returns more than the maximum", () => {
  const long = "x".repeat(100_000);
  expect(cutWindow(long, { limit: 1e9 }).text).toHaveLength(WINDOW.max);
  expect(
    cutWindow(long, { q: "x", offset: 50_000, before: 8192, after: 8192, limit: 1e9 }).text.length,
  ).toBeLessThanOrEqual(WINDOW.max);
});

it("L-13 a declared field that the record lacks causes field_not_found, even if it has the name of a built-in property", () => {
  for (const name of ["title", "constructor", "toString", "__proto__"]) {
    expect(() => fieldText({ id: "x" }, name, undefined)).toThrow(expect.objectContaining({ code: "field_not_found" }));
    expect(() => fieldText({ id: {} }, "id", `/${name}`)).toThrow(expect.objectContaining({ code: "field_not_found" }));
  }
});
