// Evidence: matched fields, snippets and offsets are correct and bounded.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../contract/record.ts";
import { evidenceOf as evidenceIn } from "./evidence.ts";
import { EVIDENCE } from "./limits.ts";
import { parseQuery } from "./parse-query.ts";
import type { QueryPlan } from "./query.ts";
import { planFor } from "./relax.ts";

const planOf = (typed: string) => planFor(parseQuery(typed, new Set(["title", "body"])), "none")!;
const evidenceOf = (data: JsonObject, names: readonly string[], plan: QueryPlan) =>
  evidenceIn(
    data,
    names.map((name) => ({ name })),
    plan,
  );
const FILLER = "Nothing of note was said here. ";

describe("evidence", () => {
  it("L-03 lists exactly the fields that match, strongest evidence first", () => {
    const data = { title: "Fox", body: "The lazy dog and the fox.", note: "fox", tags: ["red fox", "dog"] };
    const { matched_fields, excerpts } = evidenceOf(data, ["title", "body", "tags"], planOf('fox "lazy dog"'));
    expect(matched_fields).toEqual(["title", "body", "tags"]);
    expect(excerpts.map(({ field, clauses }) => [field, clauses])).toEqual([
      ["body", 2],
      ["title", 1],
      ["tags", 1],
    ]);
    expect(evidenceOf(data, ["title", "body"], planOf("title:fox")).matched_fields).toEqual(["title"]);
    expect(evidenceOf(data, ["title"], planOf("dog")).matched_fields).toEqual([]);
    expect(evidenceOf(data, ["title", "body"], planOf("-cat")).matched_fields).toEqual([]);
  });

  it("E-18 has balanced marks, which stored text cannot forge", () => {
    const { excerpts } = evidenceOf(
      { body: "a <mark>fox</mark> & <b>fox@den.org</b>" },
      ["body"],
      planOf("fox fox@den.org"),
    );
    expect(excerpts[0]!.snippet).toBe(
      "a &lt;mark&gt;<mark>fox</mark>&lt;/mark&gt; &amp; &lt;b&gt;<mark>fox@den.org</mark>&lt;/b&gt;",
    );
    expect(excerpts[0]!.preview_text).toBe("a <mark>fox</mark> & <b>fox@den.org</b>");
  });

  it("L-04 has bounded excerpts that begin at a sentence and give their position in code points", () => {
    const body = `${FILLER.repeat(40)}A 🎉 party: the quick fox met the dog at noon. ${FILLER.repeat(40)}`;
    const [excerpt] = evidenceOf({ body }, ["body"], planOf("fox dog")).excerpts;
    expect(excerpt!.snippet.startsWith("…Nothing of note was said here. ")).toBe(true);
    expect(excerpt!.snippet).toContain("the quick <mark>fox</mark> met the <mark>dog</mark> at noon.");
    expect(excerpt!.snippet.endsWith("here.…")).toBe(true);
    expect(excerpt!.truncated).toBe(true);
    const points = [...body];
    const place = excerpt!.place!;
    expect(points.slice(place.start_chars, place.end_chars).join("")).toBe(excerpt!.preview_text);
    expect(place.matches.map(({ start_chars, end_chars }) => points.slice(start_chars, end_chars).join(""))).toEqual([
      "fox",
      "dog",
    ]);
    expect(place.total_chars).toBe(points.length);
  });

  it("shows the passage with the most query words", () => {
    const body = `fox alone. ${FILLER.repeat(30)}dog alone. ${FILLER.repeat(30)}The fox saw the dog. ${FILLER.repeat(30)}`;
    expect(evidenceOf({ body }, ["body"], planOf("fox dog")).excerpts[0]!.snippet).toContain(
      "<mark>fox</mark> saw the <mark>dog</mark>",
    );
  });

  it("L-01 finds the best passage even after thousands of common words", () => {
    const body = `${"The seat in the row is the seat in the house plan. ".repeat(4000)}This is the worst seat in the house. ${FILLER.repeat(50)}`;
    const [excerpt] = evidenceOf({ body }, ["body"], planOf("worst seat in the house")).excerpts;
    expect(excerpt!.clauses).toBe(3);
    expect(excerpt!.snippet).toContain("<mark>worst</mark> <mark>seat</mark>");
  });

  it("marks matches in any spelling, with accents, word parts, prefixes or Han characters", () => {
    const snippet = (text: string, typed: string) =>
      evidenceOf({ body: text }, ["body"], planOf(typed)).excerpts[0]?.snippet;
    expect(snippet("in MÜNCHEN", "munchen")).toBe("in <mark>MÜNCHEN</mark>");
    expect(snippet("call parseInstant()", "instant")).toBe("call parse<mark>Instant</mark>()");
    expect(snippet("Versicherungsschein", "versicherung*")).toBe("<mark>Versicherungsschein</mark>");
    expect(snippet("私は東京大学で", "東京大学")).toBe("私は<mark>東京大学</mark>で");
    expect(snippet("a b a c", '"a c"')).toBe("a b <mark>a c</mark>");
    expect(snippet("new new york", '"new york"')).toBe("new <mark>new york</mark>");
  });

  it("has a snippet but no offsets for a list of texts", () => {
    const [excerpt] = evidenceOf({ tags: ["one", "two fox", 3] }, ["tags"], planOf("fox")).excerpts;
    expect([excerpt!.snippet, excerpt!.place]).toEqual(["one two <mark>fox</mark>", undefined]);
  });

  it("L-01 gives the offsets of matches in order, quotes the text exactly and stays within size limits, for any text and query", () => {
    const piece = fc.constantFrom(
      "fox",
      "FÖX",
      "🎉",
      "dog",
      ". ",
      "\n",
      "語",
      "e\u0301",
      "<mark>",
      "&",
      "x".repeat(300),
      "\ud83d",
      "a-b",
      "ﷺ",
    );
    const text = fc
      .array(fc.tuple(piece, fc.constantFrom(" ", "", "  ")), { maxLength: 120 })
      .map((list) => list.flat().join(""));
    fc.assert(
      fc.property(
        text,
        fc.constantFrom("fox", "fox dog", '"fox dog"', "語", "x*", "🎉", "a-b", "e", "ﷺ"),
        (body, typed) => {
          for (const excerpt of evidenceOf({ body }, ["body"], planOf(typed)).excerpts) {
            const points = [...body];
            const { start_chars, end_chars, total_chars, matches } = excerpt.place!;
            expect(total_chars).toBe(points.length);
            expect(points.slice(start_chars, end_chars).join("")).toBe(excerpt.preview_text);
            expect(excerpt.preview_text.length).toBeLessThanOrEqual(EVIDENCE.excerptChars * 2);
            expect(matches.length).toBeGreaterThan(0);
            let last = start_chars;
            for (const match of matches) {
              expect(match.start_chars).toBeGreaterThanOrEqual(last);
              expect(match.end_chars).toBeGreaterThan(match.start_chars);
              last = match.end_chars;
            }
            expect(last).toBeLessThanOrEqual(end_chars);
            expect(excerpt.snippet.replace(/<mark>[^<]*<\/mark>/g, "")).not.toMatch(/[<>]/);
            expect(excerpt.snippet.match(/<mark>/g)).toHaveLength(matches.length);
            expect(excerpt.truncated).toBe(start_chars > 0 || end_chars < total_chars);
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("uses only own properties", () => {
    expect(evidenceOf({}, ["constructor", "__proto__"], planOf("native")).matched_fields).toEqual([]);
  });
});
