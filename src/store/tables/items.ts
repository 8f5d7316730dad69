// Items that parts of the server store between their runs, found by id, by holder and by due time.
import type { ItemRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { rowShape } from "./row-shape.ts";
import { done, found, insert, list, remove, select, type TableReads, type TableWrites } from "./statements.ts";

const SHAPE = rowShape<ItemRow>("item", { without: ["subject_id"], json: ["body"] });
const NEWEST = { order: "created_at DESC, id DESC", limited: true } as const;
const items = (by: readonly string[], more: Parameters<typeof select>[3]) =>
  select("item", SHAPE.columns, ["subject_id", "kind", ...by], more);

const ITEM = items(["id"], { kept: true });
const ITEMS = items([], NEWEST);
const HELD = items(["holder"], NEWEST);
const DUE = items(["due_at <="], { order: "due_at, id", limited: true });

type ItemReads = Pick<ReadView, "item" | "items" | "dueItems">;

export const itemReads = (tables: TableReads): ItemReads => ({
  item: (subjectId, kind, id) => found(tables.row(ITEM, subjectId, kind, id), SHAPE.read),
  items: (subjectId, kind, { holder, limit = null } = {}) =>
    list(
      holder === undefined
        ? tables.rows(ITEMS, subjectId, kind, limit)
        : tables.rows(HELD, subjectId, kind, holder, limit),
      SHAPE.read,
    ),
  dueItems: (subjectId, kind, by, limit) => list(tables.rows(DUE, subjectId, kind, by, limit), SHAPE.read),
});

const PUT = insert("item", ["subject_id", ...SHAPE.columns], {
  key: ["kind", "id"],
  change: ["holder", "due_at", "body"],
});
const DROP = remove("item", ["subject_id", "kind", "id"]);
const DROP_HELD = remove("item", ["subject_id", "kind", "holder"]);

type ItemWrites = Pick<WriteView, "putItem" | "deleteItem" | "deleteItems">;

export const itemWrites = (tables: TableWrites): ItemWrites => ({
  putItem: (subjectId, item) => done(tables.run(PUT, subjectId, ...SHAPE.cells(item))),
  deleteItem: (subjectId, kind, id) => done(tables.run(DROP, subjectId, kind, id)),
  deleteItems: (subjectId, kind, holder) => done(tables.run(DROP_HELD, subjectId, kind, holder)),
});
