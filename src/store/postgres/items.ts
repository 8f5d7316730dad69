// Items: what parts of the server keep between their runs, found by id, by what they go with, and by when they are due.
import type { JsonValue } from "../../contract/record.ts";
import type { ItemRow, ReadView, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Asked } from "./glance.ts";

const COLUMNS = "kind, id, holder, created_at, due_at, body";

type ItemReads = Pick<ReadView, "item" | "items" | "dueItems">;

export function itemReads(connection: Asked): ItemReads {
  return {
    async item(subjectId, kind, id) {
      const [row] = await connection.kept(
        `SELECT ${COLUMNS} FROM item WHERE subject_id = $1 AND kind = $2 AND id = $3`,
        subjectId,
        kind,
        id,
      );
      return row && itemFrom(row);
    },
    async items(subjectId, kind, { holder, limit } = {}) {
      const held = holder === undefined ? "" : "AND holder = $4";
      const rows = await connection.rows(
        `SELECT ${COLUMNS} FROM item WHERE subject_id = $1 AND kind = $2 ${held} ORDER BY created_at DESC, id DESC LIMIT $3`,
        subjectId,
        kind,
        limit ?? null,
        ...(holder === undefined ? [] : [holder]),
      );
      return rows.map(itemFrom);
    },
    async dueItems(subjectId, kind, by, limit) {
      const rows = await connection.rows(
        `SELECT ${COLUMNS} FROM item WHERE subject_id = $1 AND kind = $2 AND due_at <= $3 ORDER BY due_at, id LIMIT $4`,
        subjectId,
        kind,
        by,
        limit,
      );
      return rows.map(itemFrom);
    },
  };
}

const itemFrom = ([kind, id, holder, createdAt, dueAt, body]: unknown[]): ItemRow => ({
  kind: kind as string,
  id: id as string,
  holder: holder as string | null,
  createdAt: createdAt as number,
  dueAt: dueAt as number | null,
  body: JSON.parse(body as string) as JsonValue,
});

type ItemWrites = Pick<WriteView, "putItem" | "deleteItem" | "deleteItems">;

export function itemWrites(connection: Connection): ItemWrites {
  return {
    async putItem(subjectId, { kind, id, holder, createdAt, dueAt, body }) {
      await connection.run(
        `INSERT INTO item (subject_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (subject_id, kind, id) DO UPDATE SET holder = excluded.holder, due_at = excluded.due_at,
           body = excluded.body`,
        subjectId,
        kind,
        id,
        holder,
        createdAt,
        dueAt,
        JSON.stringify(body),
      );
    },
    async deleteItem(subjectId, kind, id) {
      await connection.run("DELETE FROM item WHERE subject_id = $1 AND kind = $2 AND id = $3", subjectId, kind, id);
    },
    async deleteItems(subjectId, kind, holder) {
      await connection.run(
        "DELETE FROM item WHERE subject_id = $1 AND kind = $2 AND holder = $3",
        subjectId,
        kind,
        holder,
      );
    },
  };
}
