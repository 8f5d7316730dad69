// SQLite files of other programs. A run reads a copy, and reads only real tables and columns that are actually stored.
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openReadOnly } from "../../sandbox/read-only-database.ts";
import type { Entry } from "../entry.ts";

export type ForeignRow = Record<string, SQLOutputValue>;

export interface ForeignDatabase {
  /**
   * The ordinary columns of each real table. Views, virtual tables and generated columns would run code written by the
   * file's author.
   */
  tables: ReadonlyMap<string, readonly string[]>;
  /** The generated columns of each table that has any. They are skipped. */
  generated: ReadonlyMap<string, readonly string[]>;
  /** Integers are returned as bigints, because the times of some programs exceed the precision of a double. */
  rows(sql: string, ...parameters: SQLInputValue[]): IterableIterator<ForeignRow>;
  close(): Promise<void>;
}

export const isSqlite = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 16)).toString("latin1") === "SQLite format 3\0";

/** The write-ahead log of a database in use is next to it on disk, even if only the database itself was given. */
export async function logOf(entry: Entry): Promise<Entry | undefined> {
  const path = `${await entry.file()}-wal`;
  const size = await lstat(path).then(
    (facts) => (facts.isFile() ? facts.size : 0),
    () => 0,
  );
  if (size === 0) return undefined;
  return { path: `${entry.path}-wal`, size, open: () => createReadStream(path), file: async () => path };
}

/** For a database in use, `wal` contains the latest writes. Throws if the file is not a database. */
export async function openForeign(entry: Entry, wal?: Entry): Promise<ForeignDatabase> {
  const folder = await mkdtemp(join(process.env.TMPDIR ?? "/tmp", "postern-sqlite-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, "copy");
    await pipeline(Readable.from(entry.open()), createWriteStream(file, { mode: 0o600 }));
    if (wal !== undefined) await pipeline(Readable.from(wal.open()), createWriteStream(`${file}-wal`, { mode: 0o600 }));
    return opened(openReadOnly(file), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * For a plan: opens the original file without a lock or a journal, and leaves no trace. The latest writes may not be
 * visible.
 */
export async function openForeignForPlan(entry: Entry): Promise<ForeignDatabase> {
  return opened(openReadOnly(await entry.file(), { immutable: true }), async () => undefined);
}

function opened(database: DatabaseSync, closed: () => Promise<void>): ForeignDatabase {
  const close = async (): Promise<void> => {
    if (database.isOpen) database.close();
    await closed();
  };
  try {
    // Taken from the schema as SQLite parsed it, not from its text.
    const names = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all();
    const columns = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?) ORDER BY cid");
    const tables = new Map<string, string[]>();
    const generated = new Map<string, string[]>();
    for (const { name } of names) {
      const all = columns.all(name!);
      const namesOf = (found: typeof all): string[] => found.map((column) => String(column.name));
      tables.set(String(name), namesOf(all.filter(({ hidden }) => hidden === 0)));
      const left = namesOf(all.filter(({ hidden }) => hidden !== 0));
      if (left.length > 0) generated.set(String(name), left);
    }
    return {
      tables,
      generated,
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
