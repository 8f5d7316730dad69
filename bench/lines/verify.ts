// The p99 of an aggregate during verification of the audit log, compared with the p99 when nothing else runs (T-07).
import { openAuditLog } from "../../src/store/sqlite/sqlite-store.ts";
import type { AuditEntry } from "../../src/store/store.ts";
import type { Bench } from "../bench.ts";
import { STREAM } from "../data.ts";
import { openClient, requestHead } from "../http-client.ts";
import { milliseconds, sampleOf } from "../measure.ts";
import { inMs } from "../report.ts";
import { issueToken, startPostern } from "../server.ts";

/** So many that verifying them takes seconds, longer than the concurrent aggregates. */
const ENTRIES = 300_000;
const BATCH = 10_000;
const TURN_MS = 2000;
const TURNS = 4;

export const verify: Bench = {
  name: "verify",
  async onHome(home) {
    await fillLog(home.path);
    const token = await issueToken(home.path, "owner");
    const server = await startPostern(home.path);
    const [client, checker] = [await openClient(server.port), await openClient(server.port)];
    const aggregate = requestHead(
      "GET",
      `/v1/streams/${STREAM}/aggregate?metric=count&group_by=category`,
      server.port,
      token,
    );
    const check = requestHead("GET", "/v1/activity/verify", server.port, token);
    const turn = async (times: number[]): Promise<void> => {
      const end = performance.now() + TURN_MS;
      while (performance.now() < end) {
        times.push(await milliseconds(() => client.send(aggregate)));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const [quiet, busy]: [number[], number[]] = [[], []];
    await turn([]);
    for (let round = 0; round < TURNS; round++) {
      await turn(quiet);
      const checked = checker.send(check);
      await turn(busy);
      await checked;
    }
    client.close();
    checker.close();
    await server.stop();
    const [alone, beside] = [sampleOf(quiet), sampleOf(busy)];
    return [
      {
        line: "p99 of an aggregate while the audit log is verified",
        size: home.name,
        ratio: beside.p99 / alone.p99,
        budget: { atMost: 4 },
        ours: inMs(beside.p99),
        yardstick: inMs(alone.p99),
        against: "the p99 on a quiet server",
      },
    ];
  },
};

async function fillLog(home: string): Promise<void> {
  const log = openAuditLog(home);
  for (let from = 0; from < ENTRIES; from += BATCH) {
    const entries = Array.from(
      { length: BATCH },
      (_, n): AuditEntry => ({
        ...{
          at: Date.now(),
          subject_id: "bench",
          actor: "owner",
          action: "record",
          records: 1,
          bytes: 500,
          outcome: "ok",
        },
        request_id: `bench_${from + n}`,
      }),
    );
    await log.append(entries);
    await log.gather();
  }
  log.close();
}
