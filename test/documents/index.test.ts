// W-03: the docs are organised by reader: an index of every page, the pages that each reader needs, PDPP, and the
// comparison.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentPaths, ROOT } from "./blocks.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const words = (text: string): number => text.split(/\s+/).length;
const index = read("docs/README.md");

/** The pages for each reader. Other subjects are sections of these pages. */
const PAGES: Record<string, string[]> = {
  use: "tutorial importers connect grants search files dashboard schedules exports demo faq glossary pdpp comparison".split(
    " ",
  ),
  run: "install upgrading backups scaling operating moving troubleshooting".split(" "),
  build: "ladder authorization clients events writing-an-importer connectors errors footprint".split(" "),
  work: "architecture search-index requirements performance reliability research/chat-host-retest".split(" "),
};

describe("W-03 documents by reader", () => {
  it("W-03 the index lists every page once, under its reader", () => {
    const named = [...index.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \| \S/gm)].map(([, path]) => join("docs", path!));
    const expected = Object.entries(PAGES).flatMap(([reader, names]) =>
      names.map((name) => `docs/${reader}/${name}.md`),
    );
    expect(named.toSorted()).toEqual([...expected, "docs/work/decisions", "CONTRIBUTING.md"].toSorted());
    const pages = documentPaths().filter((path) => /^docs\/\w+\//.test(path) && !path.includes("/decisions/"));
    expect(pages.toSorted()).toEqual(expected.toSorted());
    expect(index.match(/^## .*$/gm)).toEqual(["## Use it", "## Run it", "## Build on it", "## Work on it"]);
    expect(read("README.md")).toContain("](docs/README.md)");
  });

  it("W-03 the installation page has sections about the service, TLS, proxies and containers", () => {
    const install = read("docs/run/install.md");
    for (const told of [/pdpp service install/, /^## .*TLS/m, /Caddyfile/, /nginx/, /^## Containers/m])
      expect(install).toMatch(told);
  });

  it("W-03 the tutorial has pictures", () => {
    const pictures = [...read("docs/use/tutorial.md").matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(pictures.length).toBeGreaterThanOrEqual(3);
    expect(pictures.filter((path) => !existsSync(join(ROOT, dirname("docs/use/tutorial.md"), path)))).toEqual([]);
  });

  it("W-03 PDPP is explained in half a page, with links, and the README links there", () => {
    const page = read("docs/use/pdpp.md");
    expect(words(page)).toBeLessThanOrEqual(250);
    expect(page).toMatch(/\]\(\.\.\/build\/authorization\.md\)/);
    expect(read("README.md")).toContain("](docs/use/pdpp.md)");
  });

  it("W-03 the comparison says what each project does better", () => {
    const rows = read("docs/use/comparison.md")
      .split("\n")
      .filter((line) => /^\| (?:\[|the PDPP)/.test(line));
    const names = ["Timelinize", "Datasette", "HPI", "Perkeep", "Solid", "Khoj", "the PDPP reference"];
    expect(rows.map((row) => names.find((name) => row.includes(name)))).toEqual(names);
    expect(read("docs/use/comparison.md")).toContain("Dogsheep");
    for (const row of rows)
      expect(
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => words(cell.trim()) > 2),
      ).toEqual([expect.anything(), true, true, true]);
  });
});
