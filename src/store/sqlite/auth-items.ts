// The owner's sign-in, and what the authorization server keeps between requests. Secrets are stored as hashes.
import type { DatabaseSync } from "node:sqlite";
import type { AuthItem, ReadView, WriteView } from "../store.ts";
import { insertInto, sound, sumOf } from "./row-sums.ts";

type AuthReads = Pick<ReadView, "owner" | "authItem" | "authItemBy" | "countAuthItems">;

const COLUMNS = "kind, hash, body, grant_id, uid, user_code, consumed_at, expires_at";

export function authReads(database: DatabaseSync): AuthReads {
  const whole = sound("auth_item");
  const owner = database.prepare(
    `SELECT subject_id, name, password, changed_at FROM owner WHERE subject_id = ? AND ${sound("owner")}`,
  );
  const item = database.prepare(`SELECT ${COLUMNS} FROM auth_item WHERE kind = ? AND hash = ? AND ${whole}`);
  const by = {
    uid: database.prepare(`SELECT ${COLUMNS} FROM auth_item WHERE kind = ? AND uid = ? AND ${whole}`),
    user_code: database.prepare(`SELECT ${COLUMNS} FROM auth_item WHERE kind = ? AND user_code = ? AND ${whole}`),
  };
  const count = database.prepare(
    "SELECT count(*) AS items FROM auth_item WHERE kind = ? AND expires_at IS NOT NULL AND expires_at > ?",
  );
  return {
    owner(subjectId) {
      const row = owner.get(subjectId);
      return (
        row && {
          subjectId: row.subject_id as string,
          name: row.name as string,
          password: row.password as string,
          changedAt: row.changed_at as number,
        }
      );
    },
    authItem(kind, hash) {
      const row = item.get(kind, hash);
      return row && itemFrom(row);
    },
    authItemBy(kind, key, value) {
      const row = by[key].get(kind, value);
      return row && itemFrom(row);
    },
    countAuthItems: (kind, now) => count.get(kind, now)!.items as number,
  };
}

const itemFrom = (row: Record<string, unknown>): AuthItem => ({
  kind: row.kind as string,
  hash: row.hash as string,
  body: row.body as string,
  grantId: row.grant_id as string | null,
  uid: row.uid as string | null,
  userCode: row.user_code as string | null,
  consumedAt: row.consumed_at as number | null,
  expiresAt: row.expires_at as number | null,
});

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

export function authWrites(database: DatabaseSync): AuthWrites {
  const putOwner = database.prepare(
    `INSERT ${insertInto("owner")}
     ON CONFLICT DO UPDATE SET name = excluded.name, password = excluded.password, changed_at = excluded.changed_at, sum = excluded.sum`,
  );
  const put = database.prepare(
    `INSERT ${insertInto("auth_item")}
     ON CONFLICT DO UPDATE SET body = excluded.body, grant_id = excluded.grant_id, uid = excluded.uid,
       user_code = excluded.user_code, expires_at = excluded.expires_at, sum = ${sumOf("auth_item", {
         body: "excluded.body",
         grant_id: "excluded.grant_id",
         uid: "excluded.uid",
         user_code: "excluded.user_code",
         expires_at: "excluded.expires_at",
       })} WHERE ${sound("auth_item")}`,
  );
  const consume = database.prepare(
    `UPDATE auth_item SET consumed_at = ?3, sum = ${sumOf("auth_item", { consumed_at: "?3" })}
     WHERE kind = ?1 AND hash = ?2 AND consumed_at IS NULL AND ${sound("auth_item")}`,
  );
  const remove = database.prepare("DELETE FROM auth_item WHERE kind = ? AND hash = ?");
  const removeOfGrant = database.prepare("DELETE FROM auth_item WHERE grant_id = ?");
  const keep = database.prepare(
    `UPDATE auth_item SET expires_at = NULL, sum = ${sumOf("auth_item", { expires_at: "NULL" })}
     WHERE kind = ? AND hash = ? AND ${sound("auth_item")}`,
  );
  const dropOldest = database.prepare(
    `DELETE FROM auth_item WHERE kind = ?1 AND hash = (
       SELECT hash FROM auth_item WHERE kind = ?1 AND expires_at IS NOT NULL ORDER BY expires_at LIMIT 1)`,
  );
  const pruneItems = database.prepare("DELETE FROM auth_item WHERE expires_at < ?");
  const pruneSessions = database.prepare("DELETE FROM token WHERE kind = 'session' AND expires_at < ?");
  return {
    putOwner(owner) {
      putOwner.run(owner.subjectId, owner.name, owner.password, owner.changedAt);
    },
    putAuthItem(item) {
      put.run(item.kind, item.hash, item.body, item.grantId, item.uid, item.userCode, item.consumedAt, item.expiresAt);
    },
    consumeAuthItem: (kind, hash, now) => consume.run(kind, hash, now).changes === 1,
    deleteAuthItem(kind, hash) {
      remove.run(kind, hash);
    },
    deleteAuthItemsOfGrant(grantId) {
      removeOfGrant.run(grantId);
    },
    dropOldestAuthItem(kind) {
      dropOldest.run(kind);
    },
    keepAuthItem(kind, hash) {
      keep.run(kind, hash);
    },
    pruneAuth(now) {
      pruneItems.run(now);
      pruneSessions.run(now);
    },
  };
}
