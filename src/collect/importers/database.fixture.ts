// A SQLite database in memory, for tests of importers that read databases of other programs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export function databaseBytes(sql: string, fill: (database: DatabaseSync) => void = () => undefined): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  try {
    const database = new DatabaseSync(join(folder, "db"));
    database.exec(`BEGIN; ${sql}`);
    fill(database);
    database.exec("COMMIT");
    database.close();
    return readFileSync(join(folder, "db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
