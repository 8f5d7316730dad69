// Clients, grants and tokens. Tokens are stored as hashes; revocation is one row and holds for the next read.
import type { Grant, GrantWords } from "../../contract/grant.ts";
import type { GrantRow, ReadView, TokenRow, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Asked } from "./glance.ts";

type AuthorityReads = Pick<ReadView, "token" | "tokensOf" | "client" | "grants" | "grant" | "grantsOfPackage">;

const GRANT = "body, package_id, revoked_at, ended_by, consumed_at, words";

export function authorityReads(connection: Asked, subject: string): AuthorityReads {
  return {
    async token(hash) {
      const row = await connection.row(
        `SELECT kind, subject_id, grant_id, package_id, expires_at, audience, label FROM token
         WHERE subject_id = $1 AND hash = $2`,
        subject,
        hash,
      );
      return (
        row && {
          kind: row[0] as TokenRow["kind"],
          subjectId: row[1] as string,
          grantId: row[2] as string | null,
          packageId: row[3] as string | null,
          expiresAt: row[4] as number | null,
          audience: row[5] as TokenRow["audience"],
          label: row[6] as string | null,
        }
      );
    },
    async tokensOf(subjectId, kind) {
      const rows = await connection.rows(
        `SELECT hash, created_at, expires_at, label FROM token WHERE subject_id = $1 AND kind = $2
         ORDER BY created_at DESC, hash`,
        subjectId,
        kind,
      );
      return rows.map(([hash, createdAt, expiresAt, label]) => ({
        hash: hash as string,
        createdAt: createdAt as number,
        expiresAt: expiresAt as number | null,
        label: label as string | null,
      }));
    },
    async client(clientId) {
      const row = await connection.row(
        "SELECT subject_id, name FROM client WHERE subject_id = $1 AND client_id = $2",
        subject,
        clientId,
      );
      return row && { subjectId: row[0] as string, name: row[1] as string };
    },
    async grants(subjectId) {
      const rows = await connection.rows(
        `SELECT ${GRANT} FROM access_grant WHERE subject_id = $1 ORDER BY issued_at DESC, grant_id`,
        subjectId,
      );
      return rows.map(grantFrom);
    },
    async grant(grantId) {
      const row = await connection.row(
        `SELECT ${GRANT} FROM access_grant WHERE subject_id = $1 AND grant_id = $2`,
        subject,
        grantId,
      );
      return row && grantFrom(row);
    },
    async grantsOfPackage(packageId) {
      const rows = await connection.rows(
        `SELECT ${GRANT} FROM access_grant WHERE subject_id = $1 AND package_id = $2 ORDER BY n`,
        subject,
        packageId,
      );
      return rows.map(grantFrom);
    },
  };
}

const grantFrom = ([body, packageId, revokedAt, endedBy, consumedAt, words]: unknown[]): GrantRow => ({
  grant: JSON.parse(body as string) as Grant,
  packageId: packageId as string | null,
  revokedAt: revokedAt as number | null,
  endedBy: endedBy as GrantRow["endedBy"],
  consumedAt: consumedAt as number | null,
  words: words === null ? null : (JSON.parse(words as string) as GrantWords),
});

type AuthorityWrites = Pick<
  WriteView,
  "putClient" | "putGrant" | "revokeGrant" | "consumeGrant" | "putToken" | "deleteToken"
>;

export function authorityWrites(connection: Connection, subject: string, bumpEpoch: () => void): AuthorityWrites {
  return {
    async putClient(subjectId, clientId, name, now) {
      await connection.run(
        "INSERT INTO client (subject_id, client_id, name, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        subjectId,
        clientId,
        name,
        now,
      );
    },
    async putGrant(subjectId, grant, packageId, words) {
      await connection.run(
        `INSERT INTO access_grant (subject_id, grant_id, client_id, package_id, body, issued_at, words)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        subjectId,
        grant.grant_id,
        grant.client.client_id,
        packageId,
        JSON.stringify(grant),
        Date.parse(grant.issued_at),
        JSON.stringify(words),
      );
      bumpEpoch();
    },
    async revokeGrant(grantId, now, by) {
      await connection.run(
        `UPDATE access_grant SET revoked_at = $3, ended_by = $4
         WHERE subject_id = $1 AND grant_id = $2 AND revoked_at IS NULL`,
        subject,
        grantId,
        now,
        by,
      );
      bumpEpoch();
    },
    async consumeGrant(grantId, now) {
      await connection.run(
        "UPDATE access_grant SET consumed_at = $3 WHERE subject_id = $1 AND grant_id = $2 AND consumed_at IS NULL",
        subject,
        grantId,
        now,
      );
      bumpEpoch();
    },
    async putToken(hash, token, now) {
      await connection.run(
        `INSERT INTO token (subject_id, hash, kind, grant_id, package_id, created_at, expires_at, audience, label)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        token.subjectId,
        hash,
        token.kind,
        token.grantId,
        token.packageId,
        now,
        token.expiresAt,
        token.audience,
        token.label,
      );
    },
    async deleteToken(hash) {
      await connection.run("DELETE FROM token WHERE subject_id = $1 AND hash = $2", subject, hash);
      bumpEpoch();
    },
  };
}
