// The first aggregate after a restart: with stored columns, compared with columns that have to be rebuilt.
import type { Bench } from "../bench.ts";
import { STREAM } from "../data.ts";
import { firstCalls } from "../first-call.ts";
import { inMs } from "../report.ts";
import { issueToken } from "../server.ts";

export const restart: Bench = {
  name: "restart",
  async onHome(home) {
    const path = `/v1/streams/${STREAM}/aggregate?metric=count&group_by=category`;
    const { loaded, rebuilt } = await firstCalls(home.path, path, await issueToken(home.path, "owner"));
    return [
      {
        line: "first aggregate after a restart",
        size: home.name,
        ratio: loaded / rebuilt,
        ...(home.records >= 1_000_000 ? { budget: { atMost: 0.1 } } : {}),
        ours: inMs(loaded),
        yardstick: inMs(rebuilt),
        against: "one that rebuilds the columns",
      },
    ];
  },
};
