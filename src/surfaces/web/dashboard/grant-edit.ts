// /dashboard/grants/{id}/edit: narrows or extends a grant or a package, and changes when it expires (V-07).
import type { OfferedStream } from "../../../contract/consent.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { FilePower } from "../../../contract/file-access.ts";
import type { GrantedStream, GrantSummary } from "../../../contract/grant.ts";
import { VALUES_LISTED } from "../consent-facts.ts";
import { filingView } from "../consent-view-of.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { type ConsentFiling, streamKey } from "../pages/consent-view.ts";
import type { ReadWords } from "../pages/receipt.ts";
import { appNames, grantAddress, grantsOf, isValid } from "./app-grants.ts";
import { AS_NOW, editIn, sharedDay } from "./grant-edit-form.ts";
import { showGrantEdit } from "./grant-edit-view.ts";

export interface EditStream {
  key: string;
  label: string;
  checked: boolean;
  /** Choices for which parts of the records are shown. The first is the current one. */
  parts: readonly { value: string; label: string }[];
  /** The chats, folders or categories that the stream can be limited to. */
  filing?: ConsentFiling;
}

export interface GrantEditView {
  id: string;
  name: string;
  reads: readonly ReadWords[];
  /** False for a grant that was approved alone, which always covers its one connection. */
  isPackage: boolean;
  connections: readonly { connectionId: string; label: string; streams: readonly EditStream[] }[];
  /** Set for a grant of the files lens. */
  powers?: readonly FilePower[];
  /** The days that all dated streams share. */
  since?: string;
  until?: string;
  /** True if the streams have different periods. */
  mixedTimes: boolean;
  accessMode: "single_use" | "continuous";
  expiresAt?: string;
}

/** A line of the grant as it is now. */
export interface GrantLine {
  connectionId: string;
  stream: GrantedStream;
  /** True if its records have dates that can be limited. */
  isDated: boolean;
}

export const grantEditPage = ownerPage<GrantEditView>({
  path: "/dashboard/grants/{id}/edit",
  under: "apps",
  async load(visit) {
    const { id, members, held, offered } = await editable(visit);
    const { grant } = members[0]!;
    const isPackage = grant.grant_id !== id;
    const [since, until] = [sharedDay(held, "since", visit.zone), sharedDay(held, "until", visit.zone)];
    const names = appNames(await grantsOf(visit));
    return {
      id,
      name: names.get(grant.client.client_id)!,
      reads: members.flatMap(({ words }) => words.reads),
      isPackage,
      connections:
        grant.files === undefined ? connectionsOf(offered, held, members, await filings(visit, offered, held)) : [],
      ...(grant.files === undefined ? {} : { powers: grant.files.may }),
      ...(since.day === undefined ? {} : { since: since.day }),
      ...(until.day === undefined ? {} : { until: until.day }),
      mixedTimes: since.mixed || until.mixed,
      accessMode: grant.access_mode,
      ...(grant.expires_at === undefined ? {} : { expiresAt: grant.expires_at }),
    };
  },
  show: showGrantEdit,
  async post(visit, form) {
    const { id, members, held, offered } = await editable(visit);
    await visit.act(
      "editGrant",
      editIn(form, {
        id,
        isFiles: members[0]!.grant.files !== undefined,
        held,
        offered,
        zone: visit.zone,
        now: visit.now,
      }),
    );
    return `${grantAddress(id)}?done=changed&id=${encodeURIComponent(id)}`;
  },
});

interface Editable {
  id: string;
  /** The active or paused grants. */
  members: readonly GrantSummary[];
  held: readonly GrantLine[];
  /** All streams that the app could be allowed to read. */
  offered: readonly OfferedStream[];
}

async function editable({ look, params }: Visit): Promise<Editable> {
  const id = params.id!;
  const found = await look("grant", { id });
  const isPackage = found.object === "grant_package";
  const members = (isPackage ? found.grants : [found]).filter(isValid);
  if (members.length === 0) {
    throw new PdppError("invalid_request", "this grant has ended; only an active or paused one can be changed", {
      next_step: "Connect the app again.",
    });
  }
  const { client_id, client_display } = members[0]!.grant.client;
  const client = { client_id, name: client_display?.name ?? client_id, redirect_uri: "" };
  const { streams } = await look("consentOffer", { client });
  const dated = new Set(
    streams.filter(({ time_field }) => time_field !== undefined).map((one) => streamKey(one.connection_id, one.stream)),
  );
  const held = members.flatMap(({ grant }) =>
    grant.streams.flatMap((stream) =>
      stream.instance_ids.map((connectionId) => {
        const isDated = stream.time_constraint !== undefined || dated.has(streamKey(connectionId, stream.name));
        return { connectionId, stream, isDated };
      }),
    ),
  );
  const own = new Set(held.map(({ connectionId }) => connectionId));
  return { id, members, held, offered: isPackage ? streams : streams.filter((one) => own.has(one.connection_id)) };
}

/** Returns the choices by stream, for the connections that the grant covers. */
async function filings(
  { look }: Visit,
  offered: readonly OfferedStream[],
  held: readonly GrantLine[],
): Promise<Map<string, ConsentFiling>> {
  const own = new Set(held.map(({ connectionId }) => connectionId));
  const found = new Map<string, ConsentFiling>();
  for (const { connection_id, stream, filters } of offered) {
    if (filters.length === 0 || !own.has(connection_id)) continue;
    const line = held.find((one) => one.connectionId === connection_id && one.stream.name === stream);
    const values = await look("filterValues", { connection_id, stream, limit: VALUES_LISTED });
    const { filing } = filingView(values, line?.stream.record_filter);
    if (filing !== undefined) found.set(streamKey(connection_id, stream), filing);
  }
  return found;
}

/** Lists connections that the grant already covers first. */
function connectionsOf(
  offered: readonly OfferedStream[],
  held: readonly GrantLine[],
  members: readonly GrantSummary[],
  filed: ReadonlyMap<string, ConsentFiling>,
): GrantEditView["connections"] {
  const parts = new Map(
    members
      .flatMap(({ words }) => words.reads)
      .map(({ connection_id, stream, parts: words }) => [streamKey(connection_id, stream), words ?? "All details"]),
  );
  const connections = [...Map.groupBy(offered, ({ connection_id }) => connection_id)].map(([connectionId, own]) => ({
    connectionId,
    label: own[0]!.connection_label,
    streams: own.map((one): EditStream => {
      const key = streamKey(connectionId, one.stream);
      const now = parts.get(key);
      const present = held.find((line) => line.connectionId === connectionId && line.stream.name === one.stream);
      const filing = filed.get(key);
      const presets = one.presets.map((preset) => ({ value: preset.id, label: preset.label }));
      return {
        key,
        label: one.label,
        checked: present !== undefined,
        parts: now === undefined ? presets : [{ value: AS_NOW, label: `As now: ${now.toLowerCase()}` }, ...presets],
        ...(filing === undefined ? {} : { filing }),
      };
    }),
  }));
  const read = (one: (typeof connections)[number]): number => Number(one.streams.some(({ checked }) => checked));
  return connections.sort((one, other) => read(other) - read(one));
}
