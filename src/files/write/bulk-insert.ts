// Inserts many rows per statement, because one statement per row costs three times as much.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

export interface BulkInsert {
  add(...row: SQLInputValue[]): void;
  flush(): void;
}

const ROWS = 32;

export function bulkInsert(database: DatabaseSync, into: string, columns: number): BulkInsert {
  const row = `(${Array(columns).fill("?").join(", ")})`;
  const many = database.prepare(`INSERT INTO ${into} VALUES ${Array(ROWS).fill(row).join(", ")}`);
  const one = database.prepare(`INSERT INTO ${into} VALUES ${row}`);
  let waiting: SQLInputValue[] = [];
  return {
    add(...values) {
      for (const value of values) waiting.push(value);
      if (waiting.length < ROWS * columns) return;
      many.run(...waiting);
      waiting = [];
    },
    flush() {
      for (let at = 0; at < waiting.length; at += columns) one.run(...waiting.slice(at, at + columns));
      waiting = [];
    },
  };
}
