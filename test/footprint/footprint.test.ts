// the figures in docs/build/footprint.md are current and within their budgets.
import { readFileSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { BUDGET } from "../../src/surfaces/mcp/budgets.ts";
import { demoHome } from "../demo-home.ts";
import { bothBytes, definitionCosts, definitionTable, resultCosts, resultTable } from "./measure.ts";
import { footprintPage } from "./page.ts";

const page = readFileSync(new URL("../../docs/build/footprint.md", import.meta.url), "utf8");

it("X-04 F-03 definitions have the size given in docs/build/footprint.md (npm run footprint -- --write)", () => {
  expect(page).toContain(definitionTable());
});

it("X-04 F-03 definitions stay within their budgets", () => {
  for (const { bytes, budget } of definitionCosts()) expect(bytes).toBeLessThanOrEqual(budget ?? BUDGET.tools);
  expect(definitionCosts()[0]!.tokens).toBeLessThanOrEqual(BUDGET.toolsTokens);
});

/** The maximum size of a result's text and data in bytes, regardless of the budgets. */
const TARGETS: Record<string, number> = {
  "query_records, 46 emails, only subject": 9_000,
  "query_records, 16 whole emails": 20_000,
  "search, 10 hits": 7_000,
  "search, 10 hits in titles": 7_000,
  "search, 25 hits": 12_000,
  "schema(stream), three sets of capabilities": 5_000,
};
const DEFAULT_PAGE = 16_384;
/** The number of bytes that each half of the index can take. Both have the kind, count and time span of every stream (K-06). */
const INDEX_HALF = 4_096;

it("C-04 C-05 the budgets stay within the promised limits for definitions, instructions and a page of default size", () => {
  expect(BUDGET.tools).toBeLessThanOrEqual(6_000);
  expect(BUDGET.instructions).toBeLessThanOrEqual(1_300);
  expect(BUDGET.page).toBeLessThanOrEqual(DEFAULT_PAGE);
  expect(BUDGET.asked).toBeLessThanOrEqual(20_000);
});

it("C-04 C-05 X-04 W-04 `npm run footprint` prints docs/build/footprint.md, with results on the demo home within their budgets", async () => {
  const home = await demoHome();
  try {
    const costs = await resultCosts(home);
    // files-footprint.test.ts checks the last table.
    const shellResults = page.slice(page.lastIndexOf("\n\n") + 2, -1);
    expect(withoutFigures(footprintPage(resultTable(costs), shellResults))).toBe(withoutFigures(page));
    expect(costs.map(({ call }) => call)).toEqual(expect.arrayContaining(Object.keys(TARGETS)));
    for (const cost of costs) {
      const { call, text, structured, budget } = cost;
      expect(bothBytes(cost), call).toBeLessThanOrEqual(Math.min(budget, TARGETS[call] ?? DEFAULT_PAGE));
      if (call === "schema()") expect(Math.max(text.bytes, structured.bytes), call).toBeLessThanOrEqual(INDEX_HALF);
      const row = page.split("\n").find((line) => line.startsWith(`| ${call} |`));
      const figures = (row ?? "")
        .split("|")
        .slice(4, 8)
        .map((cell) => Number(cell.trim().replaceAll(",", "")));
      // Ids and cursors are random, so figures vary by a few tokens, but not by a tenth.
      for (const [index, now] of [text.bytes, text.tokens, structured.bytes, structured.tokens].entries())
        expect(Math.abs(now - figures[index]!), `${call}: pinned ${figures[index]}, now ${now}`).toBeLessThanOrEqual(
          figures[index]! * 0.1,
        );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

const withoutFigures = (text: string): string => text.replaceAll(/\d[\d,.]*/g, "N");
