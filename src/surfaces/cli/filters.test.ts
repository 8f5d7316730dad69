// Tests filters as people write them: which are parsed and which are refused.
import { describe, expect, it } from "vitest";
import { filterTexts } from "../../core/filter-text.ts";
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
    [["status!=done"], { status: { ne: "done" } }],
    [["status in open, waiting"], { status: { in: ["open", "waiting"] } }],
    [['status in ["a,b","c"]'], { status: { in: ["a,b", "c"] } }],
    [["status in [draft]"], { status: { in: ["[draft]"] } }],
    [["done_at exists"], { done_at: { exists: true } }],
    [["done_at not exists", "done_at!=x"], { done_at: { exists: false, ne: "x" } }],
    [["tags contains blue sky"], { tags: { contains: "blue sky" } }],
    [["title=dogs in hats"], { title: "dogs in hats" }],
    [["title in a=b"], { title: { in: ["a=b"] } }],
    [["title!=a>=b"], { title: { ne: "a>=b" } }],
    [["__proto__=x"], { ["__proto__"]: "x" }],
  ])("K-03 reads %j", (given, expected) => {
    expect(JSON.stringify(parse(...given))).toBe(JSON.stringify(expected));
  });

  it("K-03 reads back a filter that was written as text", () => {
    const filter = { a: "x", b: { in: ["1", "b,c", ""], ne: "z" }, c: { exists: false }, d: { gte: "1", lt: "[2]" } };
    expect(parse(...filterTexts(filter))).toEqual(filter);
  });

  it("is empty if no filter was given", () => {
    expect(filterFrom({})).toBeUndefined();
  });

  it.each([
    [["noop"]],
    [["=x"]],
    [["a=1", "a=2"]],
    [["a=1", "a>2"]],
    [["a>1", "a>2"]],
    [["a in"]],
    [["a exists", "a not exists"]],
    [["a=1", "a in b"]],
  ])("refuses %j", (given) => {
    expect(() => parse(...given)).toThrow(UsageError);
  });
});
