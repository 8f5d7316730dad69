// S-20: results of the files lens stay within their budgets, and docs/build/footprint.md has the current figures.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bothBytes, shellDefinitionCosts, shellDefinitionTable, shellResultCosts } from "./measure.ts";

const page = readFileSync(new URL("../../docs/build/footprint.md", import.meta.url), "utf8");
const CD_TEXT_BYTES = 1_200;
const PATHS_BYTES = 200;

it("S-20 X-04 the tools of the files lens have the size given in docs/build/footprint.md (npm run footprint -- --write)", () => {
  expect(page).toContain(shellDefinitionTable());
  for (const { bytes, budget } of shellDefinitionCosts())
    if (budget !== undefined) expect(bytes).toBeLessThanOrEqual(budget);
});

it("S-20 cd with 20 entries takes at most 3.5 KB of text and data, of which at most 1.2 KB is text; lists take at most 3 KB", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
  try {
    const costs = await shellResultCosts(home);
    for (const cost of costs) {
      expect(bothBytes(cost), cost.call).toBeLessThanOrEqual(cost.budget);
      const row = page.split("\n").find((line) => line.startsWith(`| ${cost.call} |`));
      const pinned = Number((row ?? "").split("|")[6]?.replaceAll(",", ""));
      // Ids and cursors are random, and the length of paths depends on the temporary directory.
      const near = Math.max(pinned * 0.1, PATHS_BYTES);
      expect(Math.abs(bothBytes(cost) - pinned), `${cost.call}: pinned ${pinned}`).toBeLessThanOrEqual(near);
    }
    const listed = costs.filter(({ call }) => call.startsWith("cd, 20"));
    expect(listed).toHaveLength(2);
    for (const { text, shown } of listed) {
      expect(text.bytes).toBeLessThanOrEqual(CD_TEXT_BYTES);
      expect(shown).toBe(20);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
