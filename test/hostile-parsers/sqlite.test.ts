// Malicious SQLite files: code in their schema never runs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { pdpp } from "../pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-bombs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BOMBS: Record<string, string> = {
  time: "instr(hex(zeroblob(20000000)), hex(zeroblob(10000000)) || '1')",
  memory: "hex(zeroblob(400000000))",
};

function bomb(name: string): string {
  const path = join(folder, `${name}.db`);
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
    INSERT INTO notes (id, text) VALUES (1, 'one'), (2, 'two');
    ALTER TABLE notes ADD COLUMN bomb GENERATED ALWAYS AS (${BOMBS[name]}) VIRTUAL;
    CREATE VIEW seen AS SELECT ${BOMBS[name]} AS bomb;
    CREATE VIRTUAL TABLE found USING fts5(text);
  `);
  database.close();
  return path;
}

test.each(Object.keys(BOMBS))(
  "G-05 a generated column and a view that cost %s are skipped, and the rows are imported",
  async (name) => {
    const path = bomb(name);
    const home = join(folder, `home-${name}`);
    const plan = await pdpp(["import", path, "--home", home, "--plan"]);
    expect(plan.stdout).toContain("warning: Generated columns of notes are not imported");
    expect(plan.stdout).toMatch(/from the file: bomb$/m);
    const { code, stdout } = await pdpp(["import", path, "--home", home, "--json"]);
    const counts = JSON.parse(stdout.trim().split("\n").at(-1)!) as object;
    expect(counts).toMatchObject({ imported: 2, changed: 0, unchanged: 0, skipped: 0, failed: 0 });
    expect(code).toBe(0);
  },
);
