// P-07: owners whose jobs have no leader are found without scanning all owners with jobs, given to one process, and not
// forgotten.
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import { Database } from "./connection.ts";
import { addOwner } from "./directory.ts";
import { lead } from "./leadership.ts";
import { removeOwner } from "./owner-removal.ts";
import { requestJobCheck, takeUnwatched } from "./owners.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { migrate } from "./schema.ts";

let place: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;

beforeAll(async () => {
  place = await emptyDatabase();
  database = new Database(place.url, { connections: 1 });
  await database.session(migrate);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const script = (sql: string): Promise<unknown[][]> => database.session((connection) => connection.script(sql));

it("P-07 overdue owners are found through the due-time index, no matter how many are due later", async () => {
  await script(
    `INSERT INTO owner_name SELECT 'o' || n, 'sub_' || n FROM generate_series(1, 2000) AS n;
     INSERT INTO job_watch SELECT 'sub_' || n, CASE WHEN n < 4 THEN n ELSE 4000000000000 END FROM generate_series(1, 2000) AS n;
     ANALYZE`,
  );
  const read = async (): Promise<number> => {
    await script("SELECT pg_stat_force_next_flush()");
    const rows = await script("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'job_watch_by_time'");
    return Number(rows.flat().at(-1));
  };
  // A table scan would be cheap here and would prove nothing.
  await script("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off");
  const before = await read();
  expect(await takeUnwatched(database, 2)).toEqual(["o1", "o2"]);
  expect(await takeUnwatched(database, 2)).toEqual(["o3"]);
  expect(await takeUnwatched(database, 2)).toEqual([]);
  expect((await read()) - before).toBeLessThan(100);
});

it("P-07 a process that releases an owner keeps the due time of a job written in the meantime", async () => {
  const later = Date.now() + 3_600_000;
  for (const next of [null, later]) {
    const name = `word${next === null ? "" : "-later"}`;
    const { subject } = await addOwner(database, name);
    const left = async (nextAt: () => Promise<number | null>): Promise<unknown> => {
      await new Promise<void>((resolve) => {
        const leading = lead(place.url, subject, {
          gained: async () => void leading.close().then(resolve),
          lost: async () => undefined,
          nextAt,
          log: () => undefined,
        });
      });
      const found = await database.session((connection) =>
        connection.row("SELECT look_at FROM job_watch WHERE subject_id = $1", subject),
      );
      return found?.[0] ?? null;
    };
    expect(await left(async () => next)).toBe(next);
    await left(async () => {
      await requestJobCheck(place.url, subject);
      return next;
    });
    expect(await takeUnwatched(database, 8)).toEqual([name]);
  }
});

it("P-07 a process that still has a removed owner open cannot save anything more for that owner", async () => {
  const { subject } = await addOwner(database, "gone");
  const store = await openPostgresStore(database, subject);
  const part = { seq: 1, part: "ids", bytes: new Uint8Array([1]) };
  const save = () => store.segments.save("columns", 1, { manifest: "{}", drop: [], put: [part] });
  expect(await save()).toBe(true);
  await removeOwner(database, subject, { timeoutMs: 0 });
  expect(await save()).toBe(false);
  expect(await script(`SELECT count(*) FROM segment WHERE subject_id = '${subject}'`)).toEqual([[0]]);
  await store.close();
});
