// P-07: what makes the tables shard by owner: every key and every statement leads with the owner.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { runUrl } from "../../../test/postgres.ts";
import { Database } from "./connection.ts";

/** The format of the whole database. */
const NOBODYS = ["postern_format"];
/** Asked before anybody is known to be there: by `pdpp` and by servers, once, when they start. */
const BEFORE_AN_OWNER = ["SELECT subject_id FROM home ORDER BY created_at, subject_id"];

it("P-07 every table, key and index of it leads with the owner, and every unique one contains it", async () => {
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
  expect(rows.filter(([, , first]) => first !== "subject_id")).toEqual([]);
  const keyed = new Set(rows.map(([table]) => table));
  expect(tables.filter(([table]) => !keyed.has(table))).toEqual([]);
});

it("P-07 every statement names the owner first: none crosses owners", () => {
  const statements = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^schema\.ts$|^connection\.ts$/.test(name))
    .flatMap((name) => statementsIn(readFileSync(new URL(name, import.meta.url), "utf8")));
  expect(statements.length).toBeGreaterThan(70);
  const crossing = statements.filter((sql) => !leadsWithOwner(sql) && !BEFORE_AN_OWNER.includes(sql));
  expect(crossing).toEqual([]);
});

/** Every text in the source that is SQL over our tables; what asks a function alone is not. */
function statementsIn(source: string): string[] {
  const texts = [...source.matchAll(/`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? match[2]!);
  return texts
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => /^(SELECT|INSERT|UPDATE|DELETE)\b/.test(text) && /\b(FROM|INTO|UPDATE|SET) (?!\w+\()/.test(text));
}

function leadsWithOwner(sql: string): boolean {
  if (/^INSERT INTO \S+( AS \S+)? \(subject_id, /.test(sql)) return true;
  return /\bWHERE (\w+\.)?subject_id = (\$1|')/.test(sql);
}
