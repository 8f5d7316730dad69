// Clients, grants and tokens. Tokens are stored as hashes; a revocation changes one row and takes effect at the next
// read.
import type { Grant, GrantWords } from "../../contract/grant.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import type { GrantRow, HeldToken, TokenRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import * as statements from "./statements.ts";
import { done, found, INSERTED, list, select, type TableReads, type TableWrites } from "./statements.ts";

const GRANT = "body, package_id, revoked_at, ended_by, consumed_at, words";
export const TOKEN = select("token", "kind, subject_id, grant_id, package_id, expires_at, audience, label", ["hash"]);
const TOKENS = select("token", "hash, created_at, expires_at, label", ["subject_id", "kind"], {
  order: "created_at DESC, hash",
});
const CLIENT = select("client", "subject_id, name", ["client_id"]);
const GRANTS = select("access_grant", GRANT, ["subject_id"], { order: "issued_at DESC, grant_id" });
const ONE_GRANT = select("access_grant", GRANT, ["grant_id"]);
const MEMBERS = select("access_grant", GRANT, ["package_id"], { order: INSERTED });

type AuthorityReads = Pick<ReadView, "token" | "tokensOf" | "client" | "grants" | "grant" | "grantsOfPackage">;

export const authorityReads = (tables: TableReads): AuthorityReads => ({
  token: (hash) => found(tables.row(TOKEN, hash), tokenFrom),
  tokensOf: (subjectId, kind) => list(tables.rows(TOKENS, subjectId, kind), heldFrom),
  client: (clientId) =>
    found(tables.row(CLIENT, clientId), ([subjectId, name]) => ({
      subjectId: subjectId as string,
      name: name as string,
    })),
  grants: (subjectId) => list(tables.rows(GRANTS, subjectId), grantFrom),
  grant: (grantId) => found(tables.row(ONE_GRANT, grantId), grantFrom),
  grantsOfPackage: (packageId) => list(tables.rows(MEMBERS, packageId), grantFrom),
});

const tokenFrom = ([kind, subjectId, grantId, packageId, expiresAt, audience, label]: unknown[]): TokenRow => ({
  kind: kind as TokenRow["kind"],
  subjectId: subjectId as string,
  grantId: grantId as string | null,
  packageId: packageId as string | null,
  expiresAt: expiresAt as number | null,
  audience: audience as TokenRow["audience"],
  label: label as string | null,
});

const heldFrom = ([hash, createdAt, expiresAt, label]: unknown[]): HeldToken => ({
  hash: hash as string,
  createdAt: createdAt as number,
  expiresAt: expiresAt as number | null,
  label: label as string | null,
});

const grantFrom = ([body, packageId, revokedAt, endedBy, consumedAt, words]: unknown[]): GrantRow => ({
  grant: JSON.parse(body as string) as Grant,
  packageId: packageId as string | null,
  revokedAt: revokedAt as number | null,
  endedBy: endedBy as GrantRow["endedBy"],
  consumedAt: consumedAt as number | null,
  words: words === null ? null : (JSON.parse(words as string) as GrantWords),
});

const PUT_CLIENT = statements.insert("client", ["subject_id", "client_id", "name", "created_at"], {
  key: ["client_id"],
  change: [],
});
const PUT_GRANT = statements.insert("access_grant", [
  ...["subject_id", "grant_id", "client_id", "package_id", "body", "issued_at", "words"],
]);
const REVOKE = statements.update("access_grant", ["revoked_at", "ended_by"], ["grant_id"], "revoked_at");
const RESTORE = statements.update("access_grant", ["revoked_at", "ended_by"], ["grant_id"]);
const CHANGE = statements.update("access_grant", ["body", "words"], ["grant_id"]);
const MOVE_OF_GRANT = statements.update("token", ["expires_at"], ["grant_id", "expires_at"]);
const MOVE_OF_PACKAGE = statements.update("token", ["expires_at"], ["package_id", "expires_at"]);
const CONSUME = statements.update("access_grant", ["consumed_at"], ["grant_id"], "consumed_at");
const PUT_TOKEN = statements.insert("token", [
  ...["subject_id", "hash", "kind", "grant_id", "package_id", "created_at", "expires_at", "audience", "label"],
]);
const DELETE_TOKEN = statements.remove("token", ["hash"]);

type AuthorityWrites = Pick<
  WriteView,
  | "putClient"
  | "putGrant"
  | "revokeGrant"
  | "restoreGrant"
  | "changeGrant"
  | "moveTokenExpiry"
  | "consumeGrant"
  | "putToken"
  | "deleteToken"
>;

export const authorityWrites = (tables: TableWrites, bumpEpoch: () => void): AuthorityWrites => ({
  putClient: (subjectId, clientId, name, now) => done(tables.run(PUT_CLIENT, subjectId, clientId, name, now)),
  putGrant(subjectId, grant, packageId, words) {
    const issuedAt = Date.parse(grant.issued_at);
    const [body, wordsText] = [JSON.stringify(grant), JSON.stringify(words)];
    const { client, grant_id } = grant;
    return done(
      tables.run(PUT_GRANT, subjectId, grant_id, client.client_id, packageId, body, issuedAt, wordsText),
      bumpEpoch,
    );
  },
  revokeGrant: (grantId, now, by) => done(tables.run(REVOKE, now, by, grantId), bumpEpoch),
  restoreGrant: (grantId) => done(tables.run(RESTORE, null, null, grantId), bumpEpoch),
  changeGrant: (grant, words) =>
    done(tables.run(CHANGE, JSON.stringify(grant), words && JSON.stringify(words), grant.grant_id), bumpEpoch),
  moveTokenExpiry: (id, from, to) =>
    done(tables.run(id.startsWith(ID_PREFIX.package) ? MOVE_OF_PACKAGE : MOVE_OF_GRANT, to, id, from), bumpEpoch),
  consumeGrant: (grantId, now) => done(tables.run(CONSUME, now, grantId), bumpEpoch),
  putToken(hash, { subjectId, kind, grantId, packageId, expiresAt, audience, label }, now) {
    return done(tables.run(PUT_TOKEN, subjectId, hash, kind, grantId, packageId, now, expiresAt, audience, label));
  },
  deleteToken: (hash) => done(tables.run(DELETE_TOKEN, hash), bumpEpoch),
});
