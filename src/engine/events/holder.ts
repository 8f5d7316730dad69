// The grant or package that a subscription belongs to, and what it currently shows.
import type { Bearer } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { ID_PREFIX } from "../../contract/ids.ts";
import { EVENTS_PATH } from "../../core/event-capabilities.ts";
import { audienceOf } from "../../core/grant-state.ts";
import { isOwner, type Scope, type ScopeRow } from "../../core/scope.ts";
import type { GrantRow } from "../../store/rows.ts";
import type { ReadView } from "../../store/store.ts";
import { type Caller, scopeOf } from "../caller.ts";
import { grantNotFound } from "../read/grants.ts";
import { type Subscription, subscription } from "./stored.ts";

export interface GrantHolder {
  id: string;
  rows: readonly GrantRow[];
  scope: Scope;
}

export const clientOf = ({ rows }: Pick<GrantHolder, "rows">): string => rows[0]!.grant.client.client_id;

/** Returns undefined once the grant has ended: nothing is visible any more, and nothing is sent. */
export async function holderOf(
  view: ReadView,
  caller: Caller,
  id: string,
  now: number,
): Promise<GrantHolder | undefined> {
  const rows = (await grantRows(view, id)).filter(
    ({ grant }) => grant.subject.id === caller.subjectId && audienceOf(grant) === "records",
  );
  try {
    return { id, rows, scope: scopeOf(bearerOf(id, caller.subjectId, rows), rows, caller.catalog.streams, now).scope };
  } catch (error) {
    if (error instanceof PdppError) return undefined;
    throw error;
  }
}

export async function grantRows(view: ReadView, id: string): Promise<GrantRow[]> {
  if (id.startsWith(ID_PREFIX.package)) return view.grantsOfPackage(id);
  const grant = await view.grant(id);
  return grant === undefined ? [] : [grant];
}

function bearerOf(id: string, subject_id: string, rows: readonly GrantRow[]): Bearer {
  const client = { subject_id, client_id: rows[0]?.grant.client.client_id };
  return id.startsWith(ID_PREFIX.package)
    ? { kind: "mcp_package", scope: "package", ...client, grant_package_id: id }
    : { kind: "client", scope: "grant", ...client, grant_id: id };
}

/** Throws if the grant has ended. */
export async function requireHolder(
  view: ReadView,
  caller: Caller,
  one: Subscription,
  now: number,
): Promise<GrantHolder> {
  const holder = await holderOf(view, caller, one.holder, now);
  if (holder !== undefined) return holder;
  throw new PdppError("grant_invalid", "this subscription's grant has ended, and so has the subscription", {
    next_step: `DELETE ${EVENTS_PATH}/${one.id}; the app subscribes again under a new grant.`,
  });
}

/** The holder of a new subscription: an app subscribes for itself, and the owner for a given grant. */
export async function newHolder(
  view: ReadView,
  caller: Caller,
  named: string | undefined,
  now: number,
): Promise<GrantHolder> {
  const { bearer } = caller.scope;
  const own = bearer.grant_package_id ?? bearer.grant_id;
  if (own !== undefined && named !== undefined && named !== own)
    throw new PdppError("invalid_request", "only the owner may set grant_id; an app's token determines its grant", {
      param: "grant_id",
      next_step: "Omit grant_id.",
    });
  const id = own ?? named;
  if (id === undefined)
    throw new PdppError("invalid_request", "a subscription belongs to a grant: specify the grant with grant_id", {
      param: "grant_id",
      next_step: "GET /v1/grants lists them; an app subscribes with its own token.",
    });
  if ((await grantRows(view, id)).length === 0) throw grantNotFound(id);
  const holder = await holderOf(view, caller, id, now);
  if (holder === undefined)
    throw new PdppError("grant_invalid", `${id} is a files-lens grant, or has ended`, { param: "grant_id" });
  if (holder.rows.some(({ grant }) => grant.access_mode === "single_use"))
    throw new PdppError("invalid_request", "this grant is for a single use; events need a continuous grant", {
      param: "grant_id",
      next_step: "Ask the owner for a grant with access_mode continuous.",
    });
  return holder;
}

/** The streams of the grant that a subscription covers. */
export function rowsFor({ streams }: Pick<Subscription, "streams">, { rows }: Scope): ScopeRow[] {
  if (streams === undefined) return [...rows];
  return rows.filter(({ stream }) =>
    streams.some(
      (named) =>
        named.stream === stream.name &&
        (named.connection_id === undefined || named.connection_id === stream.connectionId),
    ),
  );
}

/** The owner owns every subscription. An app owns those of the grant it calls with, and learns nothing about others. */
export function isOwn({ scope }: Caller, { holder }: Pick<Subscription, "holder">): boolean {
  return isOwner(scope) || holder === (scope.bearer.grant_package_id ?? scope.bearer.grant_id);
}

export async function ownSubscription(view: ReadView, caller: Caller, id: string): Promise<Subscription> {
  const found = await subscription(view, caller.subjectId, id);
  if (found === undefined || !isOwn(caller, found)) {
    throw new PdppError("not_found", `there is no event subscription ${JSON.stringify(id)}`, {
      param: "id",
      next_step: `GET ${EVENTS_PATH} lists them.`,
    });
  }
  return found;
}
