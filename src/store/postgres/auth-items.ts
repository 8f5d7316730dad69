// The owner's sign-in, and what the authorization server keeps between requests. Secrets are stored as hashes.
import type { AuthItem, ReadView, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Asked } from "./glance.ts";

type AuthReads = Pick<ReadView, "owner" | "authItem" | "authItemBy" | "countAuthItems">;

const COLUMNS = "kind, hash, body, grant_id, uid, user_code, consumed_at, expires_at";

export function authReads(connection: Asked, subject: string): AuthReads {
  return {
    async owner(subjectId) {
      const row = await connection.row(
        "SELECT subject_id, name, password, changed_at FROM owner WHERE subject_id = $1",
        subjectId,
      );
      return (
        row && {
          subjectId: row[0] as string,
          name: row[1] as string,
          password: row[2] as string,
          changedAt: row[3] as number,
        }
      );
    },
    async authItem(kind, hash) {
      const row = await connection.row(
        `SELECT ${COLUMNS} FROM auth_item WHERE subject_id = $1 AND kind = $2 AND hash = $3`,
        subject,
        kind,
        hash,
      );
      return row && itemFrom(row);
    },
    async authItemBy(kind, key, value) {
      const row = await connection.row(
        `SELECT ${COLUMNS} FROM auth_item WHERE subject_id = $1 AND kind = $2 AND ${key} = $3`,
        subject,
        kind,
        value,
      );
      return row && itemFrom(row);
    },
    async countAuthItems(kind, now) {
      const row = await connection.row(
        "SELECT count(*) FROM auth_item WHERE subject_id = $1 AND kind = $2 AND expires_at > $3",
        subject,
        kind,
        now,
      );
      return row![0] as number;
    },
  };
}

const itemFrom = (row: unknown[]): AuthItem => ({
  kind: row[0] as string,
  hash: row[1] as string,
  body: row[2] as string,
  grantId: row[3] as string | null,
  uid: row[4] as string | null,
  userCode: row[5] as string | null,
  consumedAt: row[6] as number | null,
  expiresAt: row[7] as number | null,
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

export function authWrites(connection: Connection, subject: string): AuthWrites {
  return {
    async putOwner({ subjectId, name, password, changedAt }) {
      await connection.run(
        `INSERT INTO owner (subject_id, name, password, changed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (subject_id) DO UPDATE SET name = excluded.name, password = excluded.password,
           changed_at = excluded.changed_at`,
        subjectId,
        name,
        password,
        changedAt,
      );
    },
    async putAuthItem(item) {
      await connection.run(
        `INSERT INTO auth_item (subject_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (subject_id, kind, hash) DO UPDATE SET body = excluded.body, grant_id = excluded.grant_id,
           uid = excluded.uid, user_code = excluded.user_code, expires_at = excluded.expires_at`,
        subject,
        item.kind,
        item.hash,
        item.body,
        item.grantId,
        item.uid,
        item.userCode,
        item.consumedAt,
        item.expiresAt,
      );
    },
    async consumeAuthItem(kind, hash, now) {
      const changed = await connection.run(
        `UPDATE auth_item SET consumed_at = $4 WHERE subject_id = $1 AND kind = $2 AND hash = $3 AND consumed_at IS NULL`,
        subject,
        kind,
        hash,
        now,
      );
      return changed === 1;
    },
    async deleteAuthItem(kind, hash) {
      await connection.run(
        "DELETE FROM auth_item WHERE subject_id = $1 AND kind = $2 AND hash = $3",
        subject,
        kind,
        hash,
      );
    },
    async deleteAuthItemsOfGrant(grantId) {
      await connection.run("DELETE FROM auth_item WHERE subject_id = $1 AND grant_id = $2", subject, grantId);
    },
    async dropOldestAuthItem(kind) {
      await connection.run(
        `DELETE FROM auth_item WHERE subject_id = $1 AND kind = $2 AND hash = (
           SELECT hash FROM auth_item WHERE subject_id = $1 AND kind = $2 AND expires_at IS NOT NULL
           ORDER BY expires_at LIMIT 1)`,
        subject,
        kind,
      );
    },
    async keepAuthItem(kind, hash) {
      await connection.run(
        "UPDATE auth_item SET expires_at = NULL WHERE subject_id = $1 AND kind = $2 AND hash = $3",
        subject,
        kind,
        hash,
      );
    },
    async pruneAuth(now) {
      await connection.run("DELETE FROM auth_item WHERE subject_id = $1 AND expires_at < $2", subject, now);
      await connection.run(
        "DELETE FROM token WHERE subject_id = $1 AND kind = 'session' AND expires_at < $2",
        subject,
        now,
      );
    },
  };
}
