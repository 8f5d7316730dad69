// Top 10 results with snippets compared with FTS5 over the same texts, under wide and narrow grants; and the first
// search after a restart.
import type { SearchMeta } from "../../src/contract/answers.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import type { Bench } from "../bench.ts";
import { firstCalls } from "../first-call.ts";
import { type BenchHome, openHome } from "../home.ts";
import { alternate, warm } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { QUERIES } from "../search-data.ts";
import { fillSearchHome, issueSearchTokens, openSearchHost, type SearchTokens } from "../search-home.ts";
import { fts5Host } from "../yardsticks/thread-host.ts";

const LARGE = 1_000_000;
/** For 1 M documents. With fewer, the fixed cost of a call outweighs the search. */
const BUDGETS: Partial<Record<keyof typeof QUERIES, number>> = {
  "common word": 0.05,
  "less common word": 3,
  "rare word": 3,
  "two words": 0.3,
  "question of twelve words": 2,
};

export const search: Bench = {
  name: "search",
  async onSize(name, { keep }) {
    const home = openHome(name, keep, `search-${name}`);
    if (!home.reused) await fillSearchHome(home);
    const tokens = await issueSearchTokens(home.path);
    return [
      ...(await compareQueries(home, tokens)),
      ...(await compareScopes(home, tokens)),
      await restarts(home, tokens),
    ];
  },
};

type Ask = (q: string, token: string) => Promise<string>;

const asking =
  (host: EngineHost): Ask =>
  (q, token) =>
    host.callText("search", { q, limit: 10 }, { token });

async function compareQueries(home: BenchHome, { owner }: SearchTokens): Promise<Result[]> {
  const host = openSearchHost(home.path);
  const fts5 = fts5Host(home.path);
  const ask = asking(host);
  const results: Result[] = [];
  for (const [name, { q, match }] of Object.entries(QUERIES)) {
    const found = countOf(await ask(q, owner), name === "question of twelve words");
    const expected = Number(await fts5.call({ op: "count", match }));
    // Our search also matches other forms of a word; FTS5 does not.
    if (found < expected) throw new Error(`${q}: we found ${found} documents, FTS5 found ${expected}`);
    await warm(() => ask(q, owner));
    const effort =
      found > home.records / 100 ? { rounds: 7, calls: 8 } : { rounds: 10, calls: found > 1000 ? 15 : 100 };
    const { ours, yardstick, ratio } = await alternate(
      { ours: () => ask(q, owner), yardstick: () => fts5.call({ op: "top", match }) },
      effort,
    );
    const atMost = home.records >= LARGE ? BUDGETS[name as keyof typeof QUERIES] : undefined;
    results.push({
      line: `search, ${name} (${found} documents found)`,
      size: home.name,
      ratio,
      ...(atMost === undefined ? {} : { budget: { atMost } }),
      ours: inMs(ours.median),
      yardstick: inMs(yardstick.median),
      against: "FTS5 with ORDER BY bm25 and a count, over the same thread hop",
    });
  }
  await fts5.close();
  await host.close();
  return results;
}

async function compareScopes(home: BenchHome, tokens: SearchTokens): Promise<Result[]> {
  const host = openSearchHost(home.path);
  const ask = asking(host);
  const results: Result[] = [];
  const { q } = QUERIES["common word"];
  for (const [line, token, atMost] of [
    ["search under a grant on 200 connections", tokens.all, 1.5],
    ["search under a grant on 1 connection", tokens.one, undefined],
  ] as const) {
    await warm(() => ask(q, token));
    const { ours, yardstick, ratio } = await alternate(
      { ours: () => ask(q, token), yardstick: () => ask(q, tokens.owner) },
      { rounds: 9, calls: 10 },
    );
    results.push({
      line,
      size: home.name,
      ratio,
      ...(atMost === undefined ? {} : { budget: { atMost } }),
      ours: inMs(ours.median),
      yardstick: inMs(yardstick.median),
      against: "the owner's search of the whole home (common word)",
    });
  }
  await host.close();
  return results;
}

async function restarts(home: BenchHome, { owner }: SearchTokens): Promise<Result> {
  const path = `/v1/search?q=${QUERIES["less common word"].q}&limit=10`;
  const { loaded, rebuilt } = await firstCalls(home.path, path, owner);
  return {
    line: "first search after a restart",
    size: home.name,
    ratio: loaded / rebuilt,
    ...(home.records >= LARGE ? { budget: { atMost: 0.1 } } : {}),
    ours: inMs(loaded),
    yardstick: inMs(rebuilt),
    against: "one that rebuilds the index",
  };
}

/** Returns the number of records with every word, as FTS5 counts them, or with any word if the query is a question. */
function countOf(body: string, any: boolean): number {
  const { matched, count } = (JSON.parse(body) as { meta: SearchMeta }).meta;
  return any ? count.value : (matched?.all ?? count.value);
}
