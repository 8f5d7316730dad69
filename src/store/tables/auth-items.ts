// The owner's sign-in, and the items that the authorization server stores between requests. Secrets are stored as
// hashes.
import type { AuthItem, OwnerRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { rowShape } from "./row-shape.ts";
import { after, done, found, insert, remove, select, type TableReads, type TableWrites, update } from "./statements.ts";

const ITEMS = rowShape<AuthItem>("auth_item");
const OWNERS = rowShape<OwnerRow>("owner");
const itemBy = (column: string) => select("auth_item", ITEMS.columns, ["kind", column]);

const OWNER = select("owner", OWNERS.columns, ["subject_id"]);
const ITEM = itemBy("hash");
const ITEM_BY = { uid: itemBy("uid"), user_code: itemBy("user_code") };
const COUNT = select("auth_item", ["count(*)"], ["kind", "expires_at >"], { unchecked: true });
const OLDEST = select("auth_item", ["hash"], ["kind", "expires_at >="], { order: "expires_at", limited: true });

type AuthReads = Pick<ReadView, "owner" | "authItem" | "authItemBy" | "countAuthItems">;

export const authReads = (tables: TableReads): AuthReads => ({
  owner: (subjectId) => found(tables.row(OWNER, subjectId), OWNERS.read),
  authItem: (kind, hash) => found(tables.row(ITEM, kind, hash), ITEMS.read),
  authItemBy: (kind, key, value) => found(tables.row(ITEM_BY[key], kind, value), ITEMS.read),
  countAuthItems: (kind, now) => after(tables.row(COUNT, kind, now), (row) => row![0] as number),
});

const PUT_OWNER = insert("owner", OWNERS.columns, { key: [], change: ["name", "password", "changed_at"] });
const PUT = insert("auth_item", ITEMS.columns, {
  key: ["kind", "hash"],
  change: ["body", "grant_id", "uid", "user_code", "expires_at"],
});
const CONSUME = update("auth_item", ["consumed_at"], ["kind", "hash"], "consumed_at");
const KEEP = update("auth_item", ["expires_at"], ["kind", "hash"]);
const REMOVE = remove("auth_item", ["kind", "hash"]);
const REMOVE_OF_GRANT = remove("auth_item", ["grant_id"]);
const PRUNE = remove("auth_item", ["expires_at <"]);
const PRUNE_SESSIONS = remove("token", ["kind", "expires_at <"]);

type AuthWrites = Pick<
  WriteView,
  | "putOwner"
  | "putAuthItem"
  | "consumeAuthItem"
  | "deleteAuthItem"
  | "deleteAuthItemsOfGrant"
  | "keepAuthItem"
  | "dropOldestAuthItem"
  | "pruneAuth"
>;

export const authWrites = (tables: TableReads & TableWrites): AuthWrites => ({
  putOwner: (owner) => done(tables.run(PUT_OWNER, ...OWNERS.cells(owner))),
  putAuthItem: (item) => done(tables.run(PUT, ...ITEMS.cells(item))),
  consumeAuthItem: (kind, hash, now) => after(tables.run(CONSUME, now, kind, hash), (changed) => changed === 1),
  deleteAuthItem: (kind, hash) => done(tables.run(REMOVE, kind, hash)),
  deleteAuthItemsOfGrant: (grantId) => done(tables.run(REMOVE_OF_GRANT, grantId)),
  async dropOldestAuthItem(kind) {
    const oldest = await tables.row(OLDEST, kind, 0, 1);
    if (oldest !== undefined) await tables.run(REMOVE, kind, oldest[0] as string);
  },
  keepAuthItem: (kind, hash) => done(tables.run(KEEP, null, kind, hash)),
  async pruneAuth(now) {
    await tables.run(PRUNE, now);
    await tables.run(PRUNE_SESSIONS, "session", now);
  },
});
