// Items: what parts of the server keep between their runs, found by id, by what they go with, and by when they are due.
import type { DatabaseSync } from "node:sqlite";
import type { JsonValue } from "../../contract/record.ts";
import type { ItemRow, ReadView, WriteView } from "../store.ts";
import { insertInto, sound, sumOf } from "./row-sums.ts";

const COLUMNS = "kind, id, holder, created_at, due_at, body";
const ALL = -1;

type ItemReads = Pick<ReadView, "item" | "items" | "dueItems">;

export function itemReads(database: DatabaseSync): ItemReads {
  const whole = sound("item");
  const one = database.prepare(`SELECT ${COLUMNS} FROM item WHERE subject_id = ? AND kind = ? AND id = ? AND ${whole}`);
  const of = database.prepare(
    `SELECT ${COLUMNS} FROM item WHERE subject_id = ? AND kind = ? AND ${whole} ORDER BY created_at DESC, id DESC LIMIT ?`,
  );
  const held = database.prepare(
    `SELECT ${COLUMNS} FROM item WHERE subject_id = ? AND kind = ? AND holder = ? AND ${whole}
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  );
  const due = database.prepare(
    `SELECT ${COLUMNS} FROM item WHERE subject_id = ? AND kind = ? AND due_at <= ? AND ${whole} ORDER BY due_at, id LIMIT ?`,
  );
  return {
    item(subjectId, kind, id) {
      const row = one.get(subjectId, kind, id);
      return row && itemFrom(row);
    },
    items(subjectId, kind, { holder, limit = ALL } = {}) {
      const rows = holder === undefined ? of.all(subjectId, kind, limit) : held.all(subjectId, kind, holder, limit);
      return rows.map(itemFrom);
    },
    dueItems: (subjectId, kind, by, limit) => due.all(subjectId, kind, by, limit).map(itemFrom),
  };
}

const itemFrom = (row: Record<string, unknown>): ItemRow => ({
  kind: row.kind as string,
  id: row.id as string,
  holder: row.holder as string | null,
  createdAt: row.created_at as number,
  dueAt: row.due_at as number | null,
  body: JSON.parse(row.body as string) as JsonValue,
});

type ItemWrites = Pick<WriteView, "putItem" | "deleteItem" | "deleteItems">;

export function itemWrites(database: DatabaseSync): ItemWrites {
  const put = database.prepare(
    `INSERT ${insertInto("item")}
     ON CONFLICT DO UPDATE SET holder = excluded.holder, due_at = excluded.due_at, body = excluded.body,
       sum = ${sumOf("item", { holder: "excluded.holder", due_at: "excluded.due_at", body: "excluded.body" })}
     WHERE ${sound("item")}`,
  );
  const drop = database.prepare("DELETE FROM item WHERE subject_id = ? AND kind = ? AND id = ?");
  const dropHeld = database.prepare("DELETE FROM item WHERE subject_id = ? AND kind = ? AND holder = ?");
  return {
    putItem(subjectId, { kind, id, holder, createdAt, dueAt, body }) {
      put.run(subjectId, kind, id, holder, createdAt, dueAt, JSON.stringify(body));
    },
    deleteItem(subjectId, kind, id) {
      drop.run(subjectId, kind, id);
    },
    deleteItems(subjectId, kind, holder) {
      dropHeld.run(subjectId, kind, holder);
    },
  };
}
