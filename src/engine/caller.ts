// Resolves a credential to a caller and its Scope on every call, so that revoking takes effect immediately.
import { hash } from "node:crypto";
import type { Bearer } from "../contract/answers.ts";
import type { Audience } from "../contract/auth.ts";
import { type ErrorCode, PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { Why } from "../contract/why.ts";
import { audienceOf, grantStatusOf } from "../core/grant-state.ts";
import { parseInstant } from "../core/instant.ts";
import { grantScope, isOwner, ownerScope, type Scope, type StreamShape } from "../core/scope.ts";
import { whyEnded, whyNoGrant, whyOwnerOnly, whyPaused, whyTokenEnded } from "../core/why.ts";
import type { GrantRow, TokenRow } from "../store/rows.ts";
import type { ReadView } from "../store/store.ts";
import { type Catalog, loadCatalog } from "./catalog.ts";

/**
 * A bearer token, or `home` for the person who owns the home directory and therefore needs no token. `grant` is a grant
 * or package whose work the server continues without a token; a request gets this credential only through a signed
 * link. `looking` means that the owner is viewing a page of this server, and the data is sent nowhere else. `term`
 * marks a job of a process that was elected to run jobs; its writes are refused once another process is elected.
 */
export type Credential = { token: string; looking?: true } | { home: true; term?: number } | { grant: string };

export interface Caller {
  subjectId: string;
  scope: Scope;
  catalog: Catalog;
  /** The hash of the calling session, if there is one. */
  sessionHash?: string;
  /** When the caller's access ends, in ms. Infinite if it never expires. */
  until: number;
}

/** A known caller without access. The audit log records the caller. */
export class Refused extends PdppError {
  readonly bearer: Bearer;
  constructor(bearer: Bearer, code: ErrorCode, message: string, why?: Why, next_step?: string) {
    super(code, message, {
      ...(why === undefined ? {} : { why }),
      ...(next_step === undefined ? {} : { next_step }),
    });
    this.bearer = bearer;
  }
}

export const hashToken = (token: string): string => hash("sha256", token, "base64url");

/** Resolved callers are cached until the epoch changes or their access expires. */
const KEPT = 1000;

interface ResolvedCaller {
  caller: Caller;
  /** The lens that the caller may use. Absent if it may use any. */
  audience?: Audience;
  isSession?: boolean;
}

export class Callers {
  readonly #kept = new Map<string, ResolvedCaller>();
  #catalog: Catalog | undefined;

  /** Called after a failed commit, because callers that were resolved in its transaction are invalid. */
  forget(): void {
    this.#kept.clear();
    this.#catalog = undefined;
  }

  /** `epoch` is the epoch of the view's snapshot, if the caller has already read it. */
  async resolve(
    view: ReadView,
    credential: Credential,
    now: number,
    lens: Audience = "records",
    epoch?: number,
  ): Promise<Caller> {
    const current = epoch ?? (await view.epoch());
    if (this.#catalog?.epoch !== current) {
      this.#kept.clear();
      this.#catalog = await loadCatalog(view, await view.subject(), current);
    }
    const name =
      "token" in credential ? `t${credential.token}` : "grant" in credential ? `g${credential.grant}` : "home";
    const kept = this.#kept.get(name);
    if (kept && now < kept.caller.until) return onLens(kept, lens);
    const resolved =
      "home" in credential
        ? { caller: this.#owner(await view.subject(), Number.POSITIVE_INFINITY) }
        : await this.#bearer(view, await tokenOf(view, credential), now);
    if ("token" in credential && resolved.isSession) resolved.caller.sessionHash = hashToken(credential.token);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(name, resolved);
    return onLens(resolved, lens);
  }

  #owner(subjectId: string, until: number): Caller {
    const catalog = this.#catalog!;
    return { subjectId, scope: ownerScope(subjectId, catalog.streams), catalog, until };
  }

  async #bearer(view: ReadView, token: TokenRow, now: number): Promise<ResolvedCaller> {
    const rows = token.kind === "client" ? await grantsOf(view, token) : [];
    const bearer = bearerOf(token, rows);
    if (token.expiresAt !== null && now >= token.expiresAt) {
      throw new Refused(
        bearer,
        "token_expired",
        "this token has expired",
        whyTokenExpired(bearer, rows, token.expiresAt),
      );
    }
    const until = token.expiresAt ?? Number.POSITIVE_INFINITY;
    if (token.kind !== "client")
      return { caller: this.#owner(token.subjectId, until), isSession: token.kind === "session" };
    const own = rows.filter(({ grant }) => audienceOf(grant) === token.audience);
    const { scope, expires } = scopeOf(bearer, own, this.#catalog!.streams, now);
    return {
      caller: { subjectId: token.subjectId, scope, catalog: this.#catalog!, until: Math.min(until, expires) },
      audience: token.audience,
    };
  }
}

const OTHER_LENS: Record<Audience, readonly [message: string, next: string]> = {
  records: [
    "this token is for the files lens, not the records lens",
    "Use it at /files/mcp and /api. For /mcp and /v1, sign in there or run `pdpp grants issue`.",
  ],
  files: [
    "this token is for the records lens, not the files lens",
    "Use it at /mcp and /v1. For /files/mcp and /api, sign in there or run `pdpp grants issue --files`.",
  ],
};

/** Owners may use both lenses. */
function onLens({ caller, audience }: ResolvedCaller, lens: Audience): Caller {
  if (audience === undefined || audience === lens) return caller;
  const [message, next] = OTHER_LENS[lens];
  throw new Refused(caller.scope.bearer, "authentication_error", message, undefined, next);
}

async function tokenOf(view: ReadView, credential: Exclude<Credential, { home: true }>): Promise<TokenRow> {
  if ("token" in credential) {
    const token = await view.token(hashToken(credential.token));
    if (token === undefined) throw new PdppError("authentication_error", "this server does not recognise this token");
    return token;
  }
  const isPackage = credential.grant.startsWith(ID_PREFIX.package);
  const token: TokenRow = {
    kind: "client",
    subjectId: await view.subject(),
    grantId: isPackage ? null : credential.grant,
    packageId: isPackage ? credential.grant : null,
    expiresAt: null,
    audience: "records",
    label: null,
  };
  const [row] = await grantsOf(view, token);
  return row === undefined ? token : { ...token, audience: audienceOf(row.grant) };
}

async function grantsOf(view: ReadView, token: TokenRow): Promise<GrantRow[]> {
  if (token.packageId !== null) return view.grantsOfPackage(token.packageId);
  const grant = token.grantId === null ? undefined : await view.grant(token.grantId);
  return grant ? [grant] : [];
}

/** The current scope of a token's grants. A package is valid as long as one of its grants is. */
export function scopeOf(
  bearer: Bearer,
  rows: readonly GrantRow[],
  streams: readonly StreamShape[],
  now: number,
): { scope: Scope; expires: number } {
  const active = rows.filter((row) => grantStatusOf(row, now) === "active");
  if (active.length === 0) throw ended(bearer, rows, now);
  const grants = active.map((row) => row.grant);
  const others = rows.filter((row) => !active.includes(row));
  return { scope: grantScope(bearer, grants, streams, others), expires: Math.min(...active.map(expiryOf)) };
}

const expiryOf = ({ grant }: GrantRow): number =>
  grant.expires_at === undefined ? Number.POSITIVE_INFINITY : parseInstant(grant.expires_at)!;

function ended(bearer: Bearer, rows: readonly GrantRow[], now: number): Refused {
  if (rows.length === 0)
    return new Refused(bearer, "grant_invalid", "this token's grant does not exist", whyNoGrant(bearer));
  const paused = rows.find((row) => grantStatusOf(row, now) === "paused");
  if (paused !== undefined)
    return new Refused(bearer, "grant_paused", "the owner paused this grant", whyPaused(bearer, paused));
  const [code, message] = rows.some((row) => row.revokedAt !== null)
    ? (["grant_revoked", "the owner revoked this grant"] as const)
    : (["grant_expired", "this grant has expired"] as const);
  return new Refused(bearer, code, message, whyEnded(bearer, rows, code));
}

/** Explains why a token expired: together with its grant, or earlier. Owner tokens do not depend on a grant. */
export function whyTokenExpired(bearer: Bearer, rows: readonly GrantRow[], expiresAt: number): Why | undefined {
  if (rows.length === 0) return undefined;
  const withGrant = rows.every((row) => row.revokedAt !== null || expiryOf(row) <= expiresAt);
  return withGrant ? whyEnded(bearer, rows, "grant_expired") : whyTokenEnded(bearer, expiresAt);
}

function bearerOf(token: TokenRow, grants: readonly GrantRow[]): Bearer {
  if (token.kind !== "client") return { kind: "owner", scope: "owner", subject_id: token.subjectId };
  const client = { subject_id: token.subjectId, client_id: grants[0]?.grant.client.client_id };
  return token.packageId === null
    ? { kind: "client", scope: "grant", ...client, grant_id: token.grantId! }
    : { kind: "mcp_package", scope: "package", ...client, grant_package_id: token.packageId };
}

export function requireOwner(caller: Caller): void {
  const { scope } = caller;
  if (isOwner(scope)) return;
  throw new PdppError("insufficient_scope", "only the owner may do this", { why: whyOwnerOnly(scope.bearer) });
}
