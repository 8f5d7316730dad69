// Words in many scripts, identifiers and hostile texts.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText } from "./characters.ts";
import { SEARCH } from "./limits.ts";
import { type TokenFilter, tokenise } from "./tokenise.ts";
import { tokensOf, wordsOf } from "./words.ts";

const terms = (text: string) => wordsOf(text).map((word) => word.term);

describe("tokens", () => {
  it.each([
    ["case and accents", "Hello WÖRLD naïve Ångström", "hello world naive angstrom"],
    ["decomposed accents", "e\u0301te\u0301 Zu\u0308rich", "ete zurich"],
    ["letters without decomposition", "Straße Ærø Łódź þing đa", "strasse aero lodz thing da"],
    ["Turkish", "İstanbul ISPARTA ısı", "istanbul isparta isi"],
    ["Greek with final sigma", "ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"],
    ["Cyrillic", "Ёлка ЙОД Київ", "елка иод киів"],
    ["Hebrew points", "שָׁלוֹם", "שלום"],
    ["Arabic vowels, hamza and tatweel", "مُحَمَّد أحمد كتـــاب", "محمد احمد كتاب"],
    ["Devanagari keeps its vowel signs", "हिन्दी में", "हिन्दी में"],
    ["Korean", "한국어 학교에서", "한국어 학교에서"],
    ["Korean in jamo", "한국어".normalize("NFD"), "한국어"],
    ["Japanese", "東京大学で研究する", "東京 大学 で 研究 する"],
    ["Japanese in decomposed kana", "ガラスの東京".normalize("NFD"), "ガラス の 東京"],
    ["half-width kana", "ｶﾀｶﾅ", "カタカナ"],
    ["Chinese", "我们去北京大学。", "我们 去 北京 大学"],
    ["Thai", "ภาษาไทยง่ายมาก", "ภาษา ไทย ง่าย มาก"],
    ["Latin beside Han", "iPhone手机v2", "iphone 手机 v2"],
    ["full width and ligatures", "ＡＢＣ ﬁne ②", "abc fine 2"],
    ["soft hyphens and joiners", "co\u00adope\u200drate\u200b", "cooperate"],
    ["emoji are words", "party🎉🎉 ok", "party 🎉 🎉 ok"],
    ["an address", "Jane.Doe+x@Mail.example.COM", "jane doe x mail example com"],
    ["a URL", "https://example.com/a_b?q=1#z", "https example com a b q 1 z"],
    ["numbers", "1,234.56 2024-05-01 +49-170", "1 234 56 2024 05 01 49 170"],
    ["quotes and dashes", "“don’t” — it’s…", "don t it s"],
    ["nothing", " \u0000\u0007 .,;--- \ud800 ", ""],
  ])("%s", (_name, text, expected) => {
    expect(terms(text).join(" ")).toBe(expected);
  });

  it("contain identifiers as a whole and in parts, at the same position", () => {
    const tokens = tokensOf("parseInstant2 HTTPServer inv2024 x1 plain").map(
      ({ term, position }) => `${term}@${position}`,
    );
    expect(tokens).toEqual([
      "parseinstant2@0",
      "parse@0",
      "instant@0",
      "httpserver@1",
      "http@1",
      "server@1",
      "inv2024@2",
      "inv@2",
      "2024@2",
      "x1@3",
      "plain@4",
    ]);
    expect(tokensOf("9f86d081884c7d659a2f").length).toBe(1);
  });

  it("are cut at a character boundary if a word is very long, in the same way everywhere", () => {
    for (const letter of ["x", "é", "ж", "語", "𐐨"]) {
      for (const { term } of tokensOf(letter.repeat(500))) {
        expect(new TextEncoder().encode(term).length).toBeLessThanOrEqual(SEARCH.termBytes);
        expect(term.isWellFormed()).toBe(true);
      }
    }
  });

  it("are in order, within the text, and folded, for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.lorem(),
    );
    fc.assert(
      fc.property(text, (typed) => {
        let last = 0;
        for (const { term, start, end, position } of wordsOf(typed)) {
          const inside = start >= last && end > start && end <= typed.length && position >= 0;
          if (!inside || foldText(typed.slice(start, end)) !== term) throw new Error(`${term} at ${start}`);
          last = end;
        }
      }),
      { numRuns: 500 },
    );
  });

  it("have the same positions if unwanted tokens are skipped", () => {
    const word = fc.constantFrom(
      "apple",
      "Art",
      "bar",
      "parseArt2",
      "2a",
      "über",
      "bär",
      "a語",
      "語",
      "x.a",
      "aé",
      "-",
    );
    const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "", "'", "…"))).map((words) => words.flat().join(""));
    const firsts = new Uint8Array(256);
    firsts["a".charCodeAt(0)] = 1;
    fc.assert(
      fc.property(text, fc.nat(60), (typed, limit) => {
        const end = limit < 40 ? limit : Number.POSITIVE_INFINITY;
        const found = (only?: TokenFilter) => {
          const tokens: string[] = [];
          tokenise(
            typed,
            ({ bytes, start, end: tokenEnd, position }) => {
              if (bytes[0] === 97) tokens.push(`${start} ${tokenEnd} ${position}`);
              return tokenEnd < end;
            },
            only,
          );
          return tokens;
        };
        expect(found({ firsts, end })).toEqual(found());
      }),
      { numRuns: 500 },
    );
  });

  it("take linear time even for texts crafted to be slow", () => {
    const started = process.threadCpuUsage();
    for (const text of [
      "a\u0301".repeat(40_000),
      "語".repeat(40_000),
      "aB1".repeat(40_000),
      "👨‍👩‍👧".repeat(10_000),
      "ﷺ".repeat(20_000),
    ])
      tokensOf(text);
    // Measures the CPU time of this thread in microseconds, so that a busy machine does not matter.
    expect(process.threadCpuUsage(started).user).toBeLessThan(5_000_000);
  });
});
