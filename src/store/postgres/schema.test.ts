// P-07: migrations run forward, completely and one at a time, from every earlier format.
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/postgres.ts";
import type { History } from "../../core/history.ts";
import { INGESTED, OLD_RECORDS } from "../old-emissions.fixture.ts";
import { Database } from "./connection.ts";
import { openPostgresStore, putOwner } from "./postgres-store.ts";
import { FORMAT, MIGRATING, MIGRATIONS, migrate } from "./schema.ts";

let place: Awaited<ReturnType<typeof emptyDatabase>>;
let database: Database;
beforeEach(async () => {
  place = await emptyDatabase();
  database = new Database(place.url, { connections: 8 });
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

it("P-07 if several processes start on an empty database, one creates the tables and the others wait for it", async () => {
  const done = await Promise.all(Array.from({ length: 8 }, () => database.session(migrate)));
  expect(done.filter(({ from }) => from === 0)).toEqual([{ from: 0, to: FORMAT }]);
  expect(done.filter(({ from }) => from === FORMAT)).toHaveLength(7);
});

it("P-07 a process that waited for the lock finds the new tables, even with cached query plans", async () => {
  await database.session(async (waiting) => {
    await database.session(async (first) => {
      await first.script("CREATE TABLE home (ours BOOLEAN)");
      // After ten attempts, PostgreSQL has planned every statement and looks nothing up again.
      for (let time = 0; time < 10; time++) await expect(migrate(waiting)).rejects.toThrow(/another program/);
      await first.script(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATING})`);
      const waited = migrate(waiting);
      await expect
        .poll(() => first.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
        .toEqual([[1]]);
      // Create the state that the process with the lock would leave. (Creating many tables at once sends so many
      // invalidations that the other session may reset its caches.)
      await first.script(
        `CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (${FORMAT}); COMMIT`,
      );
      expect(await waited).toEqual({ from: FORMAT, to: FORMAT });
    });
  });
});

it.each(Array.from({ length: FORMAT - 1 }, (_, at) => at + 1))(
  "P-07 several processes at once can migrate a database of format %i, and it keeps its data",
  async (old) => {
    await database.session(async (connection) => {
      for (const step of MIGRATIONS.slice(0, old)) await connection.script(step);
      await connection.script(
        `CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (${old})`,
      );
    });
    const subject = await database.session((connection) => putOwner(connection));
    const done = await Promise.all([1, 2, 3].map(() => database.session(migrate)));
    expect(done.map(({ from }) => from).sort((one, other) => one - other)).toEqual([old, FORMAT, FORMAT]);
    const store = await openPostgresStore(database, subject);
    await store.write((view) =>
      view.putItem(subject, { kind: "k", id: "i", holder: null, createdAt: 0, dueAt: null, body: 1 }),
    );
    expect(await store.read(async (view) => (await view.item(subject, "k", "i"))?.body)).toBe(1);
    await store.close();
  },
);

it("G-02 records of an older version get correct emission times, in their history too", async () => {
  const old = MIGRATIONS.findIndex((sql) => sql.includes("emitted_at = ingested_at"));
  await database.session(async (connection) => {
    for (const step of MIGRATIONS.slice(0, old)) await connection.script(step);
    await connection.script(
      `CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (${old})`,
    );
    for (const [version, { id, emittedAt, data, origin, history }] of OLD_RECORDS.entries())
      await connection.run(
        `INSERT INTO record (subject_id, version, stream_no, id, emitted_at, ingested_at, data, origin, history)
         VALUES ('s', $1, 1, $2, $3, $4, $5, $6, $7)`,
        version + 1,
        id,
        emittedAt,
        INGESTED,
        data,
        origin,
        history,
      );
  });
  await database.session(migrate);
  const rows = await database.session((connection) =>
    connection.rows("SELECT id, emitted_at, data, origin, history FROM record ORDER BY version"),
  );
  for (const [index, { id, expected, data, origin, history }] of OLD_RECORDS.entries()) {
    expect(rows[index]!.slice(0, 4)).toEqual([id, expected, data, origin]);
    if (history === null || expected !== INGESTED) expect(rows[index]![4], id).toBe(history);
    else {
      const before = JSON.parse(history) as History;
      const after = JSON.parse(rows[index]![4] as string) as History;
      const stamps = ({ fields, life }: History) => [...Object.values(fields), ...life.map(([stamp]) => stamp)];
      expect(stamps(after), id).toEqual(stamps(before).map(([version, , at, from]) => [version, at, at, from]));
      expect(Object.keys(after.fields)).toEqual(Object.keys(before.fields));
    }
  }
});

it("G-01 connections of an older version are marked so that their records keep their ids", async () => {
  const old = MIGRATIONS.findIndex((sql) => sql.includes("'id_key'"));
  await database.session(async (connection) => {
    for (const step of MIGRATIONS.slice(0, old)) await connection.script(step);
    await connection.script(
      `CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (${old});
       INSERT INTO connection VALUES ('sub_1', 'cin_1', 'src', 'Mine', 7)`,
    );
  });
  await database.session(migrate);
  const rows = await database.session((connection) =>
    connection.rows("SELECT subject_id, kind, id, holder, created_at, due_at, body FROM item"),
  );
  expect(rows).toEqual([["sub_1", "id_key", "cin_1", "cin_1", 7, null, '{"key":null}']]);
});

it("D-06 sources of an older version get the registration time of their first declaration", async () => {
  const old = MIGRATIONS.findIndex((sql) => sql.includes("ALTER TABLE source"));
  await database.session(async (connection) => {
    for (const step of MIGRATIONS.slice(0, old)) await connection.script(step);
    await connection.script(
      `CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (${old});
       INSERT INTO declaration VALUES ('sub_1', 1, 'src', '{}', 5), ('sub_1', 2, 'src', '{}', 9), ('sub_2', 1, 'src', '{}', 3);
       INSERT INTO source VALUES ('sub_1', 'src', 'mine', 2)`,
    );
  });
  await database.session(migrate);
  const rows = await database.session((connection) => connection.rows("SELECT source_id, created_at FROM source"));
  expect(rows).toEqual([["src", 5]]);
});

it("P-07 a failing migration step leaves the database unchanged, whatever the previous steps did", async () => {
  const step = MIGRATIONS.findLast((sql) => sql.includes("ADD COLUMN"))!;
  const [, table, added] = /ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(step)!;
  await database.session((connection) =>
    connection.script(
      `${MIGRATIONS[0]}; CREATE TABLE postern_format (format INTEGER NOT NULL); INSERT INTO postern_format VALUES (1);
       ALTER TABLE ${table} ADD COLUMN ${added} INTEGER`,
    ),
  );
  const before = await columns();
  await expect(database.session(migrate)).rejects.toThrow(/already exists/);
  expect(await columns()).toEqual(before);
});

it("P-07 a running server notices that a newer pdpp has migrated the database", async () => {
  await database.session(migrate);
  const subject = await database.session((connection) => putOwner(connection));
  const store = await openPostgresStore(database, subject);
  await store.read((view) => view.usable());
  await database.session((connection) => connection.script(`UPDATE postern_format SET format = ${FORMAT + 1}`));
  await expect(store.read((view) => view.usable())).rejects.toMatchObject({ code: "home_too_new" });
  await store.close();
});

const columns = (): Promise<unknown[][]> =>
  database.session((connection) =>
    connection.rows(
      "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    ),
  );
