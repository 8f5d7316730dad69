// P-07: a copy contains everything, in both stores. A new column that is missing from the list would not be moved.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { runUrl } from "../../../test/postgres.ts";
import { Database } from "../postgres/connection.ts";
import { defineSums } from "../sqlite/row-sums.ts";
import { MIGRATIONS, migrate } from "../sqlite/schema.ts";
import { TABLES } from "./tables.ts";

/** Local counters for commits and elections. */
const COUNTED = ["writes", "term"];
/**
 * Pending log lines are gathered first, and projections are rebuilt. The format and the owners' names belong to the
 * database.
 */
const NOT_COPIED = ["audit_line", "manifest", "segment", "postern_format", "owner_name", "job_watch"];

it("P-07 every PostgreSQL column is copied", async () => {
  const database = new Database(runUrl(), { connections: 1 });
  const rows = await database.session((connection) =>
    connection.rows(
      `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
       AND table_name <> ALL ($1::text[]) AND is_identity = 'NO' AND column_name <> 'subject_id'
       AND NOT (table_name = 'home' AND column_name = ANY ($2::text[]))`,
      NOT_COPIED,
      COUNTED,
    ),
  );
  await database.close();
  const copied = TABLES.flatMap(({ name, columns, fixed = {} }) =>
    [...Object.keys(columns), ...Object.keys(fixed)].map((column) => `${name}.${column}`),
  );
  expect(rows.map(([table, column]) => `${table}.${column}`).sort()).toEqual(copied.sort());
});

it("P-07 every SQLite column is copied", () => {
  for (const file of ["records", "audit"] as const) {
    const database = new DatabaseSync(":memory:");
    defineSums(database);
    migrate(database, MIGRATIONS[file]);
    const rows = database
      .prepare(
        `SELECT schema.name || '.' || info.name AS name FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
         WHERE schema.type = 'table' AND schema.name NOT IN ('meta', 'subject', 'sqlite_sequence')
           AND info.name <> 'sum'`,
      )
      .all();
    database.close();
    const copied = TABLES.filter(({ sqlite }) => sqlite?.file === file).flatMap(({ name, columns, sqlite }) =>
      [
        ...(sqlite!.owned ? ["subject_id"] : []),
        ...Object.keys(columns).map((column) => sqlite!.renamed?.[column] ?? column),
        ...Object.keys(sqlite!.fixed ?? {}),
      ].map((column) => `${sqlite!.name ?? name}.${column}`),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(copied.sort());
  }
});
