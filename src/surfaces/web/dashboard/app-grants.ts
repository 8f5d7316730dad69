// Apps and their grants, grouped as they were approved, with usage figures.
import { documentHost } from "../../../auth/client-identity.ts";
import type { Activity } from "../../../contract/activity.ts";
import type { GrantPackage, GrantSummary } from "../../../contract/grant.ts";
import type { Visit } from "../owner-page.ts";
import { clientWords, type NamedClient } from "../pages/client-identity.ts";
import type { ReadWords } from "../pages/receipt.ts";

export const APPS = "/dashboard/apps";
/** Dots are encoded, because an id may end in `.json`, which would request the page as JSON. */
export const appAddress = (clientId: string): string =>
  `${APPS}/${encodeURIComponent(clientId).replaceAll(".", "%2E")}`;
export const grantAddress = (id: string): string => `/dashboard/grants/${encodeURIComponent(id)}`;
export const whyAddress = (requestId: string): string => `/dashboard/why/${encodeURIComponent(requestId)}`;

export interface AppGrant {
  /** The id of the grant, or of the package if several were approved together. */
  id: string;
  status: GrantSummary["status"];
  reads: readonly ReadWords[];
  accessMode: "single_use" | "continuous";
  issuedAt: string;
  expiresAt?: string;
  endedAt?: string;
  /** Set for a grant that was ended early. */
  endedBy?: "owner" | "app" | "reuse";
  lastUsedAt?: string;
  /** Active, but not used for a long time. */
  sleeping: boolean;
}

export interface App {
  clientId: string;
  /** Apps with the same name are numbered in the order of their first approval. */
  name: string;
  client: NamedClient;
  /** The number of other apps with the same name. */
  namesakes: number;
  /** True if the app has an active or paused grant. */
  connected: boolean;
  firstAllowedAt: string;
  lastUsedAt?: string;
  /** Totals over all the app's grants. */
  records: number;
  bytes: number;
  calls: number;
  denied: number;
  grants: readonly AppGrant[];
}

export const isValid = ({ status }: Pick<AppGrant, "status">): boolean => status === "active" || status === "paused";

export async function grantsOf({ look }: Pick<Visit, "look">): Promise<GrantSummary[]> {
  return (await look("grants", {})).data;
}

/** Returns the app as the owner saw it when approving it. */
export function clientOf({ grant, words }: GrantSummary): NamedClient {
  const host = documentHost(grant.client.client_id);
  const verifiedHost = words.verified_host;
  return {
    ...(verifiedHost === undefined ? (host === undefined ? {} : { claimedHost: host }) : { verifiedHost }),
    claimedName: words.app,
  };
}

/**
 * Describes one app for all its grants. It is verified only if each relevant grant was, because another app may have
 * received one of them.
 */
export function clientOfAll(grants: readonly GrantSummary[]): NamedClient {
  const valid = grants.filter(isValid);
  const counting = valid.length === 0 ? grants : valid;
  return clientOf(counting.find(({ words }) => words.verified_host === undefined) ?? counting[0]!);
}

const firstAllowed = (grants: readonly GrantSummary[]): string => grants.map(({ grant }) => grant.issued_at).sort()[0]!;

/** App names by client id. If several apps have the same name, they are numbered: `“Terminal” 2`. */
export function appNames(grants: readonly GrantSummary[]): Map<string, string> {
  const byClient = [...Map.groupBy(grants, ({ grant }) => grant.client.client_id)]
    .map(([id, own]) => ({ id, name: clientWords(clientOfAll(own)), since: firstAllowed(own) }))
    .sort((one, other) => (one.since < other.since ? -1 : 1));
  const counts = new Map<string, number>();
  return new Map(
    byClient.map(({ id, name }) => {
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      return [id, number === 1 ? name : `${name} ${number}`];
    }),
  );
}

/** Lists connected apps first; each group is sorted by last use. */
export function appsOf(grants: readonly GrantSummary[], packages: ReadonlyMap<string, GrantPackage>): App[] {
  const names = appNames(grants);
  const byClient = [...Map.groupBy(grants, ({ grant }) => grant.client.client_id)];
  const plain = byClient.map(([, own]) => clientWords(clientOfAll(own)));
  const apps = byClient.map(([clientId, own]): App => {
    const client = clientOfAll(own);
    const members = new Set(own.flatMap(({ grant_package_id }) => grant_package_id ?? []));
    const uses = [...own, ...[...members].flatMap((id) => packages.get(id) ?? [])].map(({ use }) => use);
    const sum = (member: "calls" | "denied" | "records" | "bytes"): number =>
      uses.reduce((total, use) => total + use[member], 0);
    return {
      clientId,
      name: names.get(clientId)!,
      client,
      namesakes: plain.filter((other) => other === clientWords(client)).length - 1,
      connected: own.some(isValid),
      firstAllowedAt: firstAllowed(own),
      ...lastUse(own),
      calls: sum("calls"),
      denied: sum("denied"),
      records: sum("records"),
      bytes: sum("bytes"),
      grants: approvals(own),
    };
  });
  const recency = ({ connected, lastUsedAt, firstAllowedAt }: App): string =>
    `${connected ? 1 : 0}${lastUsedAt ?? firstAllowedAt}`;
  return apps.sort((one, other) => (recency(one) < recency(other) ? 1 : -1));
}

export function lastUse(grants: readonly GrantSummary[]): { lastUsedAt?: string } {
  const last = grants
    .flatMap(({ last_used_at }) => last_used_at ?? [])
    .sort()
    .at(-1);
  return last === undefined ? {} : { lastUsedAt: last };
}

/** Combines grants that were approved together into one entry, without those that were revoked separately. */
function approvals(grants: readonly GrantSummary[]): AppGrant[] {
  const groups = Map.groupBy(grants, ({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id);
  const shown = [...groups].map(([id, all]): AppGrant => {
    const first = all.find(({ status }) => status === "active") ?? all.find(isValid) ?? all[0]!;
    const { status, grant, ended_by, revoked_at } = first;
    const members = all.filter((member) => (isValid(first) ? isValid(member) : member.status === status));
    return {
      id,
      status,
      reads: members.flatMap(({ words }) => words.reads),
      accessMode: grant.access_mode,
      issuedAt: grant.issued_at,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(revoked_at === undefined ? {} : { endedAt: revoked_at }),
      ...(ended_by === undefined ? {} : { endedBy: ended_by }),
      ...lastUse(members),
      sleeping: members.every(({ sleeping }) => sleeping),
    };
  });
  return shown.sort((one, other) => Number(isValid(other)) - Number(isValid(one)));
}

/** Returns the latest log entries under these grants, newest first. */
export function recentLines(
  grants: readonly GrantSummary[],
  packages: ReadonlyMap<string, GrantPackage> = new Map(),
): Activity[] {
  const ids = new Set(grants.flatMap(({ grant_package_id }) => grant_package_id ?? []));
  const uses = [...grants, ...[...ids].flatMap((id) => packages.get(id) ?? [])].map(({ use }) => use);
  return uses.flatMap(({ recent }) => recent).sort((one, other) => other.n - one.n);
}

/**
 * Returns the packages that the grants belong to. Calls that used none of a package's grants, mostly denied ones, are
 * shown with the package.
 */
export async function packagesOf(
  { look }: Pick<Visit, "look">,
  grants: readonly GrantSummary[],
): Promise<Map<string, GrantPackage>> {
  const ids = new Set(grants.flatMap(({ grant_package_id }) => grant_package_id ?? []));
  const found = await Promise.all([...ids].map((id) => look("grant", { id })));
  return new Map(found.flatMap((one) => (one.object === "grant_package" ? [[one.grant_package_id, one]] : [])));
}
