// /dashboard/grants/{id}: one grant, or a package of them: exactly what it allows, what was read under it, and its receipt.
import type { GrantSummary } from "../../../contract/grant.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { ownerPage } from "../owner-page.ts";
import type { NamedClient } from "../pages/client-identity.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { type AppGrant, clientOf, type EndedApp, endedNow, grantAddress, recentOf, takeBack } from "./app-grants.ts";
import { showGrant } from "./grant-view.ts";

export interface GrantPart {
  id: string;
  status: GrantSummary["status"];
  sleeping: boolean;
  endedAt?: string;
  endedBy?: AppGrant["endedBy"];
  lastUsedAt?: string;
  /** The source as it was declared then. */
  declaration: string;
  streams: readonly {
    connectionId: string;
    connection: string;
    stream: string;
    /** "all 13 fields", or their names. */
    words: string;
    fields: readonly string[];
    time?: string;
    /** Ids of single records; absent: all. */
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
  client: NamedClient;
  purpose: { words: string; code: string };
  accessMode: "single_use" | "continuous";
  issuedAt: string;
  expiresAt?: string;
  /** The app's promise about keeping data. */
  retention?: string;
  /** Calls under it, those of the package included. */
  use: { calls: number; denied: number; records: number; bytes: number };
  parts: readonly GrantPart[];
  recent: AppGrant["recent"];
  /** As it was told when it was given; absent of one given before that was kept. */
  receipt?: { app: string; reads: readonly ReadWords[]; until: string; purpose: string };
  ended?: EndedApp | "nothing";
}

export const grantPage = ownerPage<GrantView>({
  path: "/dashboard/grants/{id}",
  under: "apps",
  async load({ look, params, search }) {
    const found = await look("grant", { id: params.id! });
    const isPackage = found.object === "grant_package";
    const members = isPackage ? found.grants : [found];
    const first = members[0]!;
    const { grant, words } = first;
    const agreed = members.flatMap((member) => member.agreed ?? []);
    const uses = [...members.map(({ use }) => use), ...(isPackage ? [found.use] : [])];
    const sum = (of: keyof GrantView["use"]): number => uses.reduce((total, use) => total + use[of], 0);
    const ended = endedNow(search, members);
    return {
      id: isPackage ? found.grant_package_id : grant.grant_id,
      isPackage,
      clientId: grant.client.client_id,
      client: clientOf(first),
      purpose: { words: words.purpose, code: grant.purpose_code },
      accessMode: grant.access_mode,
      issuedAt: grant.issued_at,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
      ...(grant.retention === undefined ? {} : { retention: JSON.stringify(grant.retention) }),
      use: { calls: sum("calls"), denied: sum("denied"), records: sum("records"), bytes: sum("bytes") },
      parts: members.map(partOf),
      recent: recentOf(uses.flatMap(({ recent }) => recent)),
      ...(agreed.length < members.length
        ? {}
        : { receipt: { ...agreed[0]!, reads: agreed.flatMap(({ reads }) => reads) } }),
      ...(ended === undefined ? {} : { ended }),
    };
  },
  show: showGrant,
  post: (visit, form) => takeBack(visit, form, grantAddress(visit.params.id!)),
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
    // Words stand in the order of what they tell.
    streams: granted.map(({ id, stream }, index) => {
      const read = words.reads[index]!;
      const used = use.streams.find((one) => one.connection_id === id && one.stream === stream.name);
      return {
        connectionId: id,
        connection: read.connection,
        stream: stream.name,
        words: read.may === undefined ? read.fields : mayWords(read.may, "it"),
        fields: stream.fields,
        ...(read.time === undefined ? {} : { time: read.time }),
        ...(stream.resources === undefined ? {} : { records: stream.resources }),
        reads: used?.reads ?? 0,
        recordsRead: used?.records ?? 0,
        bytes: used?.bytes ?? 0,
        ...(used?.last_read_at === undefined ? {} : { lastReadAt: used.last_read_at }),
      };
    }),
  };
}
