// /dashboard/grants/{id}: one grant or package: what it allows, what was read under it, and what was agreed.
import type { GrantSummary } from "../../../contract/grant.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { ownerPage } from "../owner-page.ts";
import type { NamedClient } from "../pages/client-identity.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { type AppGrant, appNames, clientOf, grantAddress, grantsOf, isValid, recentLines } from "./app-grants.ts";
import { changeGrants, effectOf, type GrantEffect } from "./grant-acts.ts";
import { showGrant } from "./grant-view.ts";
import { type SeenRequest, seenRequests } from "./seen/requests.ts";

/** The number of requests that the page shows. */
const SHOWN = 10;

export interface GrantPart {
  id: string;
  status: GrantSummary["status"];
  sleeping: boolean;
  endedAt?: string;
  endedBy?: AppGrant["endedBy"];
  lastUsedAt?: string;
  /** The source's declaration when the grant was approved. */
  declaration: string;
  streams: readonly {
    read: ReadWords;
    /** "all 13 fields", or the field names. */
    words: string;
    fields: readonly string[];
    /** Ids of single records. If absent, all records. */
    records?: readonly string[];
    reads: number;
    recordsRead: number;
    bytes: number;
    lastReadAt?: string;
  }[];
}

export interface GrantView {
  id: string;
  isPackage: boolean;
  clientId: string;
  name: string;
  client: NamedClient;
  status: GrantSummary["status"];
  sleeping: boolean;
  /** Everything that the valid grants allow, or that all grants allowed if none is valid. */
  reads: readonly ReadWords[];
  purpose: { words: string; code: string };
  accessMode: "single_use" | "continuous";
  issuedAt: string;
  changedAt?: string;
  expiresAt?: string;
  /** The app's promise about retention. */
  retention?: string;
  /** Calls under the grant, including those of its package. */
  use: { calls: number; denied: number; records: number; bytes: number };
  parts: readonly GrantPart[];
  requests: readonly SeenRequest[];
  /**
   * The words that were shown when the owner agreed. Absent if the grant was approved before these words were stored.
   */
  agreed?: readonly ReadWords[];
  effect?: GrantEffect | "nothing";
}

export const grantPage = ownerPage<GrantView>({
  path: "/dashboard/grants/{id}",
  under: "apps",
  async load(visit) {
    const { look, params, search, now } = visit;
    const [found, all] = await Promise.all([look("grant", { id: params.id! }), grantsOf(visit)]);
    const isPackage = found.object === "grant_package";
    const members = isPackage ? found.grants : [found];
    const first = members.find(({ status }) => status === "active") ?? members.find(isValid) ?? members[0]!;
    const { grant, words, status } = first;
    const agreed = members.flatMap((member) => member.agreed ?? []);
    const uses = [...members.map(({ use }) => use), ...(isPackage ? [found.use] : [])];
    const sum = (of: keyof GrantView["use"]): number => uses.reduce((total, use) => total + use[of], 0);
    const packages = new Map(isPackage ? [[found.grant_package_id, found]] : []);
    const valid = members.filter(isValid);
    const effect = effectOf(search, all, now);
    return {
      id: isPackage ? found.grant_package_id : grant.grant_id,
      isPackage,
      clientId: grant.client.client_id,
      name: appNames(all).get(grant.client.client_id)!,
      client: clientOf(first),
      status,
      sleeping: first.sleeping,
      reads: (valid.length === 0 ? members : valid).flatMap((member) => member.words.reads),
      purpose: { words: words.purpose, code: grant.purpose_code },
      accessMode: grant.access_mode,
      issuedAt: grant.issued_at,
      ...(grant.changed_at === undefined ? {} : { changedAt: grant.changed_at }),
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(grant.retention === undefined ? {} : { retention: JSON.stringify(grant.retention) }),
      use: { calls: sum("calls"), denied: sum("denied"), records: sum("records"), bytes: sum("bytes") },
      parts: members.map(partOf),
      requests: (await seenRequests(visit, recentLines(members, packages))).slice(0, SHOWN),
      ...(agreed.length < members.length ? {} : { agreed: agreed.flatMap(({ reads }) => reads) }),
      ...(effect === undefined ? {} : { effect }),
    };
  },
  show: showGrant,
  post: (visit, form) => changeGrants(visit, form, grantAddress(visit.params.id!)),
});

function partOf({ grant, status, sleeping, revoked_at, ended_by, last_used_at, words, use }: GrantSummary): GrantPart {
  const granted = grant.streams.flatMap((stream) => stream.instance_ids.map((id) => ({ id, stream })));
  return {
    id: grant.grant_id,
    status,
    sleeping,
    ...(revoked_at === undefined ? {} : { endedAt: revoked_at }),
    ...(ended_by === undefined ? {} : { endedBy: ended_by }),
    ...(last_used_at === undefined ? {} : { lastUsedAt: last_used_at }),
    declaration: grant.source_declaration.version,
    // The words are in the order of their streams.
    streams: granted.map(({ id, stream }, index) => {
      const read = words.reads[index]!;
      const used = use.streams.find((one) => one.connection_id === id && one.stream === stream.name);
      return {
        read,
        words: read.may === undefined ? read.fields : mayWords(read.may, "it"),
        fields: stream.fields,
        ...(stream.resources === undefined ? {} : { records: stream.resources }),
        reads: used?.reads ?? 0,
        recordsRead: used?.records ?? 0,
        bytes: used?.bytes ?? 0,
        ...(used?.last_read_at === undefined ? {} : { lastReadAt: used.last_read_at }),
      };
    }),
  };
}
