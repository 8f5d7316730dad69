// /dashboard/apps: which apps may read what, what they read lately, and one button that takes it back.
import { clientIdentity } from "../../../auth/client-identity.ts";
import type { Activity } from "../../../contract/activity.ts";
import type { List } from "../../../contract/answers.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { GrantPackage, GrantSummary } from "../../../contract/grant.ts";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { countOf } from "../format.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { type AppGrant, type AppsView, showApps } from "./apps-view.ts";

export const APPS = "/dashboard/apps";

/** Calls of one grant or package on the page. */
const RECENT_MAX = 10;

/** How the page is told, after a redirect, what was done. */
const DONE = {
  revoked: "Taken back. The next request of that app is refused.",
  gone: "There was nothing left to take back.",
};

export const appsPage = ownerPage<AppsView>({
  path: APPS,
  under: "apps",
  async load(visit) {
    const grants = await grantsOf(visit);
    const packages = await packagesOf(visit, grants);
    const byClient = [...Map.groupBy(grants, ({ grant }) => grant.client.client_id)];
    const done = visit.search.get("done");
    return {
      apps: byClient.map(([clientId, own]) => ({
        clientId,
        client: clientIdentity({ client_id: clientId, client_name: own[0]!.words.app }),
        grants: togetherApproved(own, packages),
      })),
      ...(done === "revoked" || done === "gone" ? { done: DONE[done] } : {}),
    };
  },
  show: showApps,
  /** A grant or a package by its id, or everything an app has. */
  async post(visit, form) {
    const [id, clientId] = [form.get("id"), form.get("client_id")];
    const ids =
      clientId === null
        ? [id ?? ""]
        : (await grantsOf(visit))
            .filter(({ grant, status }) => grant.client.client_id === clientId && status === "active")
            .map(({ grant }) => grant.grant_id);
    try {
      for (const one of ids) await visit.act("revokeGrant", { id: one });
    } catch (error) {
      if (!(error instanceof PdppError) || error.code !== "not_found") throw error;
      return `${APPS}?done=gone`;
    }
    return `${APPS}?done=${ids.length === 0 ? "gone" : "revoked"}`;
  },
});

async function grantsOf({ look }: Visit): Promise<GrantSummary[]> {
  return (await look<List<GrantSummary>>("grants", {})).data;
}

/** What was approved together is shown, and taken back, together; what of it was taken back alone is gone from it. */
function togetherApproved(grants: readonly GrantSummary[], packages: ReadonlyMap<string, GrantPackage>): AppGrant[] {
  const groups = Map.groupBy(grants, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
  return [...groups].map(([id, all]) => {
    const { status, grant, ended_by } = all.find((member) => member.status === "active") ?? all[0]!;
    const members = all.filter((member) => member.status === status);
    const lastUsedAt = members
      .flatMap(({ last_used_at }) => last_used_at ?? [])
      .sort()
      .at(-1);
    return {
      id,
      status,
      reads: members.flatMap(({ words }) => words.reads),
      issuedAt: grant.issued_at,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(ended_by === undefined ? {} : { endedBy: ended_by }),
      ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
      sleeping: members.every(({ sleeping }) => sleeping),
      recent: [...members, packages.get(id)]
        .flatMap((one) => one?.use.recent ?? [])
        .sort((one, other) => other.n - one.n)
        .slice(0, RECENT_MAX)
        .map((call) => ({
          at: call.at,
          text: callWords(call),
          ...(call.outcome === "ok" ? {} : { whyUrl: `/dashboard/why/${encodeURIComponent(call.request_id)}` }),
        })),
    };
  });
}

/** Calls under a package that went through none of its grants, the denied ones above all, are told by the package. */
async function packagesOf({ look }: Visit, grants: readonly GrantSummary[]): Promise<Map<string, GrantPackage>> {
  const ids = grants.flatMap(({ status, grant_package_id }) => (status === "active" ? (grant_package_id ?? []) : []));
  const found = await Promise.all([...new Set(ids)].map((id) => look<GrantPackage>("grant", { id })));
  return new Map(found.map((one) => [one.grant_package_id, one]));
}

/** What a denied call named is the app's own word. */
function callWords({ action, stream, asked, records, outcome }: Activity): string {
  const named = stream ?? (asked?.stream === undefined ? undefined : `“${cleanDisplayName(asked.stream)}”`);
  const what = named === undefined ? action : `${action} of ${named}`;
  if (outcome !== "ok") return `${what}: denied, ${outcome}`;
  return records === 0 ? what : `${what}: ${countOf(records, "record")}`;
}
