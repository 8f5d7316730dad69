// Path endings that distinguish rows with the same name.
import fc from "fast-check";
import { expect, test } from "vitest";
import { distinguishingPaths } from "./distinguishing-paths.ts";

const row = (path: string) => ({ name: path.slice(path.lastIndexOf("/") + 1), path });
const ends = (...paths: string[]) => distinguishingPaths(paths.map(row));

test("S-19 rows with the same name get the shortest path ending that distinguishes them", () => {
  expect(ends("/d/a/copyright", "/d/b/copyright", "/d/c/readme")).toEqual(["a/copyright", "b/copyright", undefined]);
  expect(ends("/d/x/a/f", "/d/y/a/f", "/d/z/f")).toEqual(["x/a/f", "y/a/f", "z/f"]);
  expect(ends("/f", "/a/f", "/b/a/f")).toEqual(["/f", "/a/f", "/b/a/f"]);
});

test("S-19 no two rows look the same, and no path ending could be shorter", () => {
  const name = fc.constantFrom("a", "b", "ab");
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => `/${names.join("/")}`);
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 8 }), (paths) => {
      const rows = paths.map(row);
      const said = distinguishingPaths(rows).map((end, at) => end ?? rows[at]!.name);
      expect(new Set(said).size).toBe(paths.length);
      for (const [at, end] of said.entries()) {
        expect(paths[at]!.endsWith(end)).toBe(true);
        const shorter = end.startsWith("/") ? undefined : end.slice(end.indexOf("/") + 1);
        if (end.includes("/") && shorter !== undefined)
          expect(paths.filter((other) => `/${other}`.endsWith(`/${shorter}`)).length).toBeGreaterThan(1);
      }
    }),
  );
});
