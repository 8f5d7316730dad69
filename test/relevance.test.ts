// Relevance: labelled questions on the demo home, each with the record that answers it; how high it stands is pinned.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoWorld } from "../src/demo/demo.ts";
import { demoFacts } from "../src/demo/facts.ts";
import { demoFiller } from "../src/demo/fill.ts";
import type { EngineHost } from "../src/engine/host.ts";
import { localHost } from "../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../src/store/sqlite/sqlite-store.ts";

/** Mean reciprocal rank reached so far: a change that lowers it must say why. */
const PINNED = 0.95;

const home = mkdtempSync(join(tmpdir(), "pdpp-relevance-"));
let host: EngineHost;
/** The demo's name of each connection by its id. */
let names: Map<string, string>;

beforeAll(async () => {
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: true });
  await demoFiller(home, () => undefined)(host);
  const { data } = await host.call("connections", {}, { home: true });
  const demo = demoWorld().connections;
  names = new Map(
    data.map((row) => [row.connection_id, demo.find(({ display_name }) => display_name === row.display_name)!.key]),
  );
});

afterAll(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

test("L-01 labelled questions find the record that answers them near the top", async () => {
  expect(demoFacts.length).toBeGreaterThanOrEqual(60);
  const ranks: { query: string; rank: number; first?: string }[] = [];
  for (const { query, where } of demoFacts) {
    const { data } = await host.call("search", { q: query, limit: 25 }, { home: true });
    const found = data.map((hit) => `${names.get(hit.connection_id)}/${hit.stream}:${hit.record_key}`);
    const rank = found.indexOf(where[0]!) + 1;
    ranks.push({ query, rank, first: rank === 1 ? undefined : found[0] });
  }
  const reciprocal = ranks.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  const missed = ranks.filter(({ rank }) => rank !== 1);
  console.log(
    `mean reciprocal rank ${reciprocal.toFixed(3)} over ${ranks.length} questions; not first: ${missed.length}`,
  );
  for (const { query, rank, first } of missed) console.log(`  ${rank || "–"}  ${query}  (first: ${first})`);
  expect(reciprocal).toBeGreaterThanOrEqual(PINNED);
});
