// SECURITY row 19 on PostgreSQL: every change to the audit log is detected, and verify reports where.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestOwner, testOwner } from "../../../test/postgres.ts";
import type { AuditEntry, Store } from "../store.ts";
import { declaration } from "../store-samples.fixture.ts";
import { auditLog } from "./audit-log.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { MIGRATIONS } from "./schema.ts";

let owner: TestOwner;
let store: Store;
beforeEach(async () => {
  owner = await testOwner();
  store = await openPostgresStore(owner.database, owner.subject);
});
afterEach(() => owner.close());

const entry = (n: number): AuditEntry => ({
  at: 1_700_000_000_000 + n,
  subject_id: owner.subject,
  actor: "client",
  client_id: "app",
  grant_id: "grt_1",
  action: "records",
  connection_id: "cin_1",
  stream: "items",
  records: n,
  bytes: 10,
  outcome: "ok",
  request_id: `req_${n}`,
});
const run = (sql: string): Promise<number> =>
  owner.database.session((connection) => connection.run(sql, owner.subject));

const CHANGES: [what: string, sql: string, brokenAt: number][] = [
  [
    "an entry was changed",
    "UPDATE audit_entry SET body = replace(body, ':3', ':4') WHERE subject_id = $1 AND n = 3",
    3,
  ],
  ["an entry is no longer JSON", "UPDATE audit_entry SET body = 'gone' WHERE subject_id = $1 AND n = 2", 2],
  [
    "an entry is stored under another grant",
    "UPDATE audit_entry SET grant_id = 'x' WHERE subject_id = $1 AND n = 4",
    4,
  ],
  ["an entry is stored under another time", "UPDATE audit_entry SET at = 1 WHERE subject_id = $1 AND n = 4", 4],
  ["the first entry is missing", "DELETE FROM audit_entry WHERE subject_id = $1 AND n = 1", 1],
  ["the last entry is missing", "DELETE FROM audit_entry WHERE subject_id = $1 AND n = 6", 6],
  ["all entries are missing", "DELETE FROM audit_entry WHERE subject_id = $1", 1],
  ["the totals are wrong", "UPDATE audit_total SET records = 0 WHERE subject_id = $1", 7],
  ["search marks are missing", "DELETE FROM audit_mark WHERE subject_id = $1 AND term = 'arecords'", 7],
];

describe("P-08 row 19 a changed log on PostgreSQL", () => {
  it.each(CHANGES)("P-08 row 19 is detected if %s", async (_what, sql, brokenAt) => {
    await store.audit.append([1, 2, 3].map(entry));
    await store.audit.append([4, 5, 6].map(entry));
    expect(await store.audit.verify()).toEqual({ entries: 6 });
    expect(await run(sql)).toBeGreaterThan(0);
    expect(await store.audit.verify()).toMatchObject({ brokenAt });
  });

  it("P-08 the migration corrects totals of an earlier build, which counted failed requests as denied", async () => {
    const failed = { ...entry(2), outcome: "ambiguous_connection" };
    await store.audit.append([entry(1), failed, { ...entry(3), outcome: "field_not_granted" }]);
    expect(await store.audit.verify()).toEqual({ entries: 3 });
    await run("UPDATE audit_total SET denied = denied + 1 WHERE subject_id = $1");
    expect(await store.audit.verify()).toMatchObject({ brokenAt: 4 });
    const step = MIGRATIONS.find((sql) => sql.includes("were summed as denials"))!;
    await owner.database.session((connection) => connection.script(step));
    expect(await store.audit.verify()).toEqual({ entries: 3 });
  });

  it("P-08 row 19 is detected if a line was changed or removed before it was gathered", async () => {
    for (const [n, sql] of [
      "UPDATE audit_line SET body = replace(body, 'req_', 'REQ_') WHERE subject_id = $1 AND seq = 1",
      "DELETE FROM audit_line WHERE subject_id = $1 AND seq = 1",
    ].entries()) {
      const other = await testOwner();
      const log = (await openPostgresStore(other.database, other.subject)).audit;
      await log.append([entry(1), entry(2), entry(3)]);
      await other.database.session((connection) => connection.run(sql, other.subject));
      expect(await log.verify(), String(n)).toMatchObject({ reason: "entries were changed in a journal" });
      await other.close();
    }
  });

  it("P-07 contains each line of many writers once, in one chain", async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(owner.database, owner.subject)));
    await Promise.all(
      stores.flatMap((each, writer) =>
        Array.from({ length: 10 }, async (_, n) => {
          await each.audit.append([entry(writer * 10 + n)]);
          if (n % 3 === 0) await each.audit.list({ limit: 1 });
        }),
      ),
    );
    expect(await store.audit.verify()).toEqual({ entries: 40 });
    const { rows } = await store.audit.list({ limit: 100 });
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(40);
  });
});

it("T-03 lines of a process that pauses for hours are gathered when it continues, and a process that closes leaves nothing behind", async () => {
  let now = 1_700_000_000_000;
  const log = () => auditLog(owner.database, owner.subject, store.key, () => now);
  const [quiet, busy] = [log(), log()];
  await quiet.append([entry(1)]);
  for (let hour = 0; hour < 4; hour++) {
    await busy.append([entry(2 + hour)]);
    await busy.gather();
    now += 40 * 60_000;
  }
  await quiet.append([entry(9)]);
  await quiet.append([entry(10)]);
  expect(await busy.verify()).toEqual({ entries: 7 });
  const journals = () =>
    owner.database.session((connection) =>
      connection.rows("SELECT journal FROM audit_journal WHERE subject_id = $1", owner.subject),
    );
  expect(await journals()).toHaveLength(2);
  await quiet.close();
  await busy.close();
  expect(await journals()).toEqual([]);
  expect(await store.audit.verify()).toEqual({ entries: 7 });
});

it("T-03 a line after a gap is kept, and verify reports the gap", async () => {
  await store.audit.append([entry(1), entry(2)]);
  await run("DELETE FROM audit_line WHERE subject_id = $1 AND seq = 1");
  await store.audit.append([entry(3)]);
  expect((await store.audit.list({ limit: 9 })).rows.map(({ records }) => records)).toEqual([3, 2]);
  expect(await store.audit.verify()).toMatchObject({ entries: 2, reason: "entries were changed in a journal" });
});

it("P-03 P-07 nothing is logged under an epoch that is over", async () => {
  const epoch = await store.read((view) => view.epoch());
  expect(await store.audit.append([entry(1)], epoch)).toBe(true);
  await store.write((view) => view.putSource(owner.subject, "contract", declaration, 0));
  expect(await Promise.all([store.audit.append([entry(2)], epoch), store.audit.append([entry(3)], epoch + 1)])).toEqual(
    [false, true],
  );
  expect(await store.audit.append([entry(4), entry(5)], epoch)).toBe(false);
  expect(await store.audit.append([entry(6), entry(7)], epoch + 1)).toBe(true);
  expect(await store.audit.verify()).toEqual({ entries: 4 });
});

it("P-08 row 19 processes that gather concurrently produce one chain", async () => {
  const logs = [1, 2, 3, 4].map(() => auditLog(owner.database, owner.subject, store.key));
  for (let round = 0; round < 10; round++)
    await Promise.all(
      logs.map(async (log, n) => {
        await log.append([entry(round * 4 + n)]);
        await log.gather();
      }),
    );
  expect(await store.audit.verify()).toEqual({ entries: 40 });
});
