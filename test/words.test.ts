// W-01 The sentences that a person reads: banned patterns of CONTRIBUTING.md, "How to write", in code and documents.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

/** Each names the rule that it belongs to. */
const BANNED: Record<string, RegExp> = {
  "rule 3, name the actor": /\b(?:whoever|whom)\b/i,
  "rule 5, a noun clause that opens a comment": /^\s*(?:\/\/|\/\*\*|\*)\s*(?:What|Who|Of what|Where nobody) [^?]*$/,
  "rule 5, none as a noun": /\bthere is none\b|\bwhat is none\b/i,
  "rule 5, inversion": /\bstands (?:below|above|there|twice)\b/i,
  "glossary, revoke": /\b(?:take|takes|taken|took) (?:it |them |that )?back\b/i,
  "glossary, import": /\bbrought in\b/i,
};

/** Areas that still have such lines, and how many. A number only goes down. */
const LEFT: Record<string, number> = {
  docs: 19,
  "src/auth": 1,
  "src/collect": 50,
  "src/connectors": 7,
  "src/contract": 27,
  "src/core": 19,
  "src/demo": 4,
  "src/engine": 89,
  "src/files": 11,
  "src/serving": 1,
  "src/store": 31,
  "src/surfaces": 117,
};

const areaOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("src/") ? 2 : 1)
    .join("/");

describe("W-01 plain words", () => {
  it("no area has more lines with a banned pattern than it had", () => {
    const paths = [
      ...filesIn("src", /\.ts$/),
      ...filesIn("docs", /\.md$/),
      "README.md",
      "SECURITY.md",
      "CONTRIBUTING.md",
    ];
    const found = paths
      .filter(
        (path) =>
          !path.startsWith("docs/work/decisions/") && path !== "CONTRIBUTING.md" && path !== "docs/use/glossary.md",
      )
      .flatMap((path) =>
        readFileSync(join(root, path), "utf8")
          .split("\n")
          .flatMap((line, at) =>
            Object.entries(BANNED).flatMap(([rule, pattern]) =>
              pattern.test(line) ? [{ area: areaOf(path), text: `${path}:${at + 1} (${rule}): ${line.trim()}` }] : [],
            ),
          ),
      );
    for (const [area, lines] of Map.groupBy(found, ({ area }) => area))
      expect(lines.length, `${area}:\n${lines.map(({ text }) => text).join("\n")}`).toBeLessThanOrEqual(
        LEFT[area] ?? 0,
      );
  });
});
