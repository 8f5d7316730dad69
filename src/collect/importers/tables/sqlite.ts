// Reads the ordinary tables of a database, with the keys that it declares.
import type { JsonValue } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import { type ForeignDatabase, type ForeignRow, logOf, openForeign, openForeignForPlan } from "../foreign-sqlite.ts";
import type { SourceTable, TableRow } from "./read.ts";
import type { TableCell } from "./shape.ts";

/** Bytes up to this size, such as digests and UUIDs, are shown as hex. Anything longer is a file. */
const HEX_MAX = 64;

/** With `forPlan`, no copy is made if the file on disk is complete. */
export async function openTables(
  entry: Entry,
  forPlan: boolean,
): Promise<{ tables: SourceTable[]; close(): Promise<void> }> {
  const wal = await logOf(entry);
  const database = forPlan && wal === undefined ? await openForeignForPlan(entry) : await openForeign(entry, wal);
  try {
    return { tables: tablesOf(database), close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Excludes SQLite's own tables and tables without an ordinary column. */
function tablesOf(database: ForeignDatabase): SourceTable[] {
  return [...database.tables]
    .filter(([name, columns]) => !name.startsWith("sqlite_") && columns.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, columns]) => ({
      name,
      columns: [...columns],
      generated: database.generated.get(name),
      key: keyOf(database, name),
      isText: false,
      hasBytes: true,
      count: Number([...database.rows(`SELECT count(*) AS n FROM ${quoted(name)}`)][0]!.n),
      rows: () => rowsOf(() => database.rows(`SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(name)}`)),
    }));
}

/** Returns the primary key, or else a unique index over columns that are never null. */
function keyOf(database: ForeignDatabase, table: string): string[] {
  const columns = [...database.rows('SELECT name, pk, "notnull" AS filled FROM pragma_table_info(?)', table)];
  const primary = columns.filter(({ pk }) => Number(pk) > 0).sort((one, other) => Number(one.pk) - Number(other.pk));
  if (primary.length > 0) return primary.map(({ name }) => String(name));
  const filled = new Set(columns.filter((column) => Number(column.filled) === 1).map(({ name }) => String(name)));
  const indexes = [
    ...database.rows('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0 ORDER BY name', table),
  ];
  for (const index of indexes) {
    const parts = [...database.rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", String(index.name))];
    if (parts.length > 0 && parts.every(({ name }) => filled.has(String(name))))
      return parts.map(({ name }) => String(name));
  }
  return [];
}

async function* rowsOf(rows: () => Iterable<ForeignRow>): AsyncGenerator<TableRow> {
  let offset = 0;
  try {
    for (const found of rows()) {
      offset++;
      const cells = Object.entries(found).map(([name, value]) => [name, cellOf(value)] as const);
      yield { row: Object.fromEntries(cells), offset };
    }
  } catch (error) {
    // A damaged page ends the table, but other tables may be intact.
    yield { problem: `the table is damaged after row ${offset}: ${(error as Error).message}`, offset };
  }
}

function cellOf(value: ForeignRow[string]): TableCell {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return value.byteLength <= HEX_MAX ? Buffer.from(value).toString("hex") : value;
  // JSON has no infinities.
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : (value as JsonValue);
}
