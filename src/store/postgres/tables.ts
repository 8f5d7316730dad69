// PostgreSQL's SQL for statements on small tables. Each statement affects the rows of one owner.
import {
  condition,
  INSERTED,
  type Select,
  type TableChange,
  type TableReads,
  type TableWrites,
} from "../tables/statements.ts";
import type { Connection } from "./connection.ts";
import type { ReadConnection } from "./optimistic-read.ts";
import type { PostgresValue } from "./stored-text.ts";

const OWNER = "subject_id";

export function tableReads(connection: ReadConnection, subject: string): TableReads {
  const rows: TableReads["rows"] = (statement, ...values) => {
    const { sql, hasOwner } = written(statement);
    const all = hasOwner ? values : [subject, ...values];
    return statement.kept ? connection.kept(sql, ...all) : connection.rows(sql, ...all);
  };
  return { rows, row: async (statement, ...values) => (await rows(statement, ...values))[0] };
}

export const tableWrites = (connection: Connection, subject: string): TableReads & TableWrites => ({
  ...tableReads(connection, subject),
  run(statement, ...values) {
    const { sql, hasOwner } = written(statement);
    const all: PostgresValue[] = hasOwner ? values : [subject, ...values];
    return connection.run(sql, ...all);
  },
  async next(table) {
    const row = await connection.row(
      `UPDATE home SET ${table}s = ${table}s + 1 WHERE subject_id = $1 RETURNING ${table}s`,
      subject,
    );
    return row![0] as number;
  },
});

interface Written {
  sql: string;
  /** True if the owner's id is among the values. */
  hasOwner: boolean;
}

const texts = new Map<Select | TableChange, Written>();

/** Cached, because statements are few and fixed. */
function written(statement: Select | TableChange): Written {
  let text = texts.get(statement);
  if (text === undefined) {
    text = write(statement);
    texts.set(statement, text);
  }
  return text;
}

function write(statement: Select | TableChange): Written {
  const { table } = statement;
  if (statement.kind === "insert") {
    const { there } = statement;
    const hasOwner = statement.columns.includes(OWNER);
    const columns = hasOwner ? statement.columns : [OWNER, ...statement.columns];
    const values = columns.map((_, at) => `$${at + 1}`).join(", ");
    return { hasOwner, sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values}) ${onConflict(there)}` };
  }
  const hasOwner = statement.kind !== "update" && statement.by.includes(OWNER);
  const by = hasOwner ? statement.by : [OWNER, ...statement.by];
  // In an update, the new values come after the owner.
  const before = statement.kind === "update" ? statement.set.length : 0;
  const where = by.map((one, at) => condition(one, `$${at === 0 ? 1 : at + 1 + before}`)).join(" AND ");
  if (statement.kind === "delete") return { hasOwner, sql: `DELETE FROM ${table} WHERE ${where}` };
  if (statement.kind === "update") {
    const { set, once } = statement;
    const changes = set.map((column, at) => `${column} = $${at + 2}`).join(", ");
    return {
      hasOwner,
      sql: `UPDATE ${table} SET ${changes} WHERE ${where}${once === undefined ? "" : ` AND ${once} IS NULL`}`,
    };
  }
  const { columns, order, limited, unset, joined } = statement;
  const open = unset === undefined ? "" : `AND ${unset} IS NULL`;
  const ordered = order === undefined ? "" : `ORDER BY ${order.replace(INSERTED, "n")}`;
  const limit = limited ? `LIMIT $${by.length + 1}` : "";
  const from = joined === undefined ? table : `${table} JOIN ${joined.table} USING (${OWNER}, ${joined.by})`;
  return { hasOwner, sql: `SELECT ${columns} FROM ${from} WHERE ${where} ${open} ${ordered} ${limit}` };
}

function onConflict(there: { key: readonly string[]; change: readonly string[] } | undefined): string {
  if (there === undefined) return "";
  if (there.change.length === 0) return "ON CONFLICT DO NOTHING";
  const changes = there.change.map((column) => `${column} = excluded.${column}`).join(", ");
  return `ON CONFLICT (${[OWNER, ...there.key].join(", ")}) DO UPDATE SET ${changes}`;
}
