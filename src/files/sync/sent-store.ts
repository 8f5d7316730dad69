// Remembers which entries of each directory were sent as records, so that only changes are sent later.
import type { DatabaseSync } from "node:sqlite";
import { newIdKey } from "../../engine/write/id-keys.ts";
import { openDatabase } from "../../store/sqlite/database.ts";
import { dirOfLeaf, lastLeafKey, leafKey } from "../index-schema.ts";

/** Element n migrates the database from version n to n + 1. Never edit a released one; add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
  -- Leaves as they were in the index when they were sent. texted is 1 if the text of their files was sent too.
  CREATE TABLE sent (key INTEGER PRIMARY KEY, body BLOB NOT NULL, texted INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX sent_without_text ON sent (key) WHERE texted = 0;
  -- Files that were searched for text, with their size and time at that moment. there is 1 if the text has a record.
  CREATE TABLE text_sent (
    dir INTEGER NOT NULL, number INTEGER NOT NULL, size REAL NOT NULL, time REAL NOT NULL, there INTEGER NOT NULL,
    PRIMARY KEY (dir, number)
  ) STRICT, WITHOUT ROWID;
  `,
];

export interface LeafRow {
  key: number;
  body: Uint8Array;
}

export interface TextRow {
  number: number;
  size: number;
  time: number;
  there: number;
}

/** A directory whose records have all been stored. */
export interface SentDir {
  dir: number;
  leaves: readonly LeafRow[];
}

export interface SentTexts {
  dir: number;
  rows: readonly TextRow[];
  /** True if these are all the texts of the directory. */
  whole: boolean;
}

export class SentStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openDatabase({ path, migrations: MIGRATIONS, synchronous: "NORMAL", cacheMegabytes: 4 });
    this.#database.exec("PRAGMA wal_autocheckpoint = 1000");
  }

  /** The connection and index that the records were sent for, or undefined if none were sent yet. */
  get target(): string | undefined {
    return this.#database.prepare("SELECT value FROM meta WHERE key = 'target'").get()?.value as string | undefined;
  }

  /** The secret key for the ids of the sent records. `begin` creates it. */
  get idKey(): string {
    return this.#database.prepare("SELECT value FROM meta WHERE key = 'id_key'").get()!.value as string;
  }

  /** Deletes the notes about records that were sent to another target. */
  begin(target: string): void {
    this.#transaction(() => {
      this.#database.exec("DELETE FROM sent; DELETE FROM text_sent");
      const put = this.#database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
      put.run("target", target);
      put.run("id_key", newIdKey());
    });
  }

  /** Returns the ids of the directories that differ from what was sent, including deleted ones. */
  changedDirs(indexPath: string): number[] {
    this.#database.prepare("ATTACH ? AS ix").run(indexPath);
    try {
      return this.#dirs(`
        SELECT leaf.key FROM ix.leaf AS leaf LEFT JOIN sent ON sent.key = leaf.key WHERE sent.body IS NOT leaf.body
        UNION ALL
        SELECT sent.key FROM sent LEFT JOIN ix.leaf AS leaf ON leaf.key = sent.key WHERE leaf.key IS NULL
        ORDER BY 1`);
    } finally {
      this.#database.exec("DETACH ix");
    }
  }

  /** Returns the directories whose texts must still be extracted or removed. */
  dirsWithoutText(): number[] {
    const open = this.#dirs("SELECT key FROM sent WHERE texted = 0 ORDER BY key");
    const statement = this.#database.prepare(`
      SELECT DISTINCT dir FROM text_sent
      WHERE NOT EXISTS (SELECT 1 FROM sent WHERE key BETWEEN dir * ${leafKey(1, 0)} AND dir * ${leafKey(1, 0)} + ${leafKey(1, 0) - 1})`);
    return [...statement.all().map(({ dir }) => dir as number), ...open];
  }

  leaves(dir: number): Uint8Array[] {
    return this.#database
      .prepare("SELECT body FROM sent WHERE key BETWEEN ? AND ? ORDER BY key")
      .all(leafKey(dir, 0), lastLeafKey(dir))
      .map(({ body }) => body as Uint8Array);
  }

  texts(dir: number): TextRow[] {
    return this.#database
      .prepare("SELECT number, size, time, there FROM text_sent WHERE dir = ?")
      .all(dir) as unknown as TextRow[];
  }

  /** True if texts of any files were processed. */
  get hasTexts(): boolean {
    return this.#database.prepare("SELECT 1 FROM text_sent LIMIT 1").get() !== undefined;
  }

  keep(dirs: readonly SentDir[]): void {
    const remove = this.#database.prepare("DELETE FROM sent WHERE key BETWEEN ? AND ?");
    const insert = this.#database.prepare("INSERT INTO sent (key, body) VALUES (?, ?)");
    this.#transaction(() => {
      for (const { dir, leaves } of dirs) {
        remove.run(leafKey(dir, 0), lastLeafKey(dir));
        for (const { key, body } of leaves) insert.run(key, body);
      }
    });
  }

  keepTexts(dirs: readonly SentTexts[]): void {
    const remove = this.#database.prepare("DELETE FROM text_sent WHERE dir = ?");
    const insert = this.#database.prepare("INSERT OR REPLACE INTO text_sent VALUES (?, ?, ?, ?, ?)");
    const mark = this.#database.prepare("UPDATE sent SET texted = 1 WHERE key BETWEEN ? AND ?");
    this.#transaction(() => {
      for (const { dir, rows, whole } of dirs) {
        if (whole) remove.run(dir);
        for (const { number, size, time, there } of rows) insert.run(dir, number, size, time, there);
        if (whole) mark.run(leafKey(dir, 0), lastLeafKey(dir));
      }
    });
  }

  /** `name` identifies the recognition available now. If it has changed, files without text are processed again. */
  recognise(name: string): void {
    const before = this.#database.prepare("SELECT value FROM meta WHERE key = 'recognition'").get()?.value ?? "none";
    if (before === name) return;
    this.#transaction(() => {
      this.#database.exec("DELETE FROM text_sent WHERE there = 0; UPDATE sent SET texted = 0 WHERE texted = 1");
      this.#database.prepare("INSERT OR REPLACE INTO meta VALUES ('recognition', ?)").run(name);
    });
  }

  forgetTexts(): void {
    this.#transaction(() => this.#database.exec("DELETE FROM text_sent; UPDATE sent SET texted = 0 WHERE texted = 1"));
  }

  close(): void {
    this.#database.close();
  }

  /** Returns the directories of sorted leaf keys, without duplicates. */
  #dirs(sql: string): number[] {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const dirs: number[] = [];
    for (const [key] of statement.iterate() as unknown as Iterable<[number]>) {
      const dir = dirOfLeaf(key);
      if (dirs.at(-1) !== dir) dirs.push(dir);
    }
    return dirs;
  }

  #transaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}
