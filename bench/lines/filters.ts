// Pages with a filter, a range filter or a sort order, compared with the newest page; a filter without a match,
// compared with an SQL scan.
import type { List } from "../../src/contract/answers.ts";
import type { Bench } from "../bench.ts";
import { NO_MATCH, SOME_ACCOUNT } from "../data.ts";
import { openEngine } from "../engine-side.ts";
import { alternate, compare, milliseconds, warm } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { bareHost } from "../yardsticks/thread-host.ts";

const HITS = {
  "page with an exact filter": { filter: { account: SOME_ACCOUNT } },
  "page with a range filter": { filter: { amount: { gte: 450 } } },
  "page of one month": { filter: { booked_at: { gte: "2022-03-01T00:00:00Z", lt: "2022-04-01T00:00:00Z" } } },
  "page sorted by amount": { sort: "-amount" },
} as const;

export const filters: Bench = {
  name: "filters",
  async onHome(home) {
    const engine = await openEngine(home.path);
    const bare = bareHost(home.path);
    const results: Result[] = [];
    for (const [line, query] of Object.entries(HITS)) {
      const ask = (): Promise<string> => engine.call("records", { ...query, limit: 25 });
      const found = (JSON.parse(await ask()) as List<unknown>).data.length;
      if (found !== 25) throw new Error(`${line} found ${found} records, not 25`);
      const { ours, yardstick, ratio } = await alternate(
        { ours: ask, yardstick: () => engine.call("records", { limit: 25 }) },
        { rounds: 13, calls: 40 },
      );
      results.push({
        line,
        size: home.name,
        ratio,
        budget: { atMost: 8 },
        ours: inMs(ours.median),
        yardstick: inMs(yardstick.median),
        against: "the newest 25 records",
      });
    }
    const ours: number[] = [];
    const scans: number[] = [];
    const findNothing = (): Promise<string> => engine.call("records", { filter: NO_MATCH, limit: 25 });
    await warm(findNothing);
    for (let round = 0; round < 4; round++) {
      for (let call = 0; call < 15; call++) ours.push(await milliseconds(findNothing));
      scans.push(await milliseconds(() => bare.call({ op: "scan", ...NO_MATCH })));
    }
    const { ratio, ...sides } = compare(ours, scans);
    results.push({
      line: "filter that matches nothing",
      size: home.name,
      ratio,
      ...(home.records >= 1_000_000 ? { budget: { atMost: 0.02 } } : {}),
      ours: inMs(sides.ours.median),
      yardstick: inMs(sides.yardstick.median),
      against: "SQL over JSON",
    });
    await bare.close();
    await engine.close();
    return results;
  },
};
