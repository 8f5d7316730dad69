// Apps and what each was given: grants as they were approved, together, with their use, and taking them back.
import { documentHost } from "../../../auth/client-identity.ts";
import type { Activity } from "../../../contract/activity.ts";
import { isDenial, PdppError } from "../../../contract/errors.ts";
import type { GrantPackage, GrantSummary } from "../../../contract/grant.ts";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { countOf } from "../format.ts";
import type { Visit } from "../owner-page.ts";
import type { NamedClient } from "../pages/client-identity.ts";
import type { ReadWords } from "../pages/receipt.ts";

export const APPS = "/dashboard/apps";
/** Dots are encoded: an id may end in `.json`, which would ask for the page as JSON. */
export const appAddress = (clientId: string): string =>
  `${APPS}/${encodeURIComponent(clientId).replaceAll(".", "%2E")}`;
export const grantAddress = (id: string): string => `/dashboard/grants/${encodeURIComponent(id)}`;
export const whyAddress = (requestId: string): string => `/dashboard/why/${encodeURIComponent(requestId)}`;

/** Calls of one grant or package on a page. */
const RECENT_MAX = 10;
/** Enough of an id to tell apart what has the same name. */
export const shortId = (clientId: string): string =>
  clientId.startsWith("https://") ? clientId : clientId.slice(0, 12);

export interface AppGrant {
  /** Of the grant, or of the package that was approved together. */
  id: string;
  status: GrantSummary["status"];
  reads: readonly ReadWords[];
  issuedAt: string;
  expiresAt?: string;
  endedAt?: string;
  /** Of one that was ended before its time. */
  endedBy?: "owner" | "app" | "reuse";
  lastUsedAt?: string;
  /** Active, and not used for long. */
  sleeping: boolean;
  /** Newest first, in words: "records of messages: 12 records". */
  recent: readonly { at: string; text: string; requestId: string; denied: boolean }[];
}

export interface App {
  clientId: string;
  /** Enough of it to tell apps of one name apart. */
  shortId: string;
  client: NamedClient;
  /** Others that go by the same name. */
  namesakes: number;
  active: boolean;
  firstAllowedAt: string;
  lastUsedAt?: string;
  /** Totals of what it read. */
  records: number;
  bytes: number;
  calls: number;
  denied: number;
  grants: readonly AppGrant[];
}

/** The access that a revocation ended. */
export interface EndedApp {
  client: NamedClient;
  reads: readonly ReadWords[];
  lastUsedAt?: string;
  records: number;
}

export async function grantsOf({ look }: Pick<Visit, "look">): Promise<GrantSummary[]> {
  return (await look("grants", {})).data;
}

/** As the owner was shown it at the approval. */
export function clientOf({ grant, words }: GrantSummary): NamedClient {
  const host = documentHost(grant.client.client_id);
  const verifiedHost = words.verified_host;
  return {
    ...(verifiedHost === undefined ? (host === undefined ? {} : { claimedHost: host }) : { verifiedHost }),
    claimedName: words.app,
  };
}

/** Of all grants of one app: verified only when each grant that counts was, for another holder may have got one of them. */
export function clientOfAll(grants: readonly GrantSummary[]): NamedClient {
  const active = grants.filter(({ status }) => status === "active");
  const counting = active.length === 0 ? grants : active;
  return clientOf(counting.find(({ words }) => words.verified_host === undefined) ?? counting[0]!);
}

/** Those that may read first, each group by its last use. */
export function appsOf(grants: readonly GrantSummary[], packages: ReadonlyMap<string, GrantPackage>): App[] {
  const byClient = [...Map.groupBy(grants, ({ grant }) => grant.client.client_id)];
  const names = new Map(byClient.map(([clientId, own]) => [clientId, nameOf(clientOfAll(own))]));
  const apps = byClient.map(([clientId, own]): App => {
    const name = names.get(clientId)!;
    const members = new Set(own.flatMap(({ grant_package_id }) => grant_package_id ?? []));
    const uses = [...own, ...[...members].flatMap((id) => packages.get(id) ?? [])].map(({ use }) => use);
    const sum = (member: "calls" | "denied" | "records" | "bytes"): number =>
      uses.reduce((total, use) => total + use[member], 0);
    return {
      clientId,
      shortId: shortId(clientId),
      client: clientOfAll(own),
      namesakes: [...names.values()].filter((other) => other === name).length - 1,
      active: own.some(({ status }) => status === "active"),
      firstAllowedAt: own.map(({ grant }) => grant.issued_at).sort()[0]!,
      ...lastUse(own),
      calls: sum("calls"),
      denied: sum("denied"),
      records: sum("records"),
      bytes: sum("bytes"),
      grants: togetherApproved(own, packages),
    };
  });
  const recency = ({ active, lastUsedAt, firstAllowedAt }: App): string =>
    `${active ? 1 : 0}${lastUsedAt ?? firstAllowedAt}`;
  return apps.sort((one, other) => (recency(one) < recency(other) ? 1 : -1));
}

const nameOf = ({ verifiedHost, claimedName }: NamedClient): string => verifiedHost ?? cleanDisplayName(claimedName);

function lastUse(grants: readonly GrantSummary[]): { lastUsedAt?: string } {
  const last = grants
    .flatMap(({ last_used_at }) => last_used_at ?? [])
    .sort()
    .at(-1);
  return last === undefined ? {} : { lastUsedAt: last };
}

/** Grants that were approved together are shown and revoked together; those revoked alone are left out. */
function togetherApproved(grants: readonly GrantSummary[], packages: ReadonlyMap<string, GrantPackage>): AppGrant[] {
  const groups = Map.groupBy(grants, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
  const shown = [...groups].map(([id, all]): AppGrant => {
    const first = all.find((member) => member.status === "active") ?? all[0]!;
    const { status, grant, ended_by, revoked_at } = first;
    const members = all.filter((member) => member.status === status);
    return {
      id,
      status,
      reads: members.flatMap(({ words }) => words.reads),
      issuedAt: grant.issued_at,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(revoked_at === undefined ? {} : { endedAt: revoked_at }),
      ...(ended_by === undefined ? {} : { endedBy: ended_by }),
      ...lastUse(members),
      sleeping: members.every(({ sleeping }) => sleeping),
      recent: recentOf([...members, packages.get(id)].flatMap((one) => one?.use.recent ?? [])),
    };
  });
  return shown.sort((one, other) => Number(other.status === "active") - Number(one.status === "active"));
}

export function recentOf(calls: readonly Activity[]): AppGrant["recent"] {
  return [...calls]
    .sort((one, other) => other.n - one.n)
    .slice(0, RECENT_MAX)
    .map((call) => ({
      at: call.at,
      text: callWords(call),
      requestId: call.request_id,
      denied: isDenial(call.outcome),
    }));
}

/** Calls under a package that went through none of its grants, the denied ones above all, are told by the package. */
export async function packagesOf(
  { look }: Pick<Visit, "look">,
  grants: readonly GrantSummary[],
): Promise<Map<string, GrantPackage>> {
  const ids = new Set(grants.flatMap(({ grant_package_id }) => grant_package_id ?? []));
  const found = await Promise.all([...ids].map((id) => look("grant", { id })));
  return new Map(found.flatMap((one) => (one.object === "grant_package" ? [[one.grant_package_id, one]] : [])));
}

/** The name in a denied call is the app's own. */
function callWords({ action, stream, asked, records, outcome }: Activity): string {
  const named = stream ?? (asked?.stream === undefined ? undefined : `“${cleanDisplayName(asked.stream)}”`);
  const what = named === undefined ? action : `${action} of ${named}`;
  if (outcome !== "ok") return `${what}: ${isDenial(outcome) ? "denied" : "failed"}, ${outcome}`;
  return records === 0 ? what : `${what}: ${countOf(records, "record")}`;
}

/** Revokes a grant or a package by its id, or everything an app has; answers where to see what that ended. */
export async function takeBack(visit: Visit, form: URLSearchParams, back: string): Promise<string> {
  const [id, clientId] = [form.get("id"), form.get("client_id")];
  const own =
    clientId === null ? [] : (await grantsOf(visit)).filter(({ grant }) => grant.client.client_id === clientId);
  const active = own.filter(({ status }) => status === "active");
  const ids =
    clientId === null ? [id ?? ""] : active.map(({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
  const ended = new URLSearchParams();
  try {
    for (const one of new Set(ids)) {
      await visit.act("revokeGrant", { id: one });
      ended.append("id", one);
    }
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "not_found") throw error;
  }
  return ended.size === 0 ? `${back}?done=gone` : `${back}?done=revoked&${ended}`;
}

/** After that, what it ended, as far as it was ended by the owner. */
export function endedNow(search: URLSearchParams, grants: readonly GrantSummary[]): EndedApp | "nothing" | undefined {
  const done = search.get("done");
  if (done === "gone") return "nothing";
  if (done !== "revoked") return undefined;
  const ids = new Set(search.getAll("id"));
  const ended = grants.filter(
    ({ grant, grant_package_id, ended_by }) =>
      ended_by === "owner" && (ids.has(grant.grant_id) || ids.has(grant_package_id ?? "")),
  );
  if (ended.length === 0) return "nothing";
  return {
    client: clientOf(ended[0]!),
    reads: ended.flatMap(({ words }) => words.reads),
    ...lastUse(ended),
    records: ended.reduce((sum, { use }) => sum + use.records, 0),
  };
}
