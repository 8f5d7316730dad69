// The threat table in SECURITY.md agrees with its citations: every citation refers to a row, and every row lists its
// tests.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

function filesBelow(path: string, ending: RegExp): string[] {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

interface ThreatRow {
  number: number;
  cells: string[];
  /** The paths in the last column. */
  tests: string[];
}

const rows: ThreatRow[] = read("SECURITY.md")
  .split("\n")
  .flatMap((line) => {
    const [, number, rest] = /^\| (\d+) \| (.+) \|$/.exec(line) ?? [];
    if (number === undefined) return [];
    const cells = rest!.split(" | ");
    return [{ number: Number(number), cells, tests: [...pathsIn(cells.at(-1)!)] }];
  });

function* pathsIn(cell: string): Generator<string> {
  for (const [, path] of cell.matchAll(/`((?:src|test)\/[^`]+)`/g)) yield path!;
}

/** Matches "row 4", "SECURITY rows 2 and 17", "rows 2, 7 and 8". */
function citedIn(text: string): number[] {
  return [...text.matchAll(/\brows? (\d+(?:(?:, | and )\d+)*)\b/gi)].flatMap(([, list]) =>
    list!.match(/\d+/g)!.map(Number),
  );
}

describe("the threat table of SECURITY.md", () => {
  it("numbers its rows from 1, each with a threat, a control, a location and a test", () => {
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => index + 1));
    expect(rows.length).toBeGreaterThanOrEqual(22);
    expect(rows.filter(({ cells }) => cells.length !== 4 || cells.some((cell) => cell.trim() === ""))).toEqual([]);
  });

  it("lists tests that exist", () => {
    const missing = rows.flatMap(({ number, tests }) =>
      tests
        .filter((path) => !filesBelow(path, /\.test\.ts$/).some((file) => /\.test\.ts$/.test(file) && exists(file)))
        .map((path) => `row ${number} → ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it("lists a test for every row, and that test cites the row", () => {
    const uncited = rows.filter(
      ({ number, tests }) =>
        !tests.flatMap((path) => filesBelow(path, /\.test\.ts$/)).some((path) => citedIn(read(path)).includes(number)),
    );
    expect(uncited.map(({ number }) => number)).toEqual([]);
  });

  it("has every row that the source, the tests and the docs cite", () => {
    const known = new Set(rows.map(({ number }) => number));
    const unknown = ["src", "test", "docs", "CONTRIBUTING.md", "CHANGELOG.md"]
      .flatMap((path) => filesBelow(path, /\.(ts|md)$/))
      .filter((path) => path !== "test/security/threat-table.test.ts")
      .flatMap((path) =>
        citedIn(read(path)).flatMap((number) => (known.has(number) ? [] : [`${path}: row ${number}`])),
      );
    expect(unknown).toEqual([]);
  });
});

function exists(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}
