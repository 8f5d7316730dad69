// Clients, grants and tokens. Tokens are stored as hashes. A revocation changes one row and takes effect at the next
// read.
import type { Grant } from "../../contract/grant.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import type { ClientRow, GrantRow, HeldToken, TokenRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { rowShape } from "./row-shape.ts";
import * as statements from "./statements.ts";
import { done, found, INSERTED, list, select, type TableReads, type TableWrites } from "./statements.ts";

/** The id comes first, because it is never NULL (0021). */
const GRANT_BODY = rowShape<Omit<GrantRow, "grant"> & { grantId: string; body: Grant }>("access_grant", {
  without: ["subject_id", "client_id", "issued_at"],
  json: ["body", "words"],
});
const TOKENS = rowShape<TokenRow>("token", { without: ["hash", "created_at"] });
const HELD_TOKENS = rowShape<HeldToken>("token", {
  without: ["kind", "subject_id", "grant_id", "package_id", "audience"],
});
const CLIENTS = rowShape<ClientRow>("client", { without: ["client_id", "created_at"] });

export const TOKEN = select("token", TOKENS.columns, ["hash"]);
const TOKENS_OF = select("token", HELD_TOKENS.columns, ["subject_id", "kind"], { order: "created_at DESC, hash" });
const CLIENT = select("client", CLIENTS.columns, ["client_id"]);
const GRANTS = select("access_grant", GRANT_BODY.columns, ["subject_id"], { order: "issued_at DESC, grant_id" });
const UNREVOKED = select("access_grant", GRANT_BODY.columns, ["subject_id"], {
  order: "issued_at DESC, grant_id",
  unset: "revoked_at",
});
const ONE_GRANT = select("access_grant", GRANT_BODY.columns, ["grant_id"]);
const MEMBERS = select("access_grant", GRANT_BODY.columns, ["package_id"], { order: INSERTED });

type AuthorityReads = Pick<
  ReadView,
  "token" | "tokensOf" | "client" | "grants" | "unrevokedGrants" | "grant" | "grantsOfPackage"
>;

export const authorityReads = (tables: TableReads): AuthorityReads => ({
  token: (hash) => found(tables.row(TOKEN, hash), TOKENS.read),
  tokensOf: (subjectId, kind) => list(tables.rows(TOKENS_OF, subjectId, kind), HELD_TOKENS.read),
  client: (clientId) => found(tables.row(CLIENT, clientId), CLIENTS.read),
  grants: (subjectId) => list(tables.rows(GRANTS, subjectId), grantFrom),
  unrevokedGrants: (subjectId) => list(tables.rows(UNREVOKED, subjectId), grantFrom),
  grant: (grantId) => found(tables.row(ONE_GRANT, grantId), grantFrom),
  grantsOfPackage: (packageId) => list(tables.rows(MEMBERS, packageId), grantFrom),
});

function grantFrom(cells: unknown[]): GrantRow {
  const { grantId: _id, body: grant, ...row } = GRANT_BODY.read(cells);
  return { grant, ...row };
}

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
const PUT_TOKEN = statements.insert("token", ["hash", "created_at", ...TOKENS.columns]);
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
  putToken: (hash, token, now) => done(tables.run(PUT_TOKEN, hash, now, ...TOKENS.cells(token))),
  deleteToken: (hash) => done(tables.run(DELETE_TOKEN, hash), bumpEpoch),
});
