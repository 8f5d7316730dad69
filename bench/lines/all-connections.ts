// A page, a count and a sum over 200 connections, compared with one connection that has the same number of records
// (K-05).
import { localHost } from "../../src/engine/local-host.ts";
import { threadedHost } from "../../src/engine/threads/threaded-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { CONNECTOR, DECLARATION, lineOf, recordAt, STREAM } from "../data.ts";
import { type BenchHome, markFilled, openHome } from "../home.ts";
import { alternate } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const OWNER = { home: true } as const;
const CONNECTIONS = 200;
const BATCH = 2000;
/** The same records in one connection. They are in a separate stream, so "all" does not include them. */
const WHOLE = "whole";

const LINES = {
  "newest page over 200 connections": ["records", { limit: 25 }],
  "sorted page over 200 connections": ["records", { sort: "-amount", limit: 25 }],
  "count by group over 200 connections": ["aggregate", { metric: "count", group_by: "category" }],
} as const;

export const allConnections: Bench = {
  name: "all-connections",
  async onSize(name, { keep }) {
    const home = openHome(name, keep, `all-${name}`);
    // Not measured at a million records: filling takes minutes, and 200 connections of 5,000 records are unrealistic.
    if (home.records > 100_000) return [];
    if (!home.reused) await fill(home);
    const host = threadedHost({
      place: { home: home.path },
      onFailure: (text) => {
        throw new Error(text);
      },
    });
    const results: Result[] = [];
    for (const [line, [call, query]] of Object.entries(LINES)) {
      const all = { ...query, stream: STREAM, connection_id: "all" };
      const measured = await alternate(
        {
          ours: () => host.callText(call, all as never, OWNER),
          yardstick: () => host.callText(call, { ...query, stream: WHOLE } as never, OWNER),
        },
        { rounds: 15, warmUp: 7, calls: 40 },
      );
      results.push({
        line,
        size: home.name,
        ratio: measured.ratio,
        ...(call === "records" ? { budget: { atMost: 3 } } : {}),
        ours: inMs(measured.ours.median),
        yardstick: inMs(measured.yardstick.median),
        against: "one connection with as many records",
      });
    }
    await host.close();
    return results;
  },
};

async function fill({ path, records }: BenchHome): Promise<void> {
  prepareHome(path);
  const host = localHost(openSqliteStore(path), { home: path, persist: false });
  const [stream] = DECLARATION.streams;
  const whole = { ...DECLARATION, source: { ...DECLARATION.source, id: `${DECLARATION.source.id}/whole` } };
  await host.call("putConnector", { connector_key: CONNECTOR, declaration: DECLARATION }, OWNER);
  await host.call(
    "putConnector",
    { connector_key: WHOLE, declaration: { ...whole, streams: [{ ...stream!, name: WHOLE }] } },
    OWNER,
  );
  const put = async (connector: string, name: string, indexes: number[]): Promise<void> => {
    const { connection_id } = await host.call("createConnection", { connector_id: connector }, OWNER);
    for (let start = 0; start < indexes.length; start += BATCH) {
      const text = indexes.slice(start, start + BATCH).map((index) => lineOf(recordAt(index, records)));
      await host.call("ingest", { stream: name, connection_id, text: text.join("") }, OWNER);
    }
  };
  const every = Array.from({ length: records }, (_, index) => index);
  await put(WHOLE, WHOLE, every);
  for (let number = 0; number < CONNECTIONS; number++)
    await put(
      CONNECTOR,
      STREAM,
      every.filter((index) => index % CONNECTIONS === number),
    );
  await host.close();
  markFilled(path);
}
