// Filters as people write them, read and refused.
import { describe, expect, it } from "vitest";
import { UsageError } from "./command.ts";
import { filterFrom } from "./filters.ts";

const parse = (...filter: string[]) => {
  const parsed = filterFrom({ filter });
  return parsed === undefined ? undefined : { ...parsed };
};

describe("--filter", () => {
  it.each([
    [["from=ada"], { from: "ada" }],
    [["title="], { title: "" }],
    [["title=a=b>c"], { title: "a=b>c" }],
    [["amount>=-10"], { amount: { gte: "-10" } }],
    [["amount>10"], { amount: { gt: "10" } }],
    [["sent_at>=2024-01-01", "sent_at<2025-01-01"], { sent_at: { gte: "2024-01-01", lt: "2025-01-01" } }],
    [["a=1", "b<=2"], { a: "1", b: { lte: "2" } }],
    [["__proto__=x"], { ["__proto__"]: "x" }],
  ])("reads %j", (given, expected) => {
    expect(JSON.stringify(parse(...given))).toBe(JSON.stringify(expected));
  });

  it("is nothing when none was given", () => {
    expect(filterFrom({})).toBeUndefined();
  });

  it.each([[["noop"]], [["=x"]], [["a=1", "a=2"]], [["a=1", "a>2"]], [["a>1", "a>2"]]])("refuses %j", (given) => {
    expect(() => parse(...given)).toThrow(UsageError);
  });
});
