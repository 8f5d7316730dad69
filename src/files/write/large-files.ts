// A table of the largest files of the whole tree, in order, above some size. It turns the most common question into a
// lookup.
import type { DatabaseSync } from "node:sqlite";
import { dirOfLeaf } from "../index-schema.ts";
import { asBuffer } from "../leaf.ts";
import { eachLarger, numberOf } from "../leaf-decode.ts";

/** The table contains one file in fifty, within these limits. */
const SHARE = 50;
const COUNT = { least: 500, most: 10_000 } as const;

export class LargeFiles {
  readonly #database: DatabaseSync;
  /** Used during a first scan. A rescan changes the table directly. */
  #collected: Collected | undefined;

  constructor(database: DatabaseSync, isNew: boolean) {
    this.#database = database;
    if (isNew) this.#collected = new Collected();
  }

  /** Adds a directory that was read or has changed. `biggest` is the size of its largest file. */
  take(dir: number, leaves: readonly Buffer[], biggest: number, isKnown: boolean): void {
    if (this.#collected !== undefined) {
      if (biggest > this.#collected.above) for (const leaf of leaves) this.#collected.add(dir, leaf);
      return;
    }
    if (isKnown) this.drop(dir);
    const above = this.#above();
    if (above === undefined || biggest <= above) return;
    const insert = this.#database.prepare("INSERT INTO large VALUES (?, ?, ?)");
    for (const leaf of leaves) eachLarger(leaf, above, (index, size) => insert.run(size, dir, numberOf(leaf, index)));
  }

  drop(dir: number): void {
    if (this.#collected === undefined) this.#database.prepare("DELETE FROM large WHERE dir = ?").run(dir);
  }

  /**
   * Called at the end of a scan. Writes the collected files to the table, or rebuilds a table that has grown or shrunk
   * too much.
   */
  complete(files: number): void {
    const wanted = Math.max(COUNT.least, Math.min(COUNT.most, Math.ceil(files / SHARE)));
    if (this.#collected === undefined) {
      const { count } = this.#database.prepare("SELECT count(*) AS count FROM large").get() as { count: number };
      const above = this.#above();
      if (above !== undefined && count <= wanted * 4 && (count * 4 >= wanted || above < 0)) return;
      this.#collected = this.#collectAgain();
    }
    const collected = this.#collected;
    collected.cut(wanted);
    this.#database.exec("DELETE FROM large");
    const insert = this.#database.prepare("INSERT INTO large VALUES (?, ?, ?)");
    for (const place of collected.order())
      insert.run(collected.sizes[place]!, collected.dirs[place]!, collected.numbers[place]!);
    this.#database.prepare("INSERT OR REPLACE INTO meta VALUES ('large_above', ?)").run(collected.above);
    this.#collected = undefined;
  }

  #collectAgain(): Collected {
    const collected = new Collected();
    const statement = this.#database.prepare("SELECT key, body FROM leaf");
    for (const { key, body } of statement.iterate() as Iterable<{ key: number; body: Uint8Array }>)
      collected.add(dirOfLeaf(key), asBuffer(body));
    return collected;
  }

  /** Returns the size above which all files are in the table, or -1 if the table contains all files. */
  #above(): number | undefined {
    return this.#database.prepare("SELECT value FROM meta WHERE key = 'large_above'").get()?.value as
      | number
      | undefined;
  }
}

/** Collects all files that are larger than the cutoff. */
class Collected {
  readonly sizes = new Float64Array(COUNT.most * 4);
  readonly dirs = new Uint32Array(COUNT.most * 4);
  readonly numbers = new Uint32Array(COUNT.most * 4);
  above = -1;
  #count = 0;

  add(dir: number, leaf: Buffer): void {
    eachLarger(leaf, this.above, (index, size) => {
      if (this.#count === this.sizes.length) this.cut(COUNT.most);
      if (size <= this.above) return;
      this.sizes[this.#count] = size;
      this.dirs[this.#count] = dir;
      this.numbers[this.#count++] = numberOf(leaf, index);
    });
  }

  /** Keeps at most this many files, and either all or none of the files of equal size. */
  cut(wanted: number): void {
    if (this.#count <= wanted) return;
    const sorted = this.sizes.slice(0, this.#count).sort();
    this.above = sorted[this.#count - wanted - 1]!;
    let kept = 0;
    for (let index = 0; index < this.#count; index++) {
      if (this.sizes[index]! <= this.above) continue;
      this.sizes[kept] = this.sizes[index]!;
      this.dirs[kept] = this.dirs[index]!;
      this.numbers[kept++] = this.numbers[index]!;
    }
    this.#count = kept;
  }

  /** Returns positions in table order, so that inserts append to the table. */
  order(): number[] {
    const { sizes, dirs, numbers } = this;
    return [...sizes.subarray(0, this.#count).keys()].sort(
      (one, other) => sizes[other]! - sizes[one]! || dirs[one]! - dirs[other]! || numbers[one]! - numbers[other]!,
    );
  }
}
