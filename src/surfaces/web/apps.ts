// /dashboard/apps: which apps may read what, what they read lately, and one button that takes it back.

import { clientIdentity } from "../../auth/client-identity.ts";
import type { List } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import type { GrantSummary } from "../../contract/grant.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { page, seeOther } from "./page-response.ts";
import { type AppGrant, appsPage } from "./pages/apps.ts";
import type { SignedIn, Visitor } from "./visitor.ts";

export const APPS = "/dashboard/apps";

/** How the page is told, after a redirect, what was done. */
const DONE = {
  revoked: "Taken back. The next request of that app is refused.",
  gone: "There was nothing left to take back.",
};

export async function apps(exchange: Exchange, host: EngineHost, visitor: Visitor, owner: SignedIn): Promise<Response> {
  const grants = await grantsOf(host, owner);
  const byClient = [...Map.groupBy(grants, ({ grant }) => grant.client.client_id)];
  const done = exchange.url.searchParams.get("done");
  const view = appsPage({
    csrf: visitor.csrf,
    revokeAction: APPS,
    apps: byClient.map(([clientId, own]) => ({
      clientId,
      client: clientIdentity({ client_id: clientId, client_name: own[0]!.words.app }),
      grants: togetherApproved(own),
    })),
    ...(done === "revoked" || done === "gone" ? { done: DONE[done] } : {}),
    owner: { name: owner.name, signOut: { action: "/logout", csrf: visitor.csrf } },
    nav: [{ label: "Apps", href: APPS, current: true }],
  });
  return page(exchange, view, 200, visitor.cookies);
}

/** A grant or a package by its id, or everything an app has. */
export async function revokeFrom(
  exchange: Exchange,
  host: EngineHost,
  owner: SignedIn,
  form: URLSearchParams,
): Promise<Response> {
  const [id, clientId] = [form.get("id"), form.get("client_id")];
  const ids =
    clientId === null
      ? [id ?? ""]
      : (await grantsOf(host, owner))
          .filter(({ grant, status }) => grant.client.client_id === clientId && status === "active")
          .map(({ grant }) => grant.grant_id);
  try {
    for (const one of ids) await host.call("revokeGrant", { id: one }, owner.credential, exchange.requestId);
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "not_found") throw error;
    return seeOther(exchange, `${APPS}?done=gone`);
  }
  return seeOther(exchange, `${APPS}?done=${ids.length === 0 ? "gone" : "revoked"}`);
}

async function grantsOf(host: EngineHost, owner: SignedIn): Promise<GrantSummary[]> {
  return (JSON.parse(await host.call("grants", {}, owner.credential)) as List<GrantSummary>).data;
}

/** What was approved together is shown, and taken back, together. */
function togetherApproved(grants: readonly GrantSummary[]): AppGrant[] {
  const groups = Map.groupBy(grants, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
  return [...groups].map(([id, members]) => {
    const { grant } = members[0]!;
    const alive = members.find(({ status }) => status === "active") ?? members[0]!;
    const lastUsedAt = members
      .flatMap(({ last_used_at }) => last_used_at ?? [])
      .sort()
      .at(-1);
    return {
      id,
      status: alive.status,
      reads: members.flatMap(({ words }) => words.reads),
      issuedAt: grant.issued_at,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      sleeping: members.every(({ sleeping }) => sleeping),
      recent: members
        .flatMap(({ use }) => use.recent)
        .sort((one, other) => other.n - one.n)
        .slice(0, 10)
        .map(({ at, action, stream, records, outcome, request_id }) => ({
          at,
          text: outcome === "ok" ? `${action}: ${records} of ${stream ?? "everything"}` : `${action}: ${outcome}`,
          ...(outcome === "ok" ? {} : { whyUrl: `/dashboard/why/${encodeURIComponent(request_id)}` }),
        })),
    };
  });
}
