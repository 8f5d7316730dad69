// the figures of docs/footprint.md are the present ones, and all of them are inside their budgets.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUDGET } from "../../src/surfaces/mcp/budgets.ts";
import { bothBytes, definitionCosts, definitionTable, resultCosts } from "./measure.ts";

const page = readFileSync(new URL("../../docs/footprint.md", import.meta.url), "utf8");

it("X-04 F-03 definitions cost what docs/footprint.md says (npm run footprint -- --write)", () => {
  expect(page).toContain(definitionTable());
});

it("X-04 F-03 definitions stay inside their budgets", () => {
  for (const { bytes, budget } of definitionCosts()) expect(bytes).toBeLessThanOrEqual(budget ?? BUDGET.tools);
  expect(definitionCosts()[0]!.tokens).toBeLessThanOrEqual(BUDGET.toolsTokens);
});

it("C-04 C-05 X-04 both halves of results on the demo home are inside their budgets, and close to docs/footprint.md", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-footprint-"));
  try {
    for (const cost of await resultCosts(home)) {
      const { call, text, structured, budget } = cost;
      expect(bothBytes(cost), call).toBeLessThanOrEqual(budget);
      const row = page.split("\n").find((line) => line.startsWith(`| ${call} |`));
      const figures = (row ?? "")
        .split("|")
        .slice(4, 8)
        .map((cell) => Number(cell.trim().replaceAll(",", "")));
      // Ids and cursors are random: figures move by a few tokens, not by a tenth.
      for (const [index, now] of [text.bytes, text.tokens, structured.bytes, structured.tokens].entries())
        expect(Math.abs(now - figures[index]!), `${call}: pinned ${figures[index]}, now ${now}`).toBeLessThanOrEqual(
          figures[index]! * 0.1,
        );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}, 120_000);
