// Migrations that both stores apply, in this order, after those in their own schema files. A new column is added here
// once.
import { type CellKind, COLUMNS } from "./rows.ts";

type Table = keyof typeof COLUMNS;

/** A column in COLUMNS that the first format did not have. */
interface AddedColumn {
  table: Table;
  column: string;
  /** The value for existing rows, as SQL that both engines understand. NULL if absent. */
  first?: string;
}

type Migration = AddedColumn | { sqlite: string; postgres: string };

const GRANT_UNREVOKED = `
  CREATE INDEX grant_unrevoked ON access_grant (subject_id, issued_at) WHERE revoked_at IS NULL;
`;

/** Never edit a released migration; add another. */
const SHARED: readonly Migration[] = [
  {
    table: "source",
    column: "created_at",
    first: `(SELECT min(registered_at) FROM declaration
      WHERE declaration.subject_id = source.subject_id AND declaration.source_id = source.source_id)`,
  },
  // Every revocation looks for other grants of the same app, and must not read all that ever ended (O-09).
  { sqlite: GRANT_UNREVOKED, postgres: GRANT_UNREVOKED },
];

const isColumn = (step: Migration): step is AddedColumn => "column" in step;
const added = SHARED.filter(isColumn);

/** Columns that were added after the first checksums, as `table.column`, oldest first. */
export const ADDED_LATER: readonly string[] = [
  "blob.generation",
  ...added.map(({ table, column }) => `${table}.${column}`),
];

const TYPES: Record<CellKind, { sqlite: string; postgres: string }> = {
  text: { sqlite: "TEXT", postgres: "TEXT" },
  number: { sqlite: "INTEGER", postgres: "BIGINT" },
  float: { sqlite: "ANY", postgres: "DOUBLE PRECISION" },
  bytes: { sqlite: "BLOB", postgres: "BYTEA" },
  order: { sqlite: "ANY", postgres: "TEXT" },
};

const kindOf = ({ table, column }: AddedColumn): CellKind => (COLUMNS[table] as Record<string, CellKind>)[column]!;

export const SHARED_POSTGRES: readonly string[] = SHARED.map((step) => {
  if (!isColumn(step)) return step.postgres;
  const { table, column, first } = step;
  return `ALTER TABLE ${table} ADD COLUMN ${column} ${TYPES[kindOf(step)].postgres};
    ${first === undefined ? "" : `UPDATE ${table} SET ${column} = ${first};`}`;
});

/**
 * In SQLite, the rows of the table get new checksums. A damaged row stops the migration, so that the damage is not
 * hidden.
 */
export const SHARED_SQLITE: readonly string[] = SHARED.map((step) => {
  if (!isColumn(step)) return step.sqlite;
  const { table, column, first } = step;
  const add = `ALTER TABLE ${table} ADD COLUMN ${column} ${TYPES[kindOf(step)].sqlite};`;
  // A record's checksum omits an added column while it is NULL (recordSum).
  if (table === "record") return add;
  const later = added.slice(added.indexOf(step) + 1).filter((other) => other.table === table);
  const now = Object.keys(COLUMNS[table]).filter((one) => !later.some((other) => other.column === one));
  const before = now.filter((one) => one !== column);
  const values = now.map((one) => (one === column ? (first ?? "NULL") : one));
  return `${add} UPDATE ${table} SET ${column} = ${first ?? "NULL"}, sum = row_sum('${table}', ${values.join(", ")})
    WHERE checked(sum, '${table}', ${before.join(", ")});`;
});
