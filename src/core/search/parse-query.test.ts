// The query language: the meaning of each form. Every input is accepted.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEARCH } from "./limits.ts";
import { parseQuery } from "./parse-query.ts";
import type { Clause } from "./query.ts";
import { planFor } from "./relax.ts";

const FIELDS = new Set(["subject", "from", "to"]);
const STEPS = ["none", "words", "beginnings"] as const;

function show(clause: Clause): string {
  const words = clause.terms.join("+") + (clause.beginning ? "*" : "");
  return clause.field === undefined ? words : `${clause.field}:${words}`;
}

function parsed(typed: string): string {
  const { clauses, excluded, time } = parseQuery(typed, FIELDS);
  const edges = time
    ? [`${time.since === undefined ? "" : day(time.since)}..${time.until === undefined ? "" : day(time.until)}`]
    : [];
  return [...clauses.map(show), ...excluded.map((clause) => `-${show(clause)}`), ...edges].join(" ");
}

const day = (time: number) => new Date(time).toISOString().replace(/T00:00:00.000Z$/, "");

describe("the query language", () => {
  it.each([
    ["words", "Tax  Report tax", "tax report"],
    ["phrases", '"annual report" x', "annual+report x"],
    ["other quotes", "“annual report” «x y»", "annual+report x+y"],
    ["an unclosed quote extends to the end", 'x "annual report', "x annual+report"],
    ["beginnings", 'inv* "annual rep"*', "inv* annual+rep*"],
    ["not", '-draft -"old one" -inv* x', "x -draft -old+one -inv*"],
    ["a dash inside a word is not an exclusion", "e-mail 2024-05-01", "e+mail 2024+05+01"],
    ["searchable fields", 'subject:tax subject:"a b" -subject:x', "subject:tax subject:a+b -subject:x"],
    ["other field names are words", "secret:x", "secret+x"],
    ["colons elsewhere", "http://a.b/c 12:30 a:b:c subject:", "http+a+b+c 12+30 a+b+c subject"],
    ["addresses are sequences of words", "jane@mail.com", "jane+mail+com"],
    ["after and before", "after:2024-05 before:2024-06-02 x", "x 2024-05-01..2024-06-02"],
    ["until includes the named period", "since:2023 until:2024", "2023-01-01..2025-01-01"],
    ["from and to are dates when they look like dates", "from:2024-05-01 to:2024-05", "2024-05-01..2024-06-01"],
    ["from and to are fields when they do not", "from:alice to:bob from:2024", "from:alice to:bob from:2024"],
    ["impossible dates are words", "after:2024-13-45", "after+2024+13+45"],
    ["ranges are intersected", "after:2024 after:2023 before:2030 before:2025", "2024-01-01..2025-01-01"],
    ["instants", "after:2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000Z.."],
    ["nothing", ' - "" * : -"" ', ""],
    [
      "names of object properties are only words",
      "__proto__:x constructor:y toString:2024",
      "proto+x constructor+y tostring+2024",
    ],
  ])("%s", (_name, typed, expected) => {
    expect(parsed(typed)).toBe(expected);
  });

  it("reports an empty or truncated query", () => {
    expect(parseQuery(" .,- ", FIELDS).notes).toEqual(["query_empty"]);
    expect(parseQuery("after:2024", FIELDS).notes).toEqual([]);
    expect(parseQuery("x ".repeat(5000), FIELDS).notes).toEqual(["query_cut"]);
    const many = parseQuery(Array.from({ length: 300 }, (_, number) => `w${number}`).join(" "), FIELDS);
    expect([many.clauses.length, many.notes]).toEqual([SEARCH.clauses, ["query_cut"]]);
    const long = parseQuery(`"${Array.from({ length: 100 }, (_, number) => `w${number}`).join(" ")}"`, FIELDS);
    expect([long.clauses[0]!.terms.length, long.notes]).toEqual([SEARCH.phraseWords, ["query_cut"]]);
  });

  it("reports an invalid date, and searches for it as text", () => {
    for (const typed of ["x after:yesterday", "x before:2024-13-45", 'x since:"2024"'])
      expect(parseQuery(typed, FIELDS).notes, typed).toEqual(["date_unread"]);
    for (const typed of ["x after:2024-05", "x from:leila", "x http://y", "look after: it"])
      expect(parseQuery(typed, FIELDS).notes, typed).toEqual([]);
    expect(parseQuery("x after:dark", new Set(["after"])).notes).toEqual([]);
  });

  it("accepts any input, and keeps query plans small", () => {
    const symbols = fc.constantFrom(
      '"',
      "-",
      "*",
      ":",
      "subject:",
      "after:",
      "2024",
      " ",
      "a",
      "é",
      "語",
      "\u0000",
      "\ud800",
      "(",
      "\\",
      "“",
      "🎉",
      "NOT",
    );
    const typed = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.array(symbols, { maxLength: 40 }).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(typed, (text) => {
        for (const step of STEPS) {
          const plan = planFor(parseQuery(text, FIELDS), step);
          const sound = plan.clauses.every(({ terms, offsets }) => terms.length > 0 && offsets.length === terms.length);
          if (!sound || plan.clauses.length > SEARCH.clauses) throw new Error(JSON.stringify(plan));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("quickly parses queries that were built to be slow", () => {
    const started = process.threadCpuUsage();
    for (const piece of ["a:", '"', "-", "a.", "“x", "a:b:", '-"', "\u0301", ":".repeat(50)])
      for (const step of STEPS) planFor(parseQuery(piece.repeat(100_000), FIELDS), step);
    // Measures the CPU time of this thread in microseconds, so that a busy machine does not matter.
    expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000);
  });
});

describe("query plans", () => {
  const plans = (typed: string) =>
    STEPS.map((step) => {
      const { clauses } = planFor(parseQuery(typed, FIELDS), step);
      return `${step} ${clauses.map((clause) => `${clause.required ? "!" : ""}${show(clause)}`).join(" ")}`;
    });

  it("relax from the exact query to parts of addresses and then to prefixes", () => {
    expect(plans("tax a@b.de")).toEqual(["none tax a+b+de", "words tax a b de", "beginnings tax* a b de"]);
  });

  it("R-03 require quoted phrases and fields, and never relax them", () => {
    expect(plans('"annual report" subject:tax figures')).toEqual([
      "none !annual+report !subject:tax figures",
      "words !annual+report !subject:tax figures",
      "beginnings !annual+report !subject:tax figures*",
    ]);
  });

  it("R-04 ignore stop words of the query's language, unless there are no other words", () => {
    const typed = (text: string) => plans(text)[0];
    expect(typed("what is the notice period of my lease?")).toBe("none notice period lease");
    expect(typed("wann ist der Termin bei der Ärztin")).toBe("none termin arztin");
    expect(typed("où est la facture de l'électricité")).toBe("none facture electricite");
    expect(typed("die hard")).toBe("none die hard");
    expect(typed("the who")).toBe("none the who");
    expect(typed('"the who"')).toBe("none !the+who");
  });

  it("R-04 use every word in a question of 60 words", () => {
    const words = Array.from({ length: 60 }, (_, number) => `word${number}x`).join(" ");
    const { clauses, notes } = parseQuery(words, FIELDS);
    expect([clauses.length, notes]).toEqual([60, []]);
  });

  it("match other forms of single words, but not of phrases, prefixes and exclusions", () => {
    const { clauses, excluded } = parseQuery('invoices "two invoices" invoi* subject:invoices -drafts', FIELDS);
    expect(clauses.map(({ inflected }) => inflected ?? false)).toEqual([true, false, false, true]);
    expect(excluded[0]!.inflected).toBeUndefined();
  });
});
