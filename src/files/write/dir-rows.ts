// Writes directory rows from the tree to the index, and loads them again for a rescan.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { bulkInsert } from "./bulk-insert.ts";
import { MARK, nameOfDir, ROOT_ID, type Tree } from "./tree.ts";

/** The columns, in table order. */
const COLUMNS = [
  "id",
  "parent",
  "name",
  "depth",
  "state",
  "numbered",
  "own_files",
  "own_dirs",
  "own_size",
  "own_allocated",
  "own_biggest",
  "own_newest",
  "own_problems",
  "linked_size",
  "linked_allocated",
  "files",
  "dirs",
  "size",
  "allocated",
  "biggest",
  "newest",
  "problems",
] as const;

/** How many columns at the start never change: id, parent, name and depth. */
const FIXED = 4;

export interface DirRows {
  /** Writes every changed directory that was read. `past` is the scan for which the previous totals are recorded. */
  store(tree: Tree, past: number | undefined): void;
  remove(ids: readonly number[], past: number | undefined): void;
}

export function dirRows(database: DatabaseSync): DirRows {
  const insert = bulkInsert(database, `dir (${COLUMNS.join(", ")})`, COLUMNS.length);
  const changing = COLUMNS.slice(FIXED).map((column) => `${column} = ?`);
  const update = database.prepare(`UPDATE dir SET ${changing.join(", ")} WHERE id = ?`);
  const remember = database.prepare(`
    INSERT OR IGNORE INTO past (dir, scan, files, dirs, size, allocated)
    SELECT id, ?, files, dirs, size, allocated FROM dir
    WHERE id = ? AND (files <> ? OR dirs <> ? OR size <> ? OR allocated <> ?)`);
  const rememberNew = database.prepare("INSERT OR IGNORE INTO past (dir, scan) VALUES (?, ?)");
  const rememberGone = database.prepare(`
    INSERT INTO past (dir, scan, files, dirs, size, allocated, parent, name)
    SELECT id, ?, files, dirs, size, allocated, parent, name FROM dir WHERE id = ?`);
  const remove = database.prepare("DELETE FROM dir WHERE id = ?");
  return {
    store(tree, past) {
      const { marks, state, files, dirs, size, allocated } = tree;
      for (let id = ROOT_ID; id < tree.next; id++) {
        if ((marks[id]! & MARK.touched) === 0) continue;
        marks[id]! &= ~MARK.touched;
        if (state[id] === 0) continue;
        const row = rowOf(tree, id);
        if ((marks[id]! & MARK.stored) !== 0) {
          if (past !== undefined) remember.run(past, id, files[id]!, dirs[id]!, size[id]!, allocated[id]!);
          update.run(...row.slice(FIXED), id);
          continue;
        }
        insert.add(row);
        marks[id]! |= MARK.stored;
        if (past !== undefined) rememberNew.run(id, past);
      }
      insert.flush();
    },
    remove(ids, past) {
      for (const id of ids) {
        if (past !== undefined) rememberGone.run(past, id);
        remove.run(id);
      }
    },
  };
}

function rowOf(tree: Tree, id: number): SQLInputValue[] {
  return [
    id,
    tree.parent[id]!,
    nameOfDir(tree, id),
    tree.depth[id]!,
    tree.state[id]!,
    tree.numbered[id]!,
    tree.ownFiles[id]!,
    tree.ownDirs[id]!,
    tree.ownSize[id]!,
    tree.ownAllocated[id]!,
    tree.ownBiggest[id]!,
    tree.ownNewest[id]!,
    tree.ownProblems[id]!,
    tree.linkedSize[id] === 0 ? null : tree.linkedSize[id]!,
    tree.linkedAllocated[id] === 0 ? null : tree.linkedAllocated[id]!,
    tree.files[id]!,
    tree.dirs[id]!,
    tree.size[id]!,
    tree.allocated[id]!,
    tree.biggest[id]!,
    tree.newest[id]!,
    tree.problems[id]!,
  ];
}

/** Loads the totals of all directories. A rescan needs them as soon as it finds a change. */
export function loadSums(database: DatabaseSync, tree: Tree): void {
  const statement = database.prepare(`
    SELECT id, numbered, own_files, own_dirs, own_size, own_allocated, own_biggest, own_newest, own_problems,
      linked_size, linked_allocated
    FROM dir`);
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as unknown as Iterable<(number | null)[]>) {
    const id = row[0]!;
    tree.numbered[id] = row[1]!;
    tree.ownFiles[id] = row[2]!;
    tree.ownDirs[id] = row[3]!;
    tree.ownSize[id] = row[4]!;
    tree.ownAllocated[id] = row[5]!;
    tree.ownBiggest[id] = row[6]!;
    tree.ownNewest[id] = row[7]!;
    tree.ownProblems[id] = row[8]!;
    tree.linkedSize[id] = row[9] ?? 0;
    tree.linkedAllocated[id] = row[10] ?? 0;
    tree.marks[id] = MARK.stored;
  }
}
