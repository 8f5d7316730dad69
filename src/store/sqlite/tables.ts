// SQLite's SQL for statements on small tables. Every row is checked against its checksum, and gets a new one when it
// changes.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { TOKEN } from "../tables/authority.ts";
import {
  condition,
  INSERTED,
  type Insert,
  type Select,
  type TableChange,
  type TableReads,
  type TableWrites,
} from "../tables/statements.ts";
import { prepareArrays } from "./database.ts";
import { columnsOf, insertInto, type SummedTable, sound, sumOf } from "./row-sums.ts";

export function sqliteTables(database: DatabaseSync): TableReads & TableWrites {
  const prepared = new Map<Select | TableChange, StatementSync>();
  const prepare = (statement: Select | TableChange): StatementSync => {
    let found = prepared.get(statement);
    if (found === undefined) {
      found = prepareArrays(database, textOf(statement));
      prepared.set(statement, found);
    }
    return found;
  };
  const beside = ["< ? ORDER BY hash DESC", "> ? ORDER BY hash"].map((place) =>
    database.prepare(`SELECT 1 FROM token WHERE ${sound("token")} AND hash ${place} LIMIT 1`),
  );
  return {
    rows: (statement, ...values) => prepare(statement).all(...values) as unknown as unknown[][],
    row(statement, ...values) {
      const row = prepare(statement).get(...values) as unknown[] | undefined;
      // A damaged index entry can mislead a token lookup, which then ends next to that entry. So read both neighbours:
      // reading the damaged one throws.
      if (row === undefined && statement === TOKEN) for (const neighbour of beside) neighbour.get(values[0]!);
      return row;
    },
    run: (statement, ...values) => prepare(statement).run(...values).changes as number,
    next: (table) => database.prepare(NEXT[table]).get()!.next as number,
  };
}

const NEXT = {
  declaration: "SELECT coalesce(max(declaration_no), 0) + 1 AS next FROM declaration",
  stream: "SELECT coalesce(max(seq), 0) + 1 AS next FROM sqlite_sequence WHERE name = 'stream'",
};

function textOf(statement: Select | TableChange): string {
  const table = statement.table as SummedTable;
  switch (statement.kind) {
    case "select": {
      const { columns, order, limited, unchecked, unset, joined } = statement;
      const tables = joined === undefined ? [table] : [table, joined.table as SummedTable];
      const checks = unchecked ? [] : tables.map((one) => sound(one));
      const open = unset === undefined ? [] : [`${unset} IS NULL`];
      const where = [...statement.by.map((by) => condition(by, "?")), ...open, ...checks].join(" AND ");
      const ordered = order === undefined ? "" : `ORDER BY ${order.replace(INSERTED, "rowid")}`;
      const from = joined === undefined ? table : `${table} JOIN ${joined.table} USING (${sharedKey(table, joined)})`;
      return `SELECT ${columns} FROM ${from} WHERE ${where} ${ordered} ${limited ? "LIMIT coalesce(?, -1)" : ""}`;
    }
    case "insert":
      return insertText(statement, table);
    case "update": {
      const { set, by, once } = statement;
      const values = Object.fromEntries(set.map((column, at) => [column, `?${at + 1}`]));
      const where = by.map((one, at) => condition(one, `?${set.length + at + 1}`));
      if (once !== undefined) where.push(`${once} IS NULL`);
      return `UPDATE ${table} SET ${set.map((column) => `${column} = ${values[column]}`).join(", ")}, sum = ${sumOf(table, values)}
              WHERE ${[...where, sound(table)].join(" AND ")}`;
    }
    case "delete":
      return `DELETE FROM ${table} WHERE ${statement.by.map((by) => condition(by, "?")).join(" AND ")}`;
  }
}

/** Not every table has a column for the owner, because a home has only one owner. */
const sharedKey = (table: string, joined: NonNullable<Select["joined"]>): string =>
  ["subject_id", joined.by]
    .filter((column) => [table, joined.table].every((one) => columnsOf(one).includes(column)))
    .join(", ");

function insertText({ columns, there }: Insert, table: SummedTable): string {
  const given = columnsOf(table).map((column) => [
    column,
    columns.includes(column) ? `?${columns.indexOf(column) + 1}` : "NULL",
  ]);
  const into = insertInto(table, Object.fromEntries(given));
  if (there === undefined) return `INSERT ${into}`;
  const { key, change } = there;
  if (change.length === 0) return `INSERT OR IGNORE ${into}`;
  const changes = change.map((column) => [column, `excluded.${column}`]);
  const set = changes.map(([column, value]) => `${column} = ${value}`).join(", ");
  // If a row is replaced completely, none of its old values remain, so they need no check.
  const isWhole = columns.every((column) => column === "subject_id" || key.includes(column) || change.includes(column));
  const sum = isWhole ? "excluded.sum" : sumOf(table, Object.fromEntries(changes));
  return `INSERT ${into} ON CONFLICT DO UPDATE SET ${set}, sum = ${sum} ${isWhole ? "" : `WHERE ${sound(table)}`}`;
}
