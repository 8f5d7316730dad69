// Writes blocks into the index: leaves immediately, and directory rows with each commit. Ids and numbers survive
// rescans.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { lastLeafKey, leafKey, openIndex } from "../index-schema.ts";
import { asBuffer } from "../leaf.ts";
import { dirNames } from "../leaf-decode.ts";
import { setFirstDirId } from "../leaf-encode.ts";
import type { DirBlock } from "../scan/messages.ts";
import { type BulkInsert, bulkInsert } from "./bulk-insert.ts";
import { type DirRows, dirRows, loadSums } from "./dir-rows.ts";
import { Identities } from "./identity.ts";
import { LargeFiles } from "./large-files.ts";
import { mergeLeaves } from "./merge.ts";
import { type SeveralNamesTable, severalNamesTable } from "./several-names.ts";
import { addDir, drop, newTree, ROOT_ID, rollUp, type Tree, touch } from "./tree.ts";

/** Most directories have no subdirectories. */
const NO_IDS = new Uint32Array(0);
/** How many past scans are kept for comparison. */
const SCANS_KEPT = 200;

export interface ScanRecord {
  jobId: string;
  mode: string;
  startedAt: number;
  endedAt: number;
  readDirs: number;
}

export class IndexWriter {
  readonly database: DatabaseSync;
  readonly tree: Tree = newTree();
  /** The number of this scan. */
  readonly scan: number;
  readonly #identities: Identities;
  readonly #leaves: BulkInsert;
  readonly #rows: DirRows;
  readonly #several: SeveralNamesTable;
  readonly #large: LargeFiles;
  readonly #problems: BulkInsert;
  /** Directories that had disappeared when their parent was read. */
  readonly #gone: number[] = [];
  /** Totals are loaded when the first directory is read, because most rescans find nothing to read. */
  #hasSums = false;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, pages?: number) {
    this.database = openIndex(path, { write: true, pages });
    this.#identities = new Identities(this.database);
    this.#leaves = bulkInsert(this.database, "leaf (key, body)", 2);
    this.#rows = dirRows(this.database);
    this.#several = severalNamesTable(this.database);
    this.#problems = bulkInsert(this.database, "problem (dir, no, text)", 3);
    this.scan = this.#number("SELECT coalesce(max(no), 0) + 1 FROM scan");
    // Readers never see the state between two commits, so a complete index changes only when the whole rescan is done.
    this.database.exec("BEGIN IMMEDIATE");
    this.#identities.load(this.tree);
    this.#large = new LargeFiles(this.database, this.tree.next === ROOT_ID);
  }

  /** True if a complete index is being updated. */
  get isRescan(): boolean {
    return this.scan > 1;
  }

  /** The counts of the last completed scan. */
  get previous(): { nodes: number; dirs: number } | undefined {
    const row = this.database.prepare("SELECT files, dirs FROM scan ORDER BY no DESC LIMIT 1").get();
    if (row === undefined) return undefined;
    const { files, dirs } = row as { files: number; dirs: number };
    return { nodes: files + dirs, dirs };
  }

  /** Adds the root, which has an empty name. */
  addRoot(): void {
    this.#identities.change(addDir(this.tree, 0, Buffer.alloc(0)));
  }

  /** Stores a directory that was read, and returns the ids of its subdirectories. */
  take(id: number, block: DirBlock): Uint32Array {
    const { tree } = this;
    if (!this.#hasSums) loadSums(this.database, tree);
    this.#hasSums = true;
    this.#identities.change(id);
    const known = tree.state[id] !== 0;
    tree.state[id] = block.state;
    tree.dev[id] = block.dev;
    tree.ino[id] = block.ino;
    tree.mtime[id] = block.mtime;
    tree.ctime[id] = block.ctime;
    tree.ownFiles[id] = block.files;
    tree.ownDirs[id] = block.dirs;
    tree.ownSize[id] = block.size;
    tree.ownAllocated[id] = block.allocated;
    tree.ownBiggest[id] = block.biggest;
    tree.ownNewest[id] = block.newest;
    touch(tree, id);
    if (known) this.#clearRemarks(id);
    tree.ownProblems[id] = block.problems.length;
    for (const [no, [, text]] of block.problems.entries()) this.#problems.add([id, no, text]);
    return known ? this.#replace(id, block) : this.#add(id, block);
  }

  #add(id: number, { leaves, dirs, severalNames, files, biggest }: DirBlock): Uint32Array {
    const ids = dirs === 0 ? NO_IDS : new Uint32Array(dirs);
    let given = 0;
    for (let part = 0; part < leaves.length; part++) {
      const leaf = leaves[part]!;
      const names = dirNames(leaf);
      const first = this.#adopt(id, names);
      for (let index = 0; index < names.length; index++) ids[given++] = first + index;
      setFirstDirId(leaf, first);
      this.#leaves.add([leafKey(id, part), leaf]);
    }
    this.tree.numbered[id] = files + dirs;
    for (const file of severalNames) this.#several.add(id, file.index, file);
    this.#large.take(id, leaves, biggest, false);
    return ids;
  }

  /** Gives new directories under a parent consecutive ids. */
  #adopt(parent: number, names: readonly Buffer[]): number {
    const first = this.tree.next;
    for (const name of names) this.#identities.change(addDir(this.tree, parent, name));
    return first;
  }

  #replace(id: number, block: DirBlock): Uint32Array {
    const { tree } = this;
    this.#leaves.flush();
    const merged = mergeLeaves({
      before: leavesOf(this.database, id),
      after: block.leaves,
      numbered: tree.numbered[id]!,
      adopt: (names) => this.#adopt(id, names),
    });
    tree.numbered[id] = merged.numbered;
    if (merged.leaves !== undefined) {
      this.#run("DELETE FROM leaf WHERE key BETWEEN ? AND ?", leafKey(id, 0), lastLeafKey(id));
      for (const [part, leaf] of merged.leaves.entries()) this.#leaves.add([leafKey(id, part), leaf]);
      this.#large.take(id, merged.leaves, block.biggest, true);
    }
    for (const file of block.severalNames) this.#several.add(id, merged.numbers[file.index]!, file);
    for (const gone of merged.gone) this.#gone.push(gone);
    if (this.isRescan) {
      const note = "INSERT OR IGNORE INTO past_file VALUES (?, ?, ?, ?, ?)";
      for (const { number, size, time } of merged.changed) this.#run(note, id, number, this.scan, size, time);
    }
    return merged.dirIds;
  }

  #clearRemarks(id: number): void {
    this.#problems.flush();
    this.#several.clear(id);
    if (this.tree.ownProblems[id]! > 0) this.#run("DELETE FROM problem WHERE dir = ?", id);
  }

  /** Commits the totals so far, so that readers see them while a first scan runs. */
  commit(): void {
    this.#store();
    this.database.exec("COMMIT");
    this.database.exec("BEGIN IMMEDIATE");
  }

  /** Makes everything added so far readable by this thread. */
  flush(): void {
    if (this.#hasSums) this.#store();
  }

  /** Finishes the scan: stores the totals and the scan record, and deletes the oldest history. */
  complete({ jobId, mode, startedAt, endedAt, readDirs }: ScanRecord): void {
    if (this.#hasSums) {
      this.#removeGone();
      this.#several.count(this.tree);
      this.#store();
      this.#large.complete(this.tree.files[ROOT_ID]!);
    }
    this.#run(
      `INSERT INTO scan SELECT ?, ?, ?, ?, ?, files, dirs, size, allocated, problems, ? FROM dir WHERE id = ${ROOT_ID}`,
      this.scan,
      jobId,
      mode,
      startedAt,
      endedAt,
      readDirs,
    );
    this.#run("DELETE FROM past WHERE scan <= ?", this.scan - SCANS_KEPT);
    this.#run("DELETE FROM past_file WHERE scan <= ?", this.scan - SCANS_KEPT);
    this.#run("DELETE FROM scan WHERE no <= ?", this.scan - SCANS_KEPT);
    this.database.exec("COMMIT");
  }

  /** The totals of the whole tree, once it is complete. */
  totals(): { files: number; dirs: number; bytes: number; problems: number } {
    const row = this.database.prepare(`SELECT files, dirs, size, problems FROM dir WHERE id = ${ROOT_ID}`).get()!;
    const { files, dirs, size: bytes, problems } = row as Record<string, number>;
    return { files: files!, dirs: dirs!, bytes: bytes!, problems: problems! };
  }

  #store(): void {
    this.#removeGone();
    this.#leaves.flush();
    this.#problems.flush();
    rollUp(this.tree);
    this.#rows.store(this.tree, this.isRescan ? this.scan : undefined);
    this.#identities.store(this.tree);
  }

  #removeGone(): void {
    if (this.#gone.length === 0) return;
    this.#leaves.flush();
    const gone = drop(this.tree, this.#gone.splice(0));
    for (const id of gone) {
      this.#identities.change(id);
      this.#large.drop(id);
      this.#several.clear(id);
      this.#run("DELETE FROM leaf WHERE key BETWEEN ? AND ?", leafKey(id, 0), lastLeafKey(id));
      this.#run("DELETE FROM problem WHERE dir = ?", id);
      this.#run("DELETE FROM followed WHERE dir = ?", id);
    }
    this.#rows.remove(gone, this.isRescan ? this.scan : undefined);
  }

  meta(key: string): unknown {
    return this.database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value;
  }

  setMeta(key: string, value: SQLInputValue): void {
    this.#run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value);
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    statement.run(...values);
  }

  #number(sql: string): number {
    return Object.values(this.database.prepare(sql).get()!)[0] as number;
  }

  /** Discards uncommitted changes. */
  close(): void {
    if (this.database.isTransaction) this.database.exec("ROLLBACK");
    try {
      this.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The disk is full. Committed data is in the log, and SQLite moves it once there is space.
    }
    this.database.close();
  }
}

function leavesOf(database: DatabaseSync, dir: number): Buffer[] {
  return database
    .prepare("SELECT body FROM leaf WHERE key BETWEEN ? AND ? ORDER BY key")
    .all(leafKey(dir, 0), lastLeafKey(dir))
    .map(({ body }) => asBuffer(body as Uint8Array));
}
