// The owner of a home directory, read and written in full. New files stay in a temporary folder until all of them are
// complete.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { typedError } from "../sqlite/database.ts";
import { keyIn, writeKey } from "../sqlite/home-key.ts";
import { defineSums, insertInto, sound, soundRow, summedRow, sumOf } from "../sqlite/row-sums.ts";
import { MIGRATIONS, migrate } from "../sqlite/schema.ts";
import { FILES } from "../sqlite/sqlite-store.ts";
import type { CopiedRow, CopiedTable, OwnerReader, OwnerWriter } from "./tables.ts";

/** The prefix of the temporary folders. */
export const ASIDE = ".moving-";

const BATCH_ROWS = 1000;
const BATCH_CHARACTERS = 2 * 1024 * 1024;

interface OwnerFiles {
  records: DatabaseSync;
  audit: DatabaseSync;
  key: string;
}

/** Expects that the journals have been gathered and that the format is current. */
export async function readHome<T>(home: string, work: (owner: OwnerReader) => Promise<T>): Promise<T> {
  const open = (name: string): DatabaseSync => {
    const database = new DatabaseSync(join(home, name), { readOnly: true, timeout: 10_000 });
    defineSums(database);
    return database;
  };
  const files = { key: keyIn(join(home, FILES.key)).toString("hex") } as OwnerFiles;
  try {
    files.records = open(FILES.records);
    files.audit = open(FILES.audit);
    // The first query of a transaction determines the state that it sees, so run one now.
    for (const database of [files.records, files.audit]) {
      database.exec("BEGIN");
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
    return await work(reader(files, subjectIn(files.records)));
  } catch (error) {
    throw typedError(error);
  } finally {
    files.records?.close();
    files.audit?.close();
  }
}

/** Writes into a directory that is not a home yet. A failure or a killed process leaves no home behind. */
export async function writeHome<T>(
  home: string,
  subject: string,
  work: (owner: OwnerWriter) => Promise<T>,
): Promise<T> {
  const aside = join(home, `${ASIDE}${randomBytes(4).toString("hex")}`);
  mkdirSync(aside, { mode: 0o700 });
  try {
    const files: OwnerFiles = {
      records: create(join(aside, FILES.records), MIGRATIONS.records),
      audit: create(join(aside, FILES.audit), MIGRATIONS.audit),
      key: "",
    };
    let result: T;
    try {
      result = await work({ ...reader(files, subject), ...writer(files, subject) });
      for (const database of [files.records, files.audit]) database.exec("COMMIT; PRAGMA journal_mode = WAL");
    } finally {
      files.records.close();
      files.audit.close();
    }
    writeKey(join(aside, FILES.key), Buffer.from(files.key, "hex"));
    place(aside, home);
    return result;
  } catch (error) {
    throw typedError(error);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Uses no journal and does not sync, because a partial copy is worthless and nothing reads it before it is complete.
 */
function create(path: string, migrations: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  defineSums(database);
  migrate(database, migrations);
  database.exec("BEGIN");
  return database;
}

/** Moves the records last, because a directory with records is a home. */
function place(aside: string, home: string): void {
  const names = [FILES.key, FILES.audit, FILES.records];
  for (const name of names) sync(join(aside, name));
  // Delete projections of other records, if there are any.
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(home, FILES.projections + suffix), { force: true });
  for (const name of names) {
    renameSync(join(aside, name), join(home, name));
    sync(home);
  }
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const subjectIn = (records: DatabaseSync): string =>
  records.prepare(`SELECT subject_id FROM subject WHERE ${sound("subject")} ORDER BY rowid LIMIT 1`).get()!
    .subject_id as string;

function reader(files: OwnerFiles, subject: string): OwnerReader {
  return {
    subject,
    async *batches(table) {
      if (table.sqlite === undefined) {
        yield [[files.key, ...headOf(files.records, subject)]];
        return;
      }
      const statement = files[table.sqlite.file].prepare(selectFrom(table, table.sqlite));
      statement.setReturnArrays(true);
      let batch: CopiedRow[] = [];
      let characters = 0;
      for (const found of statement.iterate(...(table.sqlite.owned ? [subject] : []))) {
        const row = found as unknown as CopiedRow;
        batch.push(row);
        for (const cell of row) if (typeof cell === "string") characters += cell.length;
        if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
        yield batch;
        batch = [];
        characters = 0;
      }
      if (batch.length > 0) yield batch;
    },
  };
}

function writer(files: OwnerFiles, subject: string): Pick<OwnerWriter, "put"> {
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  return {
    put(table, rows) {
      if (table.sqlite === undefined) {
        const [key, ...head] = rows[0]!;
        files.key = key as string;
        putHead(files.records, subject, head);
        return;
      }
      let insert = statements.get(table.name);
      if (insert === undefined) {
        insert = files[table.sqlite.file].prepare(insertAll(table, table.sqlite));
        statements.set(table.name, insert);
      }
      const owner: SQLInputValue[] = table.sqlite.owned ? [subject] : [];
      for (const row of rows) insert.run(...owner, ...row);
    },
  };
}

type InSqlite = NonNullable<CopiedTable["sqlite"]>;

function selectFrom(
  { name, columns, order }: CopiedTable,
  { file, name: own = name, owned, renamed = {}, where }: InSqlite,
): string {
  const picked = Object.entries(columns).map(([column, kind]) => {
    const stored = renamed[column] ?? column;
    return kind === "bytes" ? `lower(hex(${stored}))` : stored;
  });
  const conditions = [
    ...(owned ? ["subject_id = ?"] : []),
    ...(where === undefined ? [] : [where]),
    // A damaged row must not be copied as data.
    ...(file === "records" ? [soundRow(own)] : []),
  ];
  const sorted = order.map((column) =>
    column === "n" && columns.n === undefined ? "rowid" : (renamed[column] ?? column),
  );
  const only = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return `SELECT ${picked.join(", ")} FROM ${own}${only} ORDER BY ${sorted.join(", ")}`;
}

function insertAll(
  { name, columns }: CopiedTable,
  { file, name: own = name, owned, renamed = {}, fixed = {} }: InSqlite,
): string {
  const given = [...(owned ? [["subject_id", "text"]] : []), ...Object.entries(columns)];
  const values: Record<string, string> = Object.fromEntries(
    given.map(([column, kind], at) => [
      renamed[column!] ?? column,
      kind === "bytes" ? `unhex(?${at + 1})` : `?${at + 1}`,
    ]),
  );
  Object.assign(values, fixed);
  if (file === "records") values.sum = summedRow(own, values);
  return `INSERT INTO ${own} (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")})`;
}

function headOf(records: DatabaseSync, subject: string): CopiedRow {
  const statement = records.prepare(
    `SELECT (SELECT value FROM meta WHERE key = 'epoch' AND ${sound("meta")}),
       (SELECT value FROM meta WHERE key = 'version' AND ${sound("meta")}),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'stream'), 0),
       (SELECT coalesce(max(declaration_no), 0) FROM declaration),
       (SELECT value FROM meta WHERE key = 'eras' AND ${sound("meta")}), (SELECT created_at FROM subject WHERE subject_id = ?)`,
  );
  statement.setReturnArrays(true);
  return statement.get(subject) as unknown as CopiedRow;
}

/** The declaration counter is not written, because it is the number of the last declaration. */
function putHead(
  records: DatabaseSync,
  subject: string,
  [epoch, version, streams, , eras, createdAt]: CopiedRow,
): void {
  const set = records.prepare(
    `UPDATE meta SET value = CAST(?2 AS INTEGER), sum = ${sumOf("meta", { value: "CAST(?2 AS INTEGER)" })} WHERE key = ?1`,
  );
  set.run("epoch", epoch!);
  set.run("version", version!);
  if (eras !== null) records.prepare(`INSERT ${insertInto("meta")}`).run("eras", eras!);
  if (streams !== 0) records.prepare("INSERT INTO sqlite_sequence VALUES ('stream', ?)").run(streams!);
  records.prepare(`INSERT ${insertInto("subject")}`).run(subject, createdAt!);
}
