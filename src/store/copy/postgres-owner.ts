// An owner in a database. Reads everything from one snapshot, and writes everything in one transaction.
import { PdppError } from "../../contract/errors.ts";
import { type Connection, transaction, withDatabase } from "../postgres/connection.ts";
import { nameOwner, noOwnerYet, requireFreeName, whichOwner } from "../postgres/directory.ts";
import { requireUnserved } from "../postgres/owners.ts";
import { migrateDatabase } from "../postgres/prepare.ts";
import { orderFrom, orderText } from "../postgres/record-order.ts";
import type { CopiedCell, CopiedRow, CopiedTable, OwnerReader, OwnerWriter } from "./tables.ts";

/**
 * The number of rows in the first batch, the maximum number of rows in a batch, and the target size of a batch in
 * characters.
 */
const FIRST_ROWS = 100;
const BATCH_ROWS = 2000;
const BATCH_CHARACTERS = 2 * 1024 * 1024;

/** A long copy is legitimate, because it may wait for another database or a disk. */
const PATIENT = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/** Finds the owner by name or id, or the only owner if neither is given. Never creates one. */
export async function ownerOf(url: string, asked: string | undefined): Promise<string> {
  await migrateDatabase(url);
  const subject = await onOne(url, (connection) => whichOwner(connection, asked));
  if (subject === undefined) throw noOwnerYet();
  return subject;
}

export async function readDatabase<T>(
  url: string,
  subject: string,
  work: (owner: OwnerReader) => Promise<T>,
  { unserved = false } = {},
): Promise<T> {
  return onOne(url, async (connection) => {
    await connection.script(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PATIENT}`);
    try {
      if (unserved) await requireUnserved(connection, subject);
      return await work(reader(connection, subject));
    } finally {
      await connection.script("ROLLBACK").catch(() => undefined);
    }
  });
}

/** Checks before the copy that the name is free for the new owner. */
export async function checkFreeName(url: string, name: string): Promise<void> {
  await migrateDatabase(url);
  await onOne(url, (connection) => requireFreeName(connection, name));
}

/** Refuses an owner that already exists, or a name that is taken. */
export async function writeDatabase<T>(
  { url, name }: { url: string; name?: string },
  subject: string,
  work: (owner: OwnerWriter) => Promise<T>,
): Promise<T> {
  await migrateDatabase(url);
  const copy = (connection: Connection): Promise<T> =>
    transaction(connection, `BEGIN; ${PATIENT}`, async () => {
      if (await connection.row("SELECT 1 FROM home WHERE subject_id = $1", subject)) throw taken(subject);
      const written = await work({
        ...reader(connection, subject),
        put: (table, rows) => put(connection, subject, table, rows),
      });
      if (name !== undefined) await nameOwner(connection, subject, name);
      return written;
    });
  try {
    return await onOne(url, copy);
  } catch (error) {
    // Another process has added the same owner in the meantime.
    throw (error as { constraint?: string }).constraint === "home_pkey" ? taken(subject) : error;
  }
}

const taken = (subject: string): PdppError =>
  new PdppError("already_exists", `this database already has the owner ${subject}`, {
    next_step: "Nothing was written. Choose another database; existing data is never replaced.",
  });

const onOne = <T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> =>
  withDatabase(url, (database) => database.session(work));

function reader(connection: Connection, subject: string): OwnerReader {
  return {
    subject,
    async *batches(table) {
      const owner = `'${subject.replaceAll("'", "''")}'`;
      await connection.script(`DECLARE batches NO SCROLL CURSOR FOR ${selectFrom(table, owner)}`);
      const names = Object.keys(table.columns);
      const [ord, data] = [names.indexOf("ord"), names.indexOf("data")];
      let wanted = FIRST_ROWS;
      for (;;) {
        const rows = (await connection.script(`FETCH ${wanted} FROM batches`)) as CopiedRow[];
        if (rows.length === 0) break;
        if (ord !== -1)
          for (const row of rows) row[ord] = wholeOrder(row[ord] as string | null, row[data] as string | null);
        const characters = rows.reduce((sum, row) => sum + lengthOf(row), 0);
        wanted = Math.min(BATCH_ROWS, Math.max(1, Math.floor((BATCH_CHARACTERS * rows.length) / (characters + 1))));
        yield rows;
      }
      await connection.script("CLOSE batches");
    },
  };
}

const lengthOf = (row: CopiedRow): number =>
  row.reduce((sum: number, cell) => sum + (typeof cell === "string" ? cell.length : 8), 0);

function selectFrom({ name, columns, order, where }: CopiedTable, owner: string): string {
  const picked = Object.entries(columns).map(([column, kind]) =>
    kind === "bytes" ? `encode(${column}, 'hex')` : column,
  );
  const only = where === undefined ? "" : ` AND ${where}`;
  return `SELECT ${picked.join(", ")} FROM ${name} WHERE subject_id = ${owner}${only} ORDER BY ${order.join(", ")}`;
}

const ARRAYS = { text: "text[]", number: "bigint[]", float: "float8[]", bytes: "text[]", order: "text[]" } as const;

async function put(
  connection: Connection,
  subject: string,
  { name, columns, fixed = {} }: CopiedTable,
  rows: readonly CopiedRow[],
): Promise<void> {
  const kinds = Object.entries(columns);
  const names = ["subject_id", ...kinds.map(([column]) => column), ...Object.keys(fixed)];
  const values = kinds.map(([column, kind]) => (kind === "bytes" ? `decode(u.${column}, 'hex')` : `u.${column}`));
  const arrays = kinds.map(([, kind], at) => `$${at + 2}::${ARRAYS[kind]}`);
  // Insert in this order, because some tables number their rows.
  await connection.run(
    `INSERT INTO ${name} (${names.join(", ")}) SELECT ${["$1", ...values, ...Object.values(fixed)].join(", ")}
     FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS u (${kinds.map(([column]) => column).join(", ")}, nth) ORDER BY nth`,
    subject,
    ...kinds.map(([, kind], at) => rows.map((row) => (kind === "order" ? storedOrder(row[at]!) : row[at]!))),
  );
}

const storedOrder = (ord: CopiedCell): string | null => (ord === null ? null : orderText(ord));

const SHORTENED = / [\w-]{22}$/;

/** A long string was stored as its beginning and a digest. The full string is in the record itself. */
function wholeOrder(stored: string | null, data: string | null): CopiedCell {
  const ord = orderFrom(stored);
  if (typeof ord !== "string" || data === null || !SHORTENED.test(ord)) return ord;
  for (const value of Object.values(JSON.parse(data) as object)) {
    if (typeof value === "string" && value.length > ord.length / 4 && orderText(value.toWellFormed()) === stored)
      return value.toWellFormed();
  }
  return ord;
}
