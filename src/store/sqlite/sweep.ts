// Reads all of records.db, one slice at a time, and checks every row and table, so that damage is found even in rows
// that no app reads.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PdppError } from "../../contract/errors.ts";
import { damaged } from "../damage.ts";
import { prepareArrays, typedError } from "./database.ts";
import { noteDamage, recordIntact } from "./home-check.ts";
import { checkedVersions } from "./record-rows.ts";
import { defineSums, SUMMED_TABLES, soundRow } from "./row-sums.ts";
import { FILES } from "./sqlite-store.ts";

/** Takes a few milliseconds. */
const SLICE_ROWS = 500;

export class Sweep {
  readonly #home: string;
  readonly #database: DatabaseSync;
  readonly #steps: Iterator<void>;

  constructor(home: string) {
    this.#home = home;
    this.#database = new DatabaseSync(join(home, FILES.records), { readOnly: true, timeout: 1000 });
    defineSums(this.#database);
    this.#steps = steps(this.#database);
  }

  /** Checks the next slice, and returns true if more are left. The result is recorded in the home. */
  step(): boolean {
    try {
      if (!this.#steps.next().done) return true;
      recordIntact(this.#home);
    } catch (error) {
      const typed = typedError(error);
      if (!(typed instanceof PdppError)) throw typed;
      // A lock or an unavailable disk says nothing about the rows. The next sweep will check them.
      if (typed.code === "store_damaged" || typed.code === "storage_failed") noteDamage(this.#home, typed.message);
    }
    this.close();
    return false;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/**
 * Each slice has its own transaction. Without one, another connection's commit between two statements would look like
 * damage. A single long one would keep the log from being emptied.
 */
function* steps(database: DatabaseSync): Generator<void> {
  for (const table of SUMMED_TABLES.filter((name) => name !== "record")) {
    const [found] = database.prepare(`PRAGMA quick_check('${table}')`).all();
    if (found?.quick_check !== "ok") throw damaged(String(found?.quick_check ?? `the table ${table} is missing`));
    yield;
    prepareArrays(database, `SELECT count(*) FROM ${table} WHERE ${soundRow(table)}`).get();
    yield;
  }
  const slice = checkedVersions(database);
  for (let after: number | undefined = 0; after !== undefined; ) {
    database.exec("BEGIN");
    try {
      after = slice(after, SLICE_ROWS);
    } finally {
      database.exec("COMMIT");
    }
    yield;
  }
}
