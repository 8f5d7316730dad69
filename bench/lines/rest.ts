// REST compared with a bare Hono server and the bare statement. Both servers run in their own process, with the same
// client and the same database.
import type { Bench } from "../bench.ts";
import { recordAt, STREAM } from "../data.ts";
import { openClient, requestHead } from "../http-client.ts";
import { alternate } from "../measure.ts";
import { inMs, type Result } from "../report.ts";
import { issueToken, startPostern, startYardstick } from "../server.ts";

export const rest: Bench = {
  name: "rest",
  async onHome(home) {
    const token = await issueToken(home.path, "grant");
    const [server, yardstick] = [await startPostern(home.path), await startYardstick("hono-records.ts", home.path)];
    const [ours, bare] = [await openClient(server.port), await openClient(yardstick.port)];
    const ids = Array.from(
      { length: 997 },
      (_, index) => recordAt(Math.floor((index * home.records) / 997), home.records).id,
    );
    const id = (index: number): string => ids[(index * 211) % ids.length]!;
    const ask = (target: string) =>
      ours.send(requestHead("GET", `/v1/streams/${STREAM}/${target}`, server.port, token));
    const askBare = (target: string) => bare.send(requestHead("GET", target, yardstick.port, token));
    const lines = {
      "REST point read": {
        ours: (index: number) => ask(`records/${id(index)}`),
        yardstick: (index: number) => askBare(`/records/${id(index)}`),
      },
      "REST newest 25 records": { ours: () => ask("records?limit=25"), yardstick: () => askBare("/records?limit=25") },
      "REST change feed page of 100": {
        ours: () => ask("records?changes_since=beginning&limit=100"),
        yardstick: () => askBare("/feed?limit=100"),
      },
    };
    const results: Result[] = [];
    for (const [line, sides] of Object.entries(lines)) {
      const measured = await alternate(sides, { rounds: 13, calls: 150 });
      results.push({
        line,
        size: home.name,
        ratio: measured.ratio,
        budget: { atMost: 1.6 },
        ours: inMs(measured.ours.median),
        yardstick: inMs(measured.yardstick.median),
        against: "a bare Hono handler",
      });
    }
    for (const client of [ours, bare]) client.close();
    await Promise.all([server.stop(), yardstick.stop()]);
    return results;
  },
};
