// Pages far into a stream compared with the first page, and pages of a large home compared with a small one. In both
// cases, the cost must be the same.
import type { RecordList } from "../../src/contract/answers.ts";
import type { Bench } from "../bench.ts";
import { type EngineSide, openEngine } from "../engine-side.ts";
import { alternate } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const PAGE = 25;
const WALK = 100;

export const pages: Bench = {
  name: "pages",
  async onHome(home) {
    const engine = await openEngine(home.path);
    const number = Math.min(10_000, Math.floor(home.records / PAGE / 2));
    const cursor = await cursorOfPage(engine, number);
    const { ours, yardstick, ratio } = await alternate(
      {
        ours: () => engine.call("records", { limit: PAGE, cursor }),
        yardstick: () => engine.call("records", { limit: PAGE }),
      },
      { rounds: 13, calls: 100 },
    );
    await engine.close();
    const line = `page ${number.toLocaleString("en")}, reached by cursor`;
    return [
      {
        line,
        size: home.name,
        ratio,
        budget: { atMost: 1.3 },
        ours: inMs(ours.median),
        yardstick: inMs(yardstick.median),
        against: "page 1",
      },
    ];
  },
  async onAll(homes) {
    const small = homes[0]!;
    const large = homes.at(-1)!;
    if (small === large) return [];
    const [smallEngine, largeEngine] = [await openEngine(small.path), await openEngine(large.path)];
    const middle = [
      await cursorOfPage(largeEngine, Math.min(10_000, large.records / PAGE / 2)),
      await cursorOfPage(smallEngine, small.records / PAGE / 2),
    ];
    const kinds: Record<string, (engine: EngineSide) => Promise<string>> = {
      "newest page of a stream": (engine) => engine.call("records", { limit: PAGE }),
      "page in the middle of a stream": (engine) =>
        engine.call("records", { limit: PAGE, cursor: middle[engine === largeEngine ? 0 : 1] }),
      "page of the change feed": (engine) => engine.call("records", { changes_since: "beginning", limit: 100 }),
    };
    const results: Result[] = [];
    for (const [line, ask] of Object.entries(kinds)) {
      const { ours, yardstick, ratio } = await alternate(
        { ours: () => ask(largeEngine), yardstick: () => ask(smallEngine) },
        { rounds: 13, calls: 100 },
      );
      results.push({
        line,
        size: large.name,
        ratio,
        budget: { atMost: 2 },
        ours: inMs(ours.median),
        yardstick: inMs(yardstick.median),
        against: `the same in a home with ${small.name} records`,
      });
    }
    await Promise.all([smallEngine.close(), largeEngine.close()]);
    return results;
  },
};

/** Pages forward to the given page as a reader would. Larger pages lead to the same cursor. */
async function cursorOfPage(engine: EngineSide, number: number): Promise<string> {
  let cursor: string | undefined;
  for (let passed = 0; passed < (number - 1) * PAGE; passed += WALK) {
    const page = JSON.parse(await engine.call("records", { limit: WALK, cursor })) as RecordList;
    cursor = page.next_cursor!;
  }
  return cursor!;
}
