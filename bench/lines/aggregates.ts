// Count by field and sum by month, compared with SQL over JSON and, with --duckdb, with DuckDB.
import type { Aggregation } from "../../src/contract/answers.ts";
import type { Bench } from "../bench.ts";
import { openEngine } from "../engine-side.ts";
import { compare, milliseconds } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { type Duck, openDuck } from "../yardsticks/duckdb.ts";
import { bareHost } from "../yardsticks/thread-host.ts";

const QUERIES = {
  "count by field": {
    op: "countByCategory",
    query: { metric: "count", group_by: "category", limit: 100 },
    duck: "SELECT category, count(*) FROM record GROUP BY 1 ORDER BY 2 DESC",
  },
  "sum by month": {
    op: "sumByMonth",
    query: { metric: "sum", field: "amount", group_by_time: "booked_at", granularity: "month", limit: 100 },
    duck: "SELECT date_trunc('month', booked_at), count(*), sum(amount) FROM record GROUP BY 1 ORDER BY 1",
  },
} as const;

export const aggregates: Bench = {
  name: "aggregates",
  async onHome(home, options) {
    const engine = await openEngine(home.path);
    const bare = bareHost(home.path);
    const duck: Duck | undefined = options.duckdb ? await openDuck(home) : undefined;
    const results: Result[] = [];
    for (const [line, { op, query, duck: sql }] of Object.entries(QUERIES)) {
      const ask = (): Promise<string> => engine.call("aggregate", query);
      checkSame(await ask(), await bare.call({ op }));
      const ours: number[] = [];
      const scans: number[] = [];
      const ducks: number[] = [];
      for (let round = 0; round < 4; round++) {
        for (let call = 0; call < 15; call++) ours.push(await milliseconds(ask));
        scans.push(await milliseconds(() => bare.call({ op })));
        if (duck) for (let call = 0; call < 5; call++) ducks.push(await milliseconds(() => duck.run(sql)));
      }
      const budget = home.records >= 1_000_000 ? { budget: { atMost: 0.01 } } : {};
      const { ratio, ...sides } = compare(ours, scans);
      const ourMedian = inMs(sides.ours.median);
      results.push({
        line,
        size: home.name,
        ratio,
        ...budget,
        ours: ourMedian,
        yardstick: inMs(sides.yardstick.median),
        against: "SQL over JSON",
      });
      if (duck) {
        const beside = compare(ours, ducks);
        results.push({
          line,
          size: home.name,
          ratio: beside.ratio,
          ...(home.records >= 1_000_000 ? { budget: { atMost: 1 } } : {}),
          ours: ourMedian,
          yardstick: inMs(beside.yardstick.median),
          against: "DuckDB with the table in memory",
        });
      }
    }
    await duck?.close();
    await bare.close();
    await engine.close();
    return results;
  },
};

/** A fast but wrong result is worthless. */
function checkSame(answer: string, rows: string): void {
  const groups = (JSON.parse(answer) as Aggregation).groups!.map(({ count, value }) => [count, value as number]);
  const expected = (JSON.parse(rows) as (string | number)[][]).map((row) => [
    row[1] as number,
    (row[2] ?? row[1]) as number,
  ]);
  const same =
    groups.length === expected.length &&
    groups.every(([count, value], i) => count === expected[i]![0] && Math.abs(value! - expected[i]![1]!) < 0.01);
  if (!same) throw new Error(`the results differ: ${answer} and ${rows}`);
}
