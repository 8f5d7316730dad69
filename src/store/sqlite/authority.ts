// Clients, grants and tokens. Tokens are stored as hashes; revocation is one row and holds for the next read.
import type { DatabaseSync } from "node:sqlite";
import type { Grant, GrantWords } from "../../contract/grant.ts";
import type { GrantRow, ReadView, TokenRow, WriteView } from "../store.ts";
import { insertInto, sound, sumOf } from "./row-sums.ts";

type AuthorityReads = Pick<ReadView, "token" | "tokensOf" | "client" | "grants" | "grant" | "grantsOfPackage">;

export function authorityReads(database: DatabaseSync): AuthorityReads {
  const whole = sound("access_grant");
  const columns = "body, package_id, revoked_at, ended_by, consumed_at, words";
  const token = database.prepare(
    `SELECT kind, subject_id, grant_id, package_id, expires_at, audience, label FROM token WHERE hash = ? AND ${sound("token")}`,
  );
  const beside = ["< ? ORDER BY hash DESC", "> ? ORDER BY hash"].map((place) =>
    database.prepare(`SELECT 1 FROM token WHERE ${sound("token")} AND hash ${place} LIMIT 1`),
  );
  const tokensOf = database.prepare(
    `SELECT hash, created_at, expires_at, label FROM token WHERE subject_id = ? AND kind = ? AND ${sound("token")}
     ORDER BY created_at DESC, hash`,
  );
  const client = database.prepare(`SELECT subject_id, name FROM client WHERE client_id = ? AND ${sound("client")}`);
  const grants = database.prepare(
    `SELECT ${columns} FROM access_grant WHERE subject_id = ? AND ${whole} ORDER BY issued_at DESC, grant_id`,
  );
  const grant = database.prepare(`SELECT ${columns} FROM access_grant WHERE grant_id = ? AND ${whole}`);
  const members = database.prepare(
    `SELECT ${columns} FROM access_grant WHERE package_id = ? AND ${whole} ORDER BY rowid`,
  );
  return {
    token(hash) {
      const row = token.get(hash);
      // A search that a damaged entry misled ends beside that entry, and reading it fails.
      if (row === undefined) for (const neighbour of beside) neighbour.get(hash);
      return (
        row && {
          kind: row.kind as TokenRow["kind"],
          subjectId: row.subject_id as string,
          grantId: row.grant_id as string | null,
          packageId: row.package_id as string | null,
          expiresAt: row.expires_at as number | null,
          audience: row.audience as TokenRow["audience"],
          label: row.label as string | null,
        }
      );
    },
    tokensOf: (subjectId, kind) =>
      tokensOf.all(subjectId, kind).map((row) => ({
        hash: row.hash as string,
        createdAt: row.created_at as number,
        expiresAt: row.expires_at as number | null,
        label: row.label as string | null,
      })),
    client(clientId) {
      const row = client.get(clientId);
      return row && { subjectId: row.subject_id as string, name: row.name as string };
    },
    grants: (subjectId) => grants.all(subjectId).map(grantFrom),
    grant(grantId) {
      const row = grant.get(grantId);
      return row && grantFrom(row);
    },
    grantsOfPackage: (packageId) => members.all(packageId).map(grantFrom),
  };
}

const grantFrom = (row: Record<string, unknown>): GrantRow => ({
  grant: JSON.parse(row.body as string) as Grant,
  packageId: row.package_id as string | null,
  revokedAt: row.revoked_at as number | null,
  endedBy: row.ended_by as GrantRow["endedBy"],
  consumedAt: row.consumed_at as number | null,
  words: row.words === null ? null : (JSON.parse(row.words as string) as GrantWords),
});

type AuthorityWrites = Pick<
  WriteView,
  "putClient" | "putGrant" | "revokeGrant" | "consumeGrant" | "putToken" | "deleteToken"
>;

export function authorityWrites(database: DatabaseSync, bumpEpoch: () => void): AuthorityWrites {
  const putClient = database.prepare(`INSERT OR IGNORE ${insertInto("client")}`);
  const putGrant = database.prepare(
    `INSERT ${insertInto("access_grant", { revoked_at: "NULL", ended_by: "NULL", consumed_at: "NULL", words: "?7" })}`,
  );
  const revoke = database.prepare(
    `UPDATE access_grant SET revoked_at = ?2, ended_by = ?3, sum = ${sumOf("access_grant", { revoked_at: "?2", ended_by: "?3" })}
     WHERE grant_id = ?1 AND revoked_at IS NULL AND ${sound("access_grant")}`,
  );
  const consume = database.prepare(
    `UPDATE access_grant SET consumed_at = ?2, sum = ${sumOf("access_grant", { consumed_at: "?2" })}
     WHERE grant_id = ?1 AND consumed_at IS NULL AND ${sound("access_grant")}`,
  );
  const deleteToken = database.prepare("DELETE FROM token WHERE hash = ?");
  const putToken = database.prepare(`INSERT ${insertInto("token")}`);
  return {
    putClient(subjectId, clientId, name, now) {
      putClient.run(clientId, subjectId, name, now);
    },
    putGrant(subjectId, grant, packageId, words) {
      const issuedAt = Date.parse(grant.issued_at);
      const [body, told] = [JSON.stringify(grant), JSON.stringify(words)];
      putGrant.run(grant.grant_id, subjectId, grant.client.client_id, packageId, body, issuedAt, told);
      bumpEpoch();
    },
    revokeGrant(grantId, now, by) {
      revoke.run(grantId, now, by);
      bumpEpoch();
    },
    consumeGrant(grantId, now) {
      consume.run(grantId, now);
      bumpEpoch();
    },
    deleteToken(hash) {
      deleteToken.run(hash);
      bumpEpoch();
    },
    putToken(hash, token, now) {
      putToken.run(
        hash,
        token.kind,
        token.subjectId,
        token.grantId,
        token.packageId,
        now,
        token.expiresAt,
        token.audience,
        token.label,
      );
    },
  };
}
