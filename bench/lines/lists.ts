// Pages and groups by lists, compared with a scalar field that has the same number of distinct values (K-04). A list
// may cost 1.5 times as much.
import type { SourceDeclaration } from "../../src/contract/declaration.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { threadedHost } from "../../src/engine/threads/threaded-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { Bench } from "../bench.ts";
import { DECLARATION, randomFrom } from "../data.ts";
import { type BenchHome, markFilled, openHome } from "../home.ts";
import { alternate } from "../measure.ts";
import { inMs, type Result } from "../report.ts";

const OWNER = { home: true } as const;
const BATCH = 2000;
const STREAM = "mails";
const VALUES = 40;

const LISTS: SourceDeclaration = {
  ...DECLARATION,
  streams: [
    {
      ...DECLARATION.streams[0]!,
      name: STREAM,
      schema: {
        type: "object",
        properties: {
          id: { type: "string" },
          folder: { type: "string" },
          labels: { type: "array", items: { type: "string" } },
          to: { type: "array", items: { type: "object", properties: { address: { type: "string" } } } },
          booked_at: { type: "string", format: "date-time" },
        },
        required: ["id", "booked_at"],
      },
      query: { aggregations: { count: true, group_by: ["folder", "labels", "to.address"] } },
    },
  ],
};

const page = (filter: object) => ["records", { filter, limit: 25 }] as const;
const groups = (group_by: string) => ["aggregate", { metric: "count", group_by, limit: 100 }] as const;

/** Each list query and its scalar equivalent. A third of the records have two values in a list, the others have one. */
const LINES = {
  "page filtered by a value in a list": [page({ labels: { contains: "v7" } }), page({ folder: "v7" })],
  "page filtered by a field inside a list": [page({ "to.address": { contains: "v7" } }), page({ folder: "v7" })],
  "count by the values in a list": [groups("labels"), groups("folder")],
  "count by a field inside a list": [groups("to.address"), groups("folder")],
} as const;

export const lists: Bench = {
  name: "lists",
  async onSize(name, { keep }) {
    const home = openHome(name, keep, `lists-${name}`);
    // Not measured at a million records, because the ratio is the same and filling takes minutes.
    if (home.records > 100_000) return [];
    if (!home.reused) await fill(home);
    const host = threadedHost({
      place: { home: home.path },
      onFailure: (text) => {
        throw new Error(text);
      },
    });
    const ask = ([call, query]: readonly [string, object]) =>
      host.callText(call as "records", { ...query, stream: STREAM } as never, OWNER);
    const results: Result[] = [];
    for (const [line, [ours, scalar]] of Object.entries(LINES)) {
      const measured = await alternate(
        { ours: () => ask(ours), yardstick: () => ask(scalar) },
        { rounds: 15, warmUp: 7, calls: 40 },
      );
      results.push({
        line,
        size: home.name,
        ratio: measured.ratio,
        budget: { atMost: 1.5 },
        ours: inMs(measured.ours.median),
        yardstick: inMs(measured.yardstick.median),
        against: "a scalar field",
      });
    }
    await host.close();
    return results;
  },
};

async function fill({ path, records }: BenchHome): Promise<void> {
  prepareHome(path);
  const host = localHost(openSqliteStore(path), { home: path, persist: false });
  await host.call("putConnector", { connector_key: STREAM, declaration: LISTS }, OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: STREAM }, OWNER);
  const random = randomFrom(11);
  const value = () => `v${Math.floor(random() * VALUES)}`;
  const some = () => (random() < 1 / 3 ? [value(), value()] : [value()]);
  for (let start = 0; start < records; start += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, records - start) }, (_, index) => {
      const id = `m${start + index}`;
      const booked_at = new Date(Date.UTC(2020, 0, 1) + (start + index) * 60_000).toISOString();
      const to = some().map((address) => ({ address }));
      return JSON.stringify({ key: id, data: { id, folder: value(), labels: some(), to, booked_at } });
    });
    await host.call("ingest", { stream: STREAM, connection_id, text: lines.join("\n") }, OWNER);
  }
  await host.close();
  markFilled(path);
}
