// Front matter as people write it, valid and invalid.
import { describe, expect, it } from "vitest";
import { instantIn, splitFrontMatter } from "./front-matter.ts";
import { parseYaml } from "./yaml.ts";

describe("front-matter YAML", () => {
  it("reads maps, lists, strings, numbers and blocks", () => {
    const source = [
      "title: A: b # no, a comment",
      "tags:",
      "  - daily",
      '  - "[[Movies]]"',
      "flat:",
      "- a",
      "- b # c",
      "empty:",
      "type: []",
      "flow: [a, \"b, c\", 3, 'it''s']",
      "map: {a: 1, b: [x]}",
      "rating: 7",
      "price: 1.5",
      "isbn13: 9780201483406",
      "huge: 12345678901234567890",
      "zip: 01234",
      "done: true",
      "no: null",
      "url: https://a.example/x:y",
      "date: 2023-09-12",
      "template: {{date}}",
      'quoted: "tab\\t \\"q\\""',
      "text: |",
      "  one",
      "    two",
      "",
      "folded: >-",
      "  a",
      "  b",
      "long: begins",
      "  and goes on",
      "nested:",
      "  inner:",
      "    deep: x",
      "people:",
      "  - name: Ann",
      "    age: 3",
      "  - name: Bo",
      "lines: [a,",
      "  b]",
      '"quoted key": 1',
      "__proto__: x",
    ].join("\n");
    const { value, unread } = parseYaml(source);
    expect(unread).toBe(0);
    expect(Object.entries(value)).toEqual([
      ["title", "A: b"],
      ["tags", ["daily", "[[Movies]]"]],
      ["flat", ["a", "b"]],
      ["empty", null],
      ["type", []],
      ["flow", ["a", "b, c", 3, "it's"]],
      ["map", { a: 1, b: ["x"] }],
      ["rating", 7],
      ["price", 1.5],
      ["isbn13", 9780201483406],
      ["huge", "12345678901234567890"],
      ["zip", "01234"],
      ["done", true],
      ["no", null],
      ["url", "https://a.example/x:y"],
      ["date", "2023-09-12"],
      ["template", "{{date}}"],
      ["quoted", 'tab\t "q"'],
      ["text", "one\n  two"],
      ["folded", "a b"],
      ["long", "begins and goes on"],
      ["nested", { inner: { deep: "x" } }],
      ["people", [{ name: "Ann", age: 3 }, { name: "Bo" }]],
      ["lines", ["a", "b"]],
      ["quoted key", 1],
      ["__proto__", "x"],
    ]);
  });

  it("counts lines that it cannot parse, and reads the others", () => {
    expect(parseYaml("a: 1\nno colon here\n- stray\nb: 2")).toEqual({ value: { a: 1, b: 2 }, unread: 2 });
  });

  it("terminates on any input: deep nesting, unclosed quotes, long lines", () => {
    for (const hostile of [
      `a: ${"[".repeat(5000)}`,
      `a: ${"{a: ".repeat(5000)}`,
      `a: x${" ".repeat(200_000)}y`,
      `a: "${"\\".repeat(99_999)}`,
      Array.from({ length: 2000 }, (_, depth) => `${" ".repeat(depth)}k:`).join("\n"),
      Array.from({ length: 2000 }, (_, depth) => `${" ".repeat(depth)}- `).join("\n"),
      "a: |",
      "- - - - x",
    ]) {
      expect(parseYaml(hostile).unread).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("front matter", () => {
  it("is enclosed in two lines of dashes at the very beginning", () => {
    expect(splitFrontMatter("---\na: 1\n---\n\ntext\n---\n")).toEqual({
      properties: { a: 1 },
      body: "\ntext\n---\n",
      unread: 0,
    });
    expect(splitFrontMatter("---\n---\ntext").body).toBe("text");
    expect(splitFrontMatter("---\na: 1\nno end").body).toBe("---\na: 1\nno end");
    expect(splitFrontMatter("text\n---\na: 1\n---\n").properties).toEqual({});
  });

  it.each([
    ["2023-09-12", "2023-09-12T00:00:00.000Z"],
    ["2023-09-12 10:30", "2023-09-12T10:30:00.000Z"],
    ["2023-09-12T10:30:05+0200", "2023-09-12T08:30:05.000Z"],
    ["2023-09-12T10:30:05.5Z", "2023-09-12T10:30:05.500Z"],
    ["December 4, 2024 8:45 PM", "2024-12-04T20:45:00.000Z"],
    ["December 4, 2024", "2024-12-04T00:00:00.000Z"],
    ["2023-02-30", undefined],
    ["{{date}}", undefined],
    ["12/04/2024", undefined],
  ])("%s is %s", (text, instant) => {
    expect(instantIn(text)).toBe(instant);
  });
});
