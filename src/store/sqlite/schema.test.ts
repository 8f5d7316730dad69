// Tests that data from older versions of a home is migrated.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { History } from "../../core/history.ts";
import { INGESTED, OLD_RECORDS } from "../old-emissions.fixture.ts";
import { openDatabase } from "./database.ts";
import { insertInto, soundRow, summedRow } from "./row-sums.ts";
import { MIGRATIONS } from "./schema.ts";

it("G-02 records of an older version get correct emission times, in their history too", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-format-"));
  const options = { path: join(folder, "records.db"), synchronous: "NORMAL" } as const;
  const step = MIGRATIONS.records.findIndex((sql) => sql.includes("emitted_when_ingested"));
  try {
    const old = openDatabase({ ...options, migrations: MIGRATIONS.records.slice(0, step) });
    const insert = old.prepare(
      "INSERT INTO record (version, stream_no, id, emitted_at, ingested_at, data, origin, history) VALUES (?, 1, ?, ?, ?, ?, ?, ?)",
    );
    for (const [version, { id, emittedAt, data, origin, history }] of OLD_RECORDS.entries())
      insert.run(version + 1, id, emittedAt, INGESTED, data, origin, history);
    old.exec(`UPDATE record SET sum = ${summedRow("record")}`);
    old.close();

    const database = openDatabase({ ...options, migrations: MIGRATIONS.records });
    const rows = database.prepare(`SELECT * FROM record WHERE ${soundRow("record")} ORDER BY version`).all();
    database.close();
    for (const [index, { id, expected, data, origin, history }] of OLD_RECORDS.entries()) {
      expect(rows[index], id).toMatchObject({ id, emitted_at: expected, ingested_at: INGESTED, data, origin });
      if (history === null || expected !== INGESTED) expect(rows[index]!.history, id).toBe(history);
      else {
        const before = JSON.parse(history) as History;
        const after = JSON.parse(rows[index]!.history as string) as History;
        const stamps = ({ fields, life }: History) => [...Object.values(fields), ...life.map(([stamp]) => stamp)];
        expect(stamps(after), id).toEqual(stamps(before).map(([version, , at, from]) => [version, at, at, from]));
        expect(Object.keys(after.fields)).toEqual(Object.keys(before.fields));
        expect(after.life.map(([, ...rest]) => rest)).toEqual(before.life.map(([, ...rest]) => rest));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("G-01 connections of an older version are marked so that their records keep their ids", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-format-"));
  const options = { path: join(folder, "records.db"), synchronous: "NORMAL" } as const;
  const step = MIGRATIONS.records.findIndex((sql) => sql.includes("'id_key'"));
  try {
    const old = openDatabase({ ...options, migrations: MIGRATIONS.records.slice(0, step) });
    old.prepare(`INSERT ${insertInto("connection")}`).run("cin_1", "sub_1", "src", "Mine", 7);
    old.close();

    const database = openDatabase({ ...options, migrations: MIGRATIONS.records });
    const rows = database.prepare(`SELECT * FROM item WHERE ${soundRow("item")}`).all();
    database.close();
    expect(rows).toMatchObject([
      { subject_id: "sub_1", kind: "id_key", id: "cin_1", holder: "cin_1", created_at: 7, body: '{"key":null}' },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("D-06 sources of an older version get the registration time of their first declaration", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-format-"));
  const options = { path: join(folder, "records.db"), synchronous: "NORMAL" } as const;
  const step = MIGRATIONS.records.findIndex((sql) => sql.includes("source ADD COLUMN created_at"));
  try {
    const old = openDatabase({ ...options, migrations: MIGRATIONS.records.slice(0, step) });
    for (const at of [5, 9])
      old.exec(
        `INSERT INTO declaration (subject_id, source_id, body, registered_at) VALUES ('sub_1', 'src', '{}', ${at})`,
      );
    old.exec(`INSERT INTO source VALUES ('sub_1', 'src', 'mine', 2, row_sum('source', 'sub_1', 'src', 'mine', 2))`);
    old.close();

    const database = openDatabase({ ...options, migrations: MIGRATIONS.records });
    const rows = database.prepare(`SELECT * FROM source WHERE ${soundRow("source")}`).all();
    database.close();
    expect(rows).toMatchObject([{ source_id: "src", declaration_no: 2, created_at: 5 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
