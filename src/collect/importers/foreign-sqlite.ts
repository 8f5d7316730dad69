// SQLite files of other programs: a copy is opened, never the file itself, and nothing in its schema is trusted.
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import type { Entry } from "../entry.ts";

export type ForeignRow = Record<string, SQLOutputValue>;

export interface ForeignDatabase {
  /** Columns of each real table: no views and no virtual tables, which could do anything. */
  tables: ReadonlyMap<string, readonly string[]>;
  /** Whole numbers are bigints: times of some programs are larger than a double keeps. */
  rows(sql: string, ...parameters: SQLInputValue[]): IterableIterator<ForeignRow>;
  close(): Promise<void>;
}

export const isSqlite = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 16)).toString("latin1") === "SQLite format 3\0";

/** The log of a database in use lies beside it on disk, also when only the database itself was given. */
export async function logOf(entry: Entry): Promise<Entry | undefined> {
  const path = `${await entry.file()}-wal`;
  const size = await lstat(path).then(
    (facts) => (facts.isFile() ? facts.size : 0),
    () => 0,
  );
  if (size === 0) return undefined;
  return { path: `${entry.path}-wal`, size, open: () => createReadStream(path), file: async () => path };
}

/** Of a database that is in use, `wal` has what was written last. Throws when it is no database. */
export async function openForeign(entry: Entry, wal?: Entry): Promise<ForeignDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "postern-sqlite-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, "copy");
    await pipeline(Readable.from(entry.open()), createWriteStream(file, { mode: 0o600 }));
    if (wal !== undefined) await pipeline(Readable.from(wal.open()), createWriteStream(`${file}-wal`, { mode: 0o600 }));
    return opened(new DatabaseSync(file, { readOnly: true, allowExtension: false }), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** For a plan: the file itself, without a lock, a journal or a trace. What is being written to it may not be seen. */
export async function glanceForeign(entry: Entry): Promise<ForeignDatabase> {
  const address = pathToFileURL(await entry.file());
  address.searchParams.set("immutable", "1");
  return opened(new DatabaseSync(address, { readOnly: true, allowExtension: false }), async () => undefined);
}

function opened(database: DatabaseSync, closed: () => Promise<void>): ForeignDatabase {
  const close = async (): Promise<void> => {
    if (database.isOpen) database.close();
    await closed();
  };
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .all() as { name: string }[];
    const columns = database.prepare("SELECT name FROM pragma_table_info(?)");
    const tables = new Map(
      names.map(({ name }) => [name, columns.all(name).map((column) => String(column.name))] as const),
    );
    return {
      tables,
      rows(sql, ...parameters) {
        const statement = database.prepare(sql);
        statement.setReadBigInts(true);
        return statement.iterate(...parameters) as IterableIterator<ForeignRow>;
      },
      close,
    };
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}
