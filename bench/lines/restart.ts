// The first aggregate after a restart: with stored columns, compared with columns that have to be rebuilt.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { openEngine } from "../engine-side.ts";
import { median, milliseconds } from "../measure.ts";
import { inMs } from "../report.ts";

export const restart: Bench = {
  name: "restart",
  async onHome(home) {
    const first = async (): Promise<number> => {
      const engine = await openEngine(home.path);
      const taken = await milliseconds(() => engine.call("aggregate", { metric: "count", group_by: "category" }));
      await engine.close();
      return taken;
    };
    const loaded: number[] = [];
    const rebuilt: number[] = [];
    for (let round = 0; round < 2; round++) {
      for (let call = 0; call < 3; call++) loaded.push(await first());
      for (const suffix of ["", "-wal", "-shm"]) rmSync(join(home.path, `projections.db${suffix}`), { force: true });
      rebuilt.push(await first());
    }
    return [
      {
        line: "first aggregate after a restart",
        size: home.name,
        ratio: median(loaded) / median(rebuilt),
        ...(home.records >= 1_000_000 ? { budget: { atMost: 0.1 } } : {}),
        ours: inMs(median(loaded)),
        yardstick: inMs(median(rebuilt)),
        against: "one that rebuilds the columns",
      },
    ];
  },
};
