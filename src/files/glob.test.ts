// Tests which texts a glob matches, which patterns are refused, and that no pattern takes long.
import { expect, it } from "vitest";
import { PdppError } from "../contract/errors.ts";
import { compileGlob } from "./glob.ts";

it.each([
  ["*.pdf", ["a.pdf", ".pdf"], ["a.PDF", "a.pdf.txt", "d/a.pdf"]],
  ["IMG_????.jpg", ["IMG_0001.jpg"], ["IMG_001.jpg", "IMG_00001.jpg"]],
  ["*.{jpg,png}", ["a.jpg", "b.png"], ["c.gif", "a.{jpg,png}"]],
  ["{a,b{c,d}}*", ["a1", "bc", "bdx"], ["b", "c"]],
  ["[a-c]?[!0-9]", ["a1x", "c_-"], ["d1x", "a11"]],
  ["**/node_modules", ["node_modules", "a/node_modules", "a/b/node_modules"], ["node_modules/x", "xnode_modules"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "lib/src/a"]],
  ["a**z", ["az", "a/b/z"], ["az/"]],
  ["\\*", ["*"], ["a"]],
  ["x*", ["x", "x\ny"], ["ax"]],
])("%s", (pattern, matching, others) => {
  const glob = compileGlob(pattern);
  expect(matching.filter((text) => !glob(text))).toEqual([]);
  expect(others.filter((text) => glob(text))).toEqual([]);
});

it("ignores case on request", () => {
  expect(compileGlob("*.JPG", { ignoreCase: true })("a.jpg")).toBe(true);
  expect(compileGlob("Ä*", { ignoreCase: true })("ärger")).toBe(true);
});

it("SECURITY row 12: patterns designed to be slow are refused or finish within pattern × text steps", () => {
  const text = `${"a".repeat(5000)}b`;
  expect(compileGlob("*a".repeat(200))(text)).toBe(false);
  expect(compileGlob("**a".repeat(150))(text)).toBe(false);
  expect(compileGlob("*".repeat(500))(text)).toBe(true);
  for (const pattern of ["", "x".repeat(513), "{a,b}".repeat(7), "{".repeat(400), "{a", "[a"])
    expect(() => compileGlob(pattern)).toThrow(PdppError);
});
