// W-01 The sentences that people read: patterns banned by CONTRIBUTING.md, "How to write", in code and docs.
import { describe, expect, it } from "vitest";
import { filesIn, read } from "./repository.ts";

/** Each pattern, with the rule that it belongs to. */
const BANNED: Record<string, RegExp> = {
  "rule 3, name the actor": /\b(?:whoever|whom)\b/i,
  "rule 5, a noun clause that opens a comment": /^\s*(?:\/\/|\/\*\*|\*)\s*(?:What|Who|Of what|Where nobody) [^?]*$/,
  "rule 5, none as a noun": /\bthere is none\b|\bwhat is none\b/i,
  "rule 5, inversion": /\bstands (?:below|above|there|twice)\b/i,
  "rule 1, what nobody says aloud": /\banew\b|\bneeds you\b|\bgood until\b|\bPresent password\b|\bWants attention\b/i,
  "glossary, schedule": /\breads? by itself\b/i,
  "glossary, revoke": /\b(?:take|takes|taken|took) (?:it |them |that )?back\b/i,
  "glossary, import": /\bbrought in\b/i,
};

/** Fiction in the demo is written in its characters' voices. Released decisions and the rules themselves quote old sentences. */
const EXEMPT =
  /^(?:src\/demo\/(?:story|text)\/|docs\/work\/decisions\/|docs\/use\/glossary\.md$|CONTRIBUTING\.md$|test\/words\.test\.ts$)/;

describe("W-01 plain words", () => {
  it("no line of code, tests or docs contains a banned pattern", () => {
    const paths = [
      ...["src", "test", "bench", "scripts"].flatMap((folder) => filesIn(folder, /\.(?:ts|mjs|js)$/)),
      ...["docs", "src", "skills"].flatMap((folder) => filesIn(folder, /\.md$/)),
      ...["README.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
    ].filter((path) => !EXEMPT.test(path));
    const found = paths.flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, at) =>
          Object.entries(BANNED).flatMap(([rule, pattern]) =>
            pattern.test(line) ? [`${path}:${at + 1} (${rule}): ${line.trim()}`] : [],
          ),
        ),
    );
    expect(found.join("\n")).toBe("");
  });
});
