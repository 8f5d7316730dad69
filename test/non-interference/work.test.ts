// G-01: the work of listing streams does not reveal how many records a grant hides. The test counts reads and rows, not
// time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Credential } from "../../src/engine/caller.ts";
import { localHost } from "../../src/engine/local-host.ts";
import { openSqliteStore, prepareHome } from "../../src/store/sqlite/sqlite-store.ts";
import type { ReadView, Store } from "../../src/store/store.ts";
import { declaration } from "./world.ts";

const OWNER: Credential = { home: true };
const INSIDE = "2024-03-01T00:00:00Z";
const OUTSIDE = "2020-03-01T00:00:00Z";

/** Counts the store calls and the rows that they return. */
function counting(store: Store) {
  const work = { reads: 0, rows: 0 };
  const counted = (view: ReadView): ReadView =>
    new Proxy(view, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          const answer = Reflect.apply(method, target, args) as unknown;
          work.reads++;
          work.rows += Array.isArray(answer) ? answer.length : answer === undefined ? 0 : 1;
          return answer;
        };
      },
    });
  const wrapped: Store = {
    read: (run, options) => store.read((view) => run(counted(view)), options),
    write: (run, options) => store.write(run, options),
    audit: store.audit,
    segments: store.segments,
    key: store.key,
    close: () => store.close(),
  };
  return { store: wrapped, work };
}

interface Line {
  id: string;
  at: string;
  notes?: string;
}

async function home() {
  const folder = mkdtempSync(join(tmpdir(), "pdpp-work-"));
  prepareHome(folder);
  const { store, work } = counting(openSqliteStore(folder));
  const host = localHost(store, { home: folder, persist: true });
  await host.call("putConnector", { connector_key: "world", declaration }, OWNER);
  const { connection_id } = await host.call("createConnection", { connector_id: "world" }, OWNER);
  return {
    async write(lines: Line[]) {
      const text = lines
        .map((data) =>
          JSON.stringify({ key: data.id, data: { title: "t", ...data }, emitted_at: "2024-05-01T00:00:00Z" }),
        )
        .join("\n");
      expect((await host.call("ingest", { stream: "items", connection_id, text }, OWNER)).rejected).toBe(0);
    },
    async grant(limits: { since?: string; resources?: string[] }) {
      const selections = [{ connection_id, stream: "items", fields: ["id", "title"], ...limits }];
      return (await host.call("issueGrant", { selections }, OWNER)).access_token;
    },
    /** Returns the result of one call, and the work that it caused in the store. */
    async streams(token: string) {
      Object.assign(work, { reads: 0, rows: 0 });
      const { data } = await host.call("streams", {}, { token });
      const { record_count, last_updated } = data[0]!;
      return { record_count, last_updated, work: { ...work } };
    },
    async close() {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const many = (count: number, line: (index: number) => Line): Line[] => Array.from({ length: count }, (_, i) => line(i));

test.each([
  ["a time window", { since: "2024-01-01T00:00:00Z" }],
  ["a few records", { resources: ["v0", "v1", "v2"] }],
])(
  "G-01 listing streams under a grant for %s reads as much with 20 hidden records as with 2,000",
  async (_, limits) => {
    const seen = [];
    for (const hidden of [20, 2000]) {
      const one = await home();
      try {
        await one.write(many(3, (i) => ({ id: `v${i}`, at: INSIDE })));
        await one.write(many(hidden, (i) => ({ id: `h${i}`, at: OUTSIDE })));
        // The very first caller waits for the columns, which contain every record.
        await one.streams(await one.grant(limits));
        const { last_updated: _at, ...fresh } = await one.streams(await one.grant(limits));
        seen.push(fresh);
      } finally {
        await one.close();
      }
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]!.record_count).toBe(3);
    expect(seen[0]!.work.rows).toBeLessThan(40);
  },
);

test.each([
  ["every record", {}],
  ["a time window", { since: "2024-01-01T00:00:00Z" }],
])(
  "G-01 listing streams again under a grant for %s reads as much after many changes to hidden fields as after none",
  async (_, limits) => {
    const seen = [];
    for (const changed of [0, 1000]) {
      const one = await home();
      try {
        await one.write(many(1000, (i) => ({ id: `v${i}`, at: INSIDE })));
        const token = await one.grant(limits);
        const first = await one.streams(token);
        await one.write(many(changed, (i) => ({ id: `v${i}`, at: INSIDE, notes: "hidden" })));
        const second = await one.streams(token);
        expect(second.last_updated).toBe(first.last_updated);
        seen.push((await one.streams(token)).work);
      } finally {
        await one.close();
      }
    }
    expect(seen[0]).toEqual(seen[1]);
  },
);

test("P-02 the last update under a grant is its newest visible change: new, changed and deleted records, and moves in time", async () => {
  const one = await home();
  try {
    const tokens = [
      await one.grant({}),
      await one.grant({ since: "2024-01-01T00:00:00Z" }),
      await one.grant({ resources: ["a"] }),
    ];
    const moved: boolean[][] = [];
    let before: (string | null)[] = [];
    const step = async (lines: Line[]) => {
      await new Promise((done) => setTimeout(done, 2));
      await one.write(lines);
      const now = [];
      for (const token of tokens) now.push((await one.streams(token)).last_updated);
      // A grant without a cached value gets the same result as a grant with one.
      const fresh = [
        await one.grant({}),
        await one.grant({ since: "2024-01-01T00:00:00Z" }),
        await one.grant({ resources: ["a"] }),
      ];
      for (const [index, token] of fresh.entries()) expect((await one.streams(token)).last_updated).toBe(now[index]);
      moved.push(now.map((at, index) => at !== before[index]));
      before = now;
    };
    before = [null, null, null];
    await step([{ id: "a", at: INSIDE }]);
    await step([{ id: "b", at: OUTSIDE }]);
    await step([{ id: "a", at: INSIDE, notes: "hidden" }]);
    await step([{ id: "b", at: INSIDE }]);
    await step([{ id: "b", at: OUTSIDE }]);
    await step([{ id: "c", at: INSIDE }]);
    expect(moved).toEqual([
      [true, true, true],
      [true, false, false],
      [false, false, false],
      // The time is a hidden field, so only the grant that is limited by it sees the record appear and disappear.
      [false, true, false],
      [false, true, false],
      [true, true, false],
    ]);
  } finally {
    await one.close();
  }
});
