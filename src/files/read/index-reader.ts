// Reads one index: directories by id, entries by number, names and paths. Every lookup uses a key; none scans a table.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { firstWhere } from "../../core/binary-search.ts";
import { lastLeafKey, leafKey, openIndex } from "../index-schema.ts";
import { type NumberedEntries, nameAt, TYPE } from "../leaf.ts";
import { decodeLeaves } from "../leaf-decode.ts";
import { printable } from "../printable.ts";
import { parentsOf } from "../write/identity.ts";
import { ROOT_ID } from "../write/tree.ts";
import { type IndexColumns, loadColumns } from "./columns.ts";

export interface DirRow {
  id: number;
  parent: number;
  name: Uint8Array;
  depth: number;
  state: number;
  own_files: number;
  own_dirs: number;
  own_newest: number;
  files: number;
  dirs: number;
  size: number;
  allocated: number;
  biggest: number;
  newest: number;
  problems: number;
}

export type AncestorRow = Pick<DirRow, "id" | "parent" | "name">;

export interface UnreadDirs {
  count: number;
  /**
   * True if the directory is unread or contains an unread directory, or if it may still turn out to contain one because
   * the first scan is running. Its totals are then lower bounds.
   */
  isPartial: (dir: number) => boolean;
}

export interface RootFacts {
  mode: number;
  uid: number;
  gid: number;
  modified: number;
}

const DIR_COLUMNS =
  "id, parent, name, depth, state, own_files, own_dirs, own_newest, files, dirs, size, allocated, biggest, newest, problems";

/** How many unpacked directory entries are cached. A caller that pages through a directory soon reads it again. */
const KEPT_ENTRIES = 200_000;
const KEPT_PATHS = 10_000;

/** Columns take about 45 bytes per node, so they are dropped after this idle time. */
const COLUMNS_MS = 60_000;

export class IndexReader {
  readonly database: DatabaseSync;
  readonly no: number;
  readonly #dir: StatementSync;
  readonly #dirs: StatementSync;
  readonly #dirRow: StatementSync;
  readonly #leaves: StatementSync;
  readonly #version: StatementSync;
  readonly #target: StatementSync;
  readonly #problems: StatementSync;
  readonly #nameCount: StatementSync;
  readonly #several: StatementSync;
  readonly #large: StatementSync;
  readonly #branches: { biggest: StatementSync; size: StatementSync };
  readonly #kept = new Map<number, NumberedEntries>();
  readonly #paths = new Map<number, string>();
  #keptEntries = 0;
  #seen = -1;
  #parents: Uint32Array | undefined;
  #unread: UnreadDirs | undefined;
  #columns: IndexColumns | undefined;
  #dropColumns: NodeJS.Timeout | undefined;

  constructor(path: string, no: number) {
    this.no = no;
    this.database = openIndex(path);
    this.#dir = this.database.prepare(`SELECT ${DIR_COLUMNS} FROM dir WHERE id = ?`);
    this.#dirs = this.database.prepare(`SELECT ${DIR_COLUMNS} FROM dir WHERE id BETWEEN ? AND ?`);
    this.#dirRow = this.database.prepare("SELECT id, parent, name FROM dir WHERE id = ?");
    this.#leaves = this.database.prepare("SELECT body FROM leaf WHERE key BETWEEN ? AND ? ORDER BY key");
    this.#version = this.database.prepare("PRAGMA data_version");
    this.#large = this.database.prepare("SELECT dir, number FROM large ORDER BY size DESC, dir, number");
    this.#large.setReturnArrays(true);
    const branches = (column: string): StatementSync => {
      const statement = this.database.prepare(
        `SELECT id, ${column} FROM dir WHERE id BETWEEN ? AND ? AND ${column} >= ?`,
      );
      statement.setReturnArrays(true);
      return statement;
    };
    this.#branches = { biggest: branches("biggest"), size: branches("size") };
    this.#target = this.database.prepare("SELECT target FROM followed WHERE dir = ? AND number = ?");
    this.#problems = this.database.prepare("SELECT text FROM problem WHERE dir = ? ORDER BY no LIMIT 10");
    this.#nameCount = this.database.prepare(`
      SELECT count(*) AS count FROM several AS one JOIN several AS other ON other.dev = one.dev AND other.ino = one.ino
      WHERE one.dir = ? AND one.number = ?`);
    const first = (column: string): string =>
      `(SELECT ${column} FROM several AS other WHERE other.dev = one.dev AND other.ino = one.ino ORDER BY dir, number LIMIT 1)`;
    this.#several = this.database.prepare(
      `SELECT number, ${first("dir")} AS first_dir, ${first("number")} AS first_number FROM several AS one WHERE dir = ?`,
    );
  }

  /** Runs all reads of one call in one snapshot. */
  snapshot<T>(work: () => T): T {
    this.database.exec("BEGIN");
    try {
      // The first statement starts the snapshot.
      this.#dir.get(ROOT_ID);
      const version = this.#version.get()!.data_version as number;
      if (version !== this.#seen) {
        this.#kept.clear();
        this.#paths.clear();
        this.#parents = undefined;
        this.#unread = undefined;
        this.#keptEntries = 0;
        this.#seen = version;
      }
      return work();
    } finally {
      this.database.exec("COMMIT");
    }
  }

  /** Changes whenever the index changes. */
  get version(): number {
    return this.#seen;
  }

  /** The root's lstat when the last scan started. */
  get root(): RootFacts {
    const row = this.database.prepare("SELECT value FROM meta WHERE key = 'root'").get();
    return row === undefined
      ? { mode: TYPE.directory, uid: 0, gid: 0, modified: 0 }
      : (JSON.parse(row.value as string) as RootFacts);
  }

  dir(id: number): DirRow | undefined {
    return this.#dir.get(id) as DirRow | undefined;
  }

  /** Returns directory rows. Consecutive ids, which are common in a listing, are read in one step. */
  dirs(ids: ArrayLike<number>): Map<number, DirRow> {
    const rows = new Map<number, DirRow>();
    for (let from = 0; from < ids.length; ) {
      let to = from;
      while (to + 1 < ids.length && ids[to + 1] === ids[to]! + 1) to++;
      for (const row of this.#dirs.all(ids[from]!, ids[to]!) as unknown as DirRow[]) rows.set(row.id, row);
      from = to + 1;
    }
    return rows;
  }

  /** Returns the ids of these directories with one of their totals, if that total is at least `atLeast`. */
  branches(ids: ArrayLike<number>, column: "biggest" | "size", atLeast: number): [id: number, sum: number][] {
    const statement = this.#branches[column];
    const found: [number, number][] = [];
    for (let from = 0; from < ids.length; ) {
      let to = from;
      while (to + 1 < ids.length && ids[to + 1] === ids[to]! + 1) to++;
      for (const row of statement.all(ids[from]!, ids[to]!, atLeast) as unknown as [number, number][]) found.push(row);
      from = to + 1;
    }
    return found;
  }

  entries(dir: number): NumberedEntries {
    const kept = this.#kept.get(dir);
    if (kept !== undefined) return kept;
    const leaves = this.#leaves.all(leafKey(dir, 0), lastLeafKey(dir)).map(({ body }) => body as Uint8Array);
    const entries = decodeLeaves(leaves);
    if (entries.count > KEPT_ENTRIES) return entries;
    this.#keptEntries += entries.count + 1;
    this.#kept.set(dir, entries);
    for (const [old, { count }] of this.#kept) {
      if (this.#keptEntries <= KEPT_ENTRIES) break;
      this.#kept.delete(old);
      this.#keptEntries -= count + 1;
    }
    return entries;
  }

  /** Yields the files in the list of large files, largest first. */
  *largeFiles(): Generator<[dir: number, number: number]> {
    yield* this.#large.iterate() as unknown as Iterable<[number, number]>;
  }

  /** The parent of each directory, indexed by id. */
  parents(): Uint32Array {
    this.#parents ??= parentsOf(this.database);
    return this.#parents;
  }

  /**
   * Returns the printed names from the root down to a directory, separated by slashes. They are cached, because lists
   * share them.
   */
  pathText(id: number): string {
    const missing: AncestorRow[] = [];
    for (let at = id; at !== ROOT_ID && !this.#paths.has(at); ) {
      const row = this.#dirRow.get(at) as unknown as AncestorRow;
      missing.push(row);
      at = row.parent;
    }
    if (this.#paths.size > KEPT_PATHS) this.#paths.clear();
    let path = this.#paths.get(missing.at(-1)?.parent ?? id) ?? "";
    for (const row of missing.reverse()) {
      path = path === "" ? printable(row.name) : `${path}/${printable(row.name)}`;
      this.#paths.set(row.id, path);
    }
    return path;
  }

  /** Returns the directories that scans have found but not read. Homes are skipped on purpose and are not included. */
  unread(): UnreadDirs {
    if (this.#unread !== undefined) return this.#unread;
    const isComplete = this.database.prepare("SELECT 1 FROM scan LIMIT 1").get() !== undefined;
    // The same condition as in the index dir_unread.
    const rows = this.database.prepare("SELECT id, parent FROM dir WHERE state NOT IN (1, 5)").all();
    const partial = new Set<number>();
    for (const { id, parent } of rows as { id: number; parent: number }[]) {
      partial.add(id);
      for (
        let at = parent;
        at !== 0 && !partial.has(at);
        at = (this.#dirRow.get(at)?.parent as number | undefined) ?? 0
      )
        partial.add(at);
    }
    this.#unread = { count: rows.length, isPartial: (dir) => !isComplete || partial.has(dir) };
    return this.#unread;
  }

  /** Returns the target of a followed link. */
  target(dir: number, number: number): number | undefined {
    return this.#target.get(dir, number)?.target as number | undefined;
  }

  problems(dir: number): string[] {
    return this.#problems.all(dir).map(({ text }) => text as string);
  }

  /** Returns how many names a file has, or 0 if it has only one. */
  nameCount(dir: number, number: number): number {
    return (this.#nameCount.get(dir, number)?.count as number | undefined) ?? 0;
  }

  /**
   * Returns the hard-linked files in this directory: the number of each, with the directory and number under which the
   * file is counted.
   */
  severalIn(dir: number): Map<number, [dir: number, number: number]> {
    const rows = this.#several.all(dir) as { number: number; first_dir: number; first_number: number }[];
    return new Map(rows.map((row) => [row.number, [row.first_dir, row.first_number]]));
  }

  /** Returns the directories from the root down to this one, inclusive. */
  ancestors(id: number): AncestorRow[] {
    const rows: AncestorRow[] = [];
    for (let at = id; at !== 0; ) {
      const row = this.#dirRow.get(at) as AncestorRow | undefined;
      if (row === undefined) break;
      rows.push(row);
      at = row.parent;
    }
    return rows.reverse();
  }

  /** Returns the names from the root down to an entry, as bytes. */
  namesTo(dir: number, number: number): Uint8Array[] | undefined {
    const entries = this.entries(dir);
    const index = this.indexOfNumber(entries, number);
    if (index === -1) return undefined;
    return [
      ...this.ancestors(dir)
        .slice(1)
        .map(({ name }) => name),
      nameAt(entries, index),
    ];
  }

  /** Returns all nodes as columns, cached until the index changes or has been idle for a while. */
  columns(): IndexColumns {
    if (this.#columns?.version !== this.#seen) this.#columns = loadColumns(this.database, this.#seen);
    clearTimeout(this.#dropColumns);
    this.#dropColumns = setTimeout(() => {
      this.#columns = undefined;
    }, COLUMNS_MS).unref();
    return this.#columns!;
  }

  indexOfNumber(entries: NumberedEntries, number: number): number {
    // The index equals the number if the directory has never changed.
    if (entries.numbers[number] === number) return number;
    return entries.numbers.indexOf(number);
  }

  indexOfDir(entries: NumberedEntries, id: number): number {
    const guess = id - (entries.dirIds[0] ?? 0);
    return entries.dirIds[guess] === id ? guess : entries.dirIds.indexOf(id);
  }

  indexOfName(entries: NumberedEntries, name: Uint8Array): number {
    const found = find(entries, name, 0, entries.dirs);
    return found === -1 ? find(entries, name, entries.dirs, entries.count) : found;
  }

  close(): void {
    clearTimeout(this.#dropColumns);
    this.database.close();
  }
}

/** Relies on the order of entries: directories come first, then the others, each sorted by the bytes of their names. */
function find(entries: NumberedEntries, name: Uint8Array, from: number, to: number): number {
  const at = firstWhere(from, to, (index) => Buffer.compare(nameAt(entries, index), name) >= 0);
  return at < to && Buffer.compare(nameAt(entries, at), name) === 0 ? at : -1;
}
