// Point read, newest 25 and a feed page of 100: the engine, including the audit row, compared with bare statements over
// the same hop.
import type { Bench } from "../bench.ts";
import { recordAt } from "../data.ts";
import { type EngineSide, openEngine } from "../engine-side.ts";
import type { BenchHome } from "../home.ts";
import { alternate, alternateInFlight, type Sides } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { type BareHost, bareHost } from "../yardsticks/thread-host.ts";

const IN_FLIGHT = 16;

export const reads: Bench = {
  name: "reads",
  async onHome(home) {
    const engine = await openEngine(home.path);
    const bare = bareHost(home.path);
    const results: Result[] = [];
    for (const [line, sides] of Object.entries(readsOf(home, engine, bare))) {
      const serial = await alternate(sides, { rounds: 13, calls: 150 });
      const together = await alternateInFlight(sides, { rounds: 13, calls: 320 }, IN_FLIGHT);
      const against = "a bare statement over the same thread hop";
      results.push({
        line,
        size: home.name,
        ratio: serial.ratio,
        budget: { atMost: 1.5 },
        ours: inMs(serial.ours.median),
        yardstick: inMs(serial.yardstick.median),
        against,
      });
      results.push({
        line: `${line}, CPU time`,
        size: home.name,
        ratio: serial.cpu!.ours / serial.cpu!.yardstick,
        ours: inMs(serial.cpu!.ours),
        yardstick: inMs(serial.cpu!.yardstick),
        against: "a bare statement, CPU time of all threads",
      });
      results.push({
        line: `${line}, ${IN_FLIGHT} in flight`,
        size: home.name,
        ratio: together.ratio,
        ours: inMs(together.ours.median),
        yardstick: inMs(together.yardstick.median),
        against,
      });
    }
    await bare.close();
    await engine.close();
    return results;
  },
};

function readsOf({ records }: BenchHome, engine: EngineSide, bare: BareHost): Record<string, Sides> {
  const ids = Array.from({ length: 997 }, (_, index) => recordAt(Math.floor((index * records) / 997), records).id);
  const id = (index: number): string => ids[(index * 211) % ids.length]!;
  return {
    "point read": {
      ours: (index) => engine.call("record", { id: id(index) }),
      yardstick: (index) => bare.call({ op: "point", id: id(index) }),
    },
    "newest 25 records": {
      ours: () => engine.call("records", { limit: 25 }),
      yardstick: () => bare.call({ op: "newest", limit: 25 }),
    },
    "change feed page of 100": {
      ours: () => engine.call("records", { changes_since: "beginning", limit: 100 }),
      yardstick: () => bare.call({ op: "feed", after: 0, limit: 100 }),
    },
  };
}
