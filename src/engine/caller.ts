// Who is calling: from a credential to a Scope, looked up anew on every call so that revocation holds at once.
import { hash } from "node:crypto";
import type { Bearer } from "../contract/answers.ts";
import { type ErrorCode, PdppError } from "../contract/errors.ts";
import { parseInstant } from "../core/instant.ts";
import { grantScope, isOwner, ownerScope, type Scope } from "../core/scope.ts";
import type { GrantRow, ReadView, TokenRow } from "../store/store.ts";
import { type Catalog, loadCatalog } from "./catalog.ts";

/** A bearer token, or the person who owns the home directory and therefore needs none. */
export type Credential = { token: string } | { home: true };

export interface Caller {
  subjectId: string;
  scope: Scope;
  catalog: Catalog;
}

/** A caller who is known and not let in: the audit says who it was. */
export class Refused extends PdppError {
  readonly bearer: Bearer;
  constructor(bearer: Bearer, code: ErrorCode, message: string) {
    super(code, message);
    this.bearer = bearer;
  }
}

export const hashToken = (token: string): string => hash("sha256", token, "base64url");

/** Resolved callers are kept while the epoch stands and nothing they rest on expires. */
const KEPT = 1000;

export class Callers {
  readonly #kept = new Map<string, { caller: Caller; until: number }>();
  #catalog: Catalog | undefined;

  /** After a commit that failed: what was resolved inside it never came to be. */
  forget(): void {
    this.#kept.clear();
    this.#catalog = undefined;
  }

  async resolve(view: ReadView, credential: Credential, now: number): Promise<Caller> {
    const epoch = await view.epoch();
    if (this.#catalog?.epoch !== epoch) {
      this.#kept.clear();
      this.#catalog = await loadCatalog(view, await view.subject(), epoch);
    }
    const name = "token" in credential ? credential.token : "";
    const kept = this.#kept.get(name);
    if (kept && now < kept.until) return kept.caller;
    const resolved =
      name === "" ? this.#homeOwner(await view.subject()) : await this.#bearer(view, hashToken(name), now);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(name, resolved);
    return resolved.caller;
  }

  #homeOwner(subjectId: string): { caller: Caller; until: number } {
    const catalog = this.#catalog!;
    return {
      caller: { subjectId, scope: ownerScope(subjectId, catalog.streams), catalog },
      until: Number.POSITIVE_INFINITY,
    };
  }

  async #bearer(view: ReadView, name: string, now: number): Promise<{ caller: Caller; until: number }> {
    const token = await view.token(name);
    if (token === undefined) throw new PdppError("authentication_error", "this token is not known here");
    const rows = token.kind === "owner" ? [] : await grantsOf(view, token);
    const bearer = bearerOf(token, rows);
    if (token.expiresAt !== null && now >= token.expiresAt) {
      throw new Refused(bearer, "token_expired", "this token has expired");
    }
    const until = token.expiresAt ?? Number.POSITIVE_INFINITY;
    if (token.kind === "owner") return { ...this.#homeOwner(token.subjectId), until };
    const { grants, expires } = activeGrants(bearer, rows, now);
    const scope = grantScope(
      bearer,
      grants.map((row) => row.grant),
      this.#catalog!.streams,
    );
    return {
      caller: { subjectId: token.subjectId, scope, catalog: this.#catalog! },
      until: Math.min(until, expires),
    };
  }
}

async function grantsOf(view: ReadView, token: TokenRow): Promise<GrantRow[]> {
  if (token.packageId !== null) return view.grantsOfPackage(token.packageId);
  const grant = token.grantId === null ? undefined : await view.grant(token.grantId);
  return grant ? [grant] : [];
}

/** A package lives as long as one of its grants does. */
function activeGrants(bearer: Bearer, rows: readonly GrantRow[], now: number): { grants: GrantRow[]; expires: number } {
  const expiry = ({ grant }: GrantRow) =>
    grant.expires_at === undefined ? Number.POSITIVE_INFINITY : parseInstant(grant.expires_at)!;
  const grants = rows.filter((row) => row.revokedAt === null && now < expiry(row));
  if (grants.length > 0) return { grants, expires: Math.min(...grants.map(expiry)) };
  if (rows.length === 0) throw new Refused(bearer, "grant_invalid", "the grant of this token does not exist");
  if (rows.some((row) => row.revokedAt !== null))
    throw new Refused(bearer, "grant_revoked", "the owner revoked this grant");
  throw new Refused(bearer, "grant_expired", "this grant has expired");
}

function bearerOf(token: TokenRow, grants: readonly GrantRow[]): Bearer {
  if (token.kind === "owner") return { kind: "owner", scope: "owner", subject_id: token.subjectId };
  const client = { subject_id: token.subjectId, client_id: grants[0]?.grant.client.client_id };
  return token.packageId === null
    ? { kind: "client", scope: "grant", ...client, grant_id: token.grantId! }
    : { kind: "mcp_package", scope: "package", ...client, grant_package_id: token.packageId };
}

export function requireOwner(caller: Caller): void {
  if (!isOwner(caller.scope)) throw new PdppError("insufficient_scope", "only the owner may do this");
}
