// Files with several names (hard links). Each file is counted once, under the name with the smallest id and number.
import type { DatabaseSync } from "node:sqlite";
import type { SeveralNames } from "../scan/messages.ts";
import { bulkInsert } from "./bulk-insert.ts";
import { type Tree, touch } from "./tree.ts";

export interface SeveralNamesTable {
  add(dir: number, number: number, file: SeveralNames): void;
  /** Removes the names in a directory from the table. */
  clear(dir: number): void;
  /** If anything has changed, adds each file's size to the directory in which the file is counted. */
  count(tree: Tree): void;
}

export function severalNamesTable(database: DatabaseSync): SeveralNamesTable {
  const insert = bulkInsert(database, "several (dev, ino, dir, number, size, allocated)", 6);
  const remove = database.prepare("DELETE FROM several WHERE dir = ?");
  const all = database.prepare("SELECT dev, ino, dir, size, allocated FROM several ORDER BY dev, ino, dir, number");
  all.setReturnArrays(true);
  all.setReadBigInts(true);
  let changed = false;
  return {
    add(dir, number, { dev, ino, size, allocated }) {
      changed = true;
      insert.add([dev, BigInt.asIntN(64, ino), dir, number, size, allocated]);
    },
    clear(dir) {
      insert.flush();
      if (remove.run(dir).changes !== 0) changed = true;
    },
    count(tree) {
      if (!changed) return;
      changed = false;
      insert.flush();
      const before = { size: tree.linkedSize.slice(0, tree.next), allocated: tree.linkedAllocated.slice(0, tree.next) };
      tree.linkedSize.fill(0);
      tree.linkedAllocated.fill(0);
      let [lastDev, lastIno] = [-1n, 0n];
      for (const row of all.iterate() as unknown as Iterable<[bigint, bigint, bigint, number, number]>) {
        const [dev, ino, dir, size, allocated] = row;
        if (dev === lastDev && ino === lastIno) continue;
        [lastDev, lastIno] = [dev, ino];
        tree.linkedSize[Number(dir)]! += Number(size);
        tree.linkedAllocated[Number(dir)]! += Number(allocated);
      }
      for (let id = 1; id < tree.next; id++) {
        if (tree.linkedSize[id] !== before.size[id] || tree.linkedAllocated[id] !== before.allocated[id])
          touch(tree, id);
      }
    },
  };
}
