// P-07: the tables can be sharded by owner, because every key and every statement starts with the owner.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runUrl } from "../../../test/postgres.ts";
import { Database } from "./connection.ts";

/** Contains the format of the whole database, which belongs to no owner. */
const NOBODYS = ["postern_format"];
/**
 * Indexes of the directory, which is searched by name or by due time. A distributed database keeps a full copy on every
 * node.
 */
const DIRECTORY = ["owner_name_pkey", "job_watch_by_time"];
/**
 * Statements that run before an owner is known: which owners exist, which have a name, and whose jobs have no leader.
 */
const BEFORE_AN_OWNER = [
  "SELECT subject_id FROM home ORDER BY subject_id LIMIT 2",
  "SELECT coalesce(name, subject_id) FROM home LEFT JOIN owner_name USING (subject_id) ORDER BY subject_id LIMIT 6",
  "INSERT INTO owner_name (name, subject_id) VALUES ($1, $2) ON CONFLICT (subject_id) DO UPDATE SET name = excluded.name",
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the text of the source
  "SELECT name, subject_id, (SELECT created_at FROM home WHERE home.subject_id = owner_name.subject_id) FROM owner_name WHERE name > $1 ORDER BY name LIMIT ${PAGE}",
  "SELECT (SELECT name FROM owner_name WHERE owner_name.subject_id = home.subject_id), subject_id, created_at FROM home WHERE subject_id > $1 ORDER BY subject_id LIMIT ${PAGE}",
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the text of the source
  "SELECT subject_id FROM owner_name WHERE name = $1",
  "SELECT name, subject_id FROM owner_name WHERE name = ANY ($1::text[])",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
  "UPDATE job_watch SET look_at = ${NOW} + ${TAKEN_MS} FROM ( SELECT subject_id, name FROM job_watch JOIN owner_name USING (subject_id) WHERE look_at <= ${NOW} ORDER BY look_at LIMIT $1 FOR UPDATE OF job_watch SKIP LOCKED ) AS due WHERE job_watch.subject_id = due.subject_id RETURNING name",
];

it("P-07 every table, key and index starts with the owner, and every unique key contains it", async () => {
  const database = new Database(runUrl(), { connections: 1 });
  const rows = await database.session((connection) =>
    connection.rows(
      `SELECT class.relname, index.relname, pg_get_indexdef(indexrelid, 1, true)
       FROM pg_index JOIN pg_class AS class ON class.oid = indrelid JOIN pg_class AS index ON index.oid = indexrelid
       WHERE class.relnamespace = 'public'::regnamespace AND class.relname <> ALL ($1::text[])`,
      NOBODYS,
    ),
  );
  const tables = await database.session((connection) =>
    connection.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1::text[])",
      NOBODYS,
    ),
  );
  await database.close();
  expect(tables.length).toBeGreaterThan(15);
  const others = rows.filter(([, , first]) => first !== "subject_id").map(([, index]) => index);
  expect(others.sort()).toEqual(DIRECTORY.toSorted());
  const keyed = new Set(rows.map(([table]) => table));
  expect(tables.filter(([table]) => !keyed.has(table))).toEqual([]);
});

it("P-07 every statement filters by the owner first, so none crosses owners", () => {
  const statements = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^schema\.ts$|^connection\.ts$/.test(name))
    .flatMap((name) => statementsIn(readFileSync(new URL(name, import.meta.url), "utf8")));
  expect(statements.length).toBeGreaterThan(70);
  const crossing = statements.filter((sql) => !leadsWithOwner(sql) && !BEFORE_AN_OWNER.includes(sql));
  expect(crossing).toEqual([]);
});

const schema = readFileSync(new URL("schema.ts", import.meta.url), "utf8");
const tables = [...schema.matchAll(/CREATE TABLE (\w+)/g)].map((match) => match[1]);
const OURS = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN) (${tables.join("|")}|\\$\\{table\\})\\b`);

/** Finds every string in the source that is SQL over our tables. */
function statementsIn(source: string): string[] {
  const texts = [...source.matchAll(/`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? match[2]!);
  return texts
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => /^(SELECT|INSERT|UPDATE|DELETE)\b/.test(text) && OURS.test(text));
}

function leadsWithOwner(sql: string): boolean {
  if (/^INSERT INTO \S+( AS \S+)? \(subject_id, /.test(sql)) return true;
  return /\bWHERE (\w+\.)?subject_id = (\$1|')/.test(sql);
}
