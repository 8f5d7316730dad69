// The owner's pages that show stored content, by path, with the addresses that show an importer's records.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATA_ACCESS_TYPE } from "../../../src/contract/data-access.ts";
import { cleanDisplayName } from "../../../src/core/display-name.ts";
import { recordUrl } from "../../../src/surfaces/mcp/record-url.ts";
import { hostileFolder } from "../../connectors/hostile-connector.ts";
import type { Loose, TestServer } from "../../harness.ts";
import { hostileConnector } from "./connector.ts";
import { attacks, HOSTILE, NAME } from "./corpus.ts";
import { hostileDisk } from "./disk.ts";

export interface Stream {
  connection: { connection_id: string; connector_key: string; display_name: string; source: Loose };
  /** The imports that filled the connection. */
  importIds: readonly string[];
  name: string;
  metadata: Loose;
  records: Loose[];
}

/** A page to open, and the texts that it must show. For a list of texts, any one is enough. */
export interface Look {
  address: string;
  says: readonly (string | readonly string[])[];
}

export interface HostileWorld {
  server: TestServer;
  /** The address to which an app sends the owner's browser to request access. */
  authorize(details: readonly object[]): Promise<string>;
  /** A grant on one stream of the connection for an app with a hostile name. */
  grant(connectionId: string): { token: string; grantId: string; clientId: string };
}

type Looks = (streams: readonly Stream[], world: HostileWorld) => Look[] | Promise<Look[]>;

/** Dashboard pages that show no stored content. */
export const SHOW_NOTHING: readonly string[] = [
  "/dashboard/connect",
  "/dashboard/help",
  "/dashboard/settings",
  "/dashboard/settings/licences",
  "/dashboard/settings/sign-in",
];

/** This page is not part of the dashboard, but the owner sees it. */
export const CONSENT = "/oauth/interaction";

export const PAGES: Record<string, Looks> = {
  "/dashboard": () => [{ address: "/dashboard", says: [NAME] }],
  "/dashboard/go": (streams) => [{ address: "/dashboard/go", says: [labelOf(streams[0]!)] }],
  "/dashboard/explore": (streams) => [
    { address: "/dashboard/explore", says: [labelOf(streams[0]!)] },
    { address: "/dashboard/explore?q=window", says: [] },
    { address: `/dashboard/explore?q=${encodeURIComponent(NAME)}`, says: [] },
  ],
  "/dashboard/explore/{connection_id}/{stream}": (streams) => streams.flatMap(streamLooks),
  "/dashboard/records/{connection_id}/{stream}": ([stream]) => [
    { address: recordUrl("", { ...stream!.connection, stream: stream!.name }), says: [labelOf(stream!)] },
  ],
  "/dashboard/records/{connection_id}/{stream}/{id}": (streams) =>
    streams.flatMap((stream) => tellingOf(stream).flatMap((record) => recordLooks(stream, record))),
  "/dashboard/add": () => {
    const settings = [{ name: "count", title: NAME, description: HOSTILE[1], type: "string" }];
    const place = hostileFolder("told", { display_name: NAME, settings });
    return [{ address: `/dashboard/add?${new URLSearchParams({ from: "path", place })}`, says: [NAME, HOSTILE[1]!] }];
  },
  "/dashboard/connections": (streams) => [{ address: "/dashboard/connections", says: labelsOf(streams) }],
  "/dashboard/connections/{id}": (streams) => ofConnections(streams, ""),
  "/dashboard/connections/{id}/delete": (streams) => ofConnections(streams, "/delete"),
  "/dashboard/connections/{id}/connector": async (_, { server }) => {
    const { connectionId } = await hostileConnector(server);
    const address = `/dashboard/connections/${connectionId}`;
    return [
      { address: `${address}/connector`, says: [NAME, HOSTILE[1]!] },
      { address, says: [HOSTILE[0]!] },
    ];
  },
  "/dashboard/runs/{id}": async (_, { server }) => {
    const { runId } = await hostileConnector(server);
    return [{ address: `/dashboard/runs/${runId}`, says: [HOSTILE[0]!] }];
  },
  "/dashboard/settings/events": async ([stream], world) => {
    await hostileSubscription(stream!, world);
    return [{ address: "/dashboard/settings/events", says: [NAME, EVENTS_URL] }];
  },
  "/dashboard/settings/events/{id}": async ([stream], world) => [
    { address: `/dashboard/settings/events/${await hostileSubscription(stream!, world)}`, says: [NAME, EVENTS_URL] },
  ],
  "/dashboard/map": () => [{ address: "/dashboard/map", says: [] }],
  "/dashboard/people": () => [
    { address: "/dashboard/people", says: [] },
    { address: `/dashboard/people?q=${encodeURIComponent(NAME)}`, says: [NAME] },
  ],
  "/dashboard/people/{id}": async (_, { server }) => {
    const { body } = await server.get("/v1/people", { query: { q: NAME } });
    const address = `/dashboard/people/${encodeURIComponent(body.data[0].person_id)}`;
    return [
      { address, says: [NAME] },
      { address: `${address}?merge=${encodeURIComponent(NAME)}`, says: [NAME] },
      { address: `${address}?done=${encodeURIComponent(`name:${NAME}`)}`, says: [NAME] },
    ];
  },
  "/dashboard/schedules": async (_, { server }) => {
    const folder = join(mkdtempSync(join(tmpdir(), "pdpp-watched-")), NAME);
    mkdirSync(folder);
    await server.call("POST", "/v1/schedules", { body: { folder, cron: "@yearly" } });
    await hostileConnector(server);
    return [{ address: "/dashboard/schedules", says: [NAME] }];
  },
  "/dashboard/files": async (_, { server }) => {
    await hostileDisk(server);
    return [{ address: "/dashboard/files", says: [NAME] }];
  },
  "/dashboard/files/roots/{rootId}": async (_, { server }) => {
    const { rootId } = await hostileDisk(server);
    return [{ address: `/dashboard/files/roots/${rootId}`, says: [NAME] }];
  },
  "/dashboard/files/{indexId}": (_, { server }) => fileLooks(server),
  "/dashboard/import": () => [{ address: "/dashboard/import", says: [NAME] }],
  "/dashboard/import/{id}": (streams) => ofImports(streams, "", labelsOf(streams)),
  "/dashboard/import/{id}/undo": (streams) => ofImports(streams, "/undo", []),
  "/dashboard/apps": () => [{ address: "/dashboard/apps", says: [NAME] }],
  "/dashboard/apps/{client_id}": ([stream], { grant }) => [
    { address: `/dashboard/apps/${grant(stream!.connection.connection_id).clientId}`, says: [NAME] },
  ],
  "/dashboard/apps/{client_id}/seen": ([stream], { grant }) => [
    { address: `/dashboard/apps/${grant(stream!.connection.connection_id).clientId}/seen`, says: [NAME] },
  ],
  "/dashboard/grants/{id}/edit": ([stream], { grant }) => [
    {
      address: `/dashboard/grants/${grant(stream!.connection.connection_id).grantId}/edit`,
      says: [NAME, labelOf(stream!)],
    },
  ],
  "/dashboard/grants/{id}": ([stream], { grant }) => [
    {
      address: `/dashboard/grants/${grant(stream!.connection.connection_id).grantId}`,
      says: [NAME, labelOf(stream!)],
    },
  ],
  "/dashboard/activity": () => [{ address: "/dashboard/activity", says: [NAME] }],
  "/dashboard/activity/{request_id}": async ([stream], world) => [
    { address: `/dashboard/activity/${await deniedTo(stream!, world)}`, says: [NAME] },
  ],
  "/dashboard/why/{request_id}": async ([stream], world) => [
    { address: `/dashboard/why/${await deniedTo(stream!, world)}`, says: [NAME] },
  ],
  [CONSENT]: async (streams, { authorize }) => [
    {
      address: await authorize(detailsOf(streams)),
      says: [
        cleanDisplayName(HOSTILE[1]!),
        ...labelsOf(streams),
        ...streams.map(samplesOf).filter((samples) => samples.length > 0),
      ],
    },
  ],
};

/**
 * A stream in the view for its kind. Bookmarks are listed by title or site, so their other fields are checked in a
 * table.
 */
function streamLooks(stream: Stream): Look[] {
  const address = `/dashboard/explore/${stream.connection.connection_id}/${stream.name}`;
  const samples = samplesOf(stream);
  const says = [labelOf(stream), ...(samples.length === 0 ? [] : [samples])];
  if (stream.metadata.kind !== "bookmark") return [{ address, says }];
  const fields = Object.keys(stream.metadata.schema.properties).join(",");
  return [
    { address, says: [labelOf(stream)] },
    { address: `${address}?${new URLSearchParams({ fields })}`, says },
  ];
}

/** Every tab of an index (file names appear in lists, maps and forms), and a URL with attacks. */
async function fileLooks(server: TestServer): Promise<Look[]> {
  const { indexId, folder, file, selectionId, names } = await hostileDisk(server);
  const at = `/dashboard/files/${indexId}`;
  const attack = encodeURIComponent(HOSTILE[1]!);
  return [
    { address: at, says: [NAME, ...names] },
    { address: `${at}?at=${folder}`, says: [names[1]!] },
    { address: `${at}?at=${file}`, says: [names[1]!] },
    { address: `${at}?tab=largest`, says: names },
    { address: `${at}?tab=largest&of=dirs`, says: names },
    { address: `${at}?tab=types`, says: [] },
    { address: `${at}?tab=ages`, says: [] },
    { address: `${at}?tab=growth`, says: names },
    { address: `${at}?tab=copies`, says: names.slice(-20) },
    { address: `${at}?tab=find&name=__hit&kind=file`, says: names },
    { address: `${at}?tab=find&name=${attack}&type=${attack}&min=${attack}&after=${attack}`, says: [HOSTILE[1]!] },
    { address: `${at}?tab=sets`, says: [NAME] },
    // The first page of the selection, in any order.
    { address: `${at}?tab=sets&set=${selectionId}`, says: [NAME, names] },
    { address: `${at}?tab=${attack}&sort=${attack}&cursor=${attack}&done=${attack}`, says: [NAME] },
  ];
}

const EVENTS_URL = `https://app.example.test/"><img src=x onerror=window.__hit=1>`
  .replaceAll(" ", "%20")
  .replaceAll('"', "%22")
  .replaceAll("<", "%3C")
  .replaceAll(">", "%3E");

/** Creates a subscription for an app with a hostile name. */
async function hostileSubscription({ connection }: Stream, { server, grant }: HostileWorld): Promise<string> {
  const { token } = grant(connection.connection_id);
  const asked = await server.call("POST", "/v1/event-subscriptions", { token, body: { url: EVENTS_URL } });
  if (asked.status === 201) return asked.body.subscription_id;
  // The grant already has the maximum number of subscriptions.
  return (await server.get("/v1/event-subscriptions", { token })).body.data[0].subscription_id;
}

/** Makes a denied call for an app, with a hostile stream name. */
async function deniedTo({ connection }: Stream, { server, grant }: HostileWorld): Promise<string> {
  const { token } = grant(connection.connection_id);
  const path = `/v1/streams/${encodeURIComponent(NAME)}/records`;
  const denied = await server.get(path, { token, query: { connection_id: NAME } });
  return denied.body.error.request_id;
}

export const labelOf = ({ connection }: Stream): string => connection.display_name;
const labelsOf = (streams: readonly Stream[]): string[] => [...new Set(streams.map(labelOf))];

const ofConnections = (streams: readonly Stream[], rest: string): Look[] =>
  [...new Map(streams.map((stream) => [stream.connection.connection_id, stream]))].map(([id, stream]) => ({
    address: `/dashboard/connections/${id}${rest}`,
    says: [labelOf(stream)],
  }));

const ofImports = (streams: readonly Stream[], rest: string, says: readonly string[]): Look[] =>
  [...new Set(streams.flatMap(({ importIds }) => importIds))].map((id) => ({
    address: `/dashboard/import/${id}${rest}`,
    says: says.length === 0 ? [] : [says],
  }));

/**
 * Attacks already shown on a record page. All importers share the set, because the same page shows every importer's
 * records.
 */
const shownBefore = new Set<string>();

/**
 * Selects records that together have an attack in every field of their stream, and records with an attack not shown
 * before.
 */
function tellingOf({ records }: Stream): Loose[] {
  const fields = new Set<string>();
  return records.filter(({ data }) => {
    let isNew = false;
    for (const [field, value] of Object.entries(data)) {
      const texts = hostileIn(value);
      if (texts.length === 0) continue;
      if (!fields.has(field) || texts.some((text) => !shownBefore.has(text))) isNew = true;
      fields.add(field);
      for (const text of texts) shownBefore.add(text);
    }
    return isNew;
  });
}

/** The number of characters of a field that a page shows at once. */
const PIECE = 4000;

/** The page of a record, with its name, its origin and all its fields. Long texts are shown in windows. */
function recordLooks({ connection, name }: Stream, { id, connection_id, data, provenance }: Loose): Look[] {
  const address = recordUrl("", { connection_id, stream: name, id });
  const texts = Object.entries<Loose>(data).filter(([, value]) => typeof value === "string");
  const long = texts.filter(([, text]) => text.length > PIECE);
  return [
    {
      address,
      says: [
        ...[connection.display_name, id, provenance.entry, provenance.file].filter(attacks),
        ...hostileIn(data).map((text) => [text, JSON.stringify(text).slice(1, -1)].map((one) => one.slice(0, PIECE))),
      ],
    },
    ...long.map(([field, text]) => ({
      address: `${address}?${new URLSearchParams({ field, offset: String(PIECE) })}`,
      says: [text.slice(PIECE, 2 * PIECE)],
    })),
  ];
}

/** Returns every string in the value that contains an attack, including property names. */
function hostileIn(value: Loose): string[] {
  if (typeof value === "string") return attacks(value) ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(attacks(name) && !Array.isArray(value) ? [name] : []),
    ...hostileIn(inner),
  ]);
}

/** The start of each hostile text in the records. The page can use any of them as a sample. */
const samplesOf = ({ records }: Stream): string[] =>
  records.flatMap(({ data }) => hostileIn(data).map((text) => text.slice(0, 20)));

const detailsOf = (streams: readonly Stream[]): object[] =>
  [...Map.groupBy(streams, ({ connection }) => connection.source.id).values()].map((own) => ({
    type: DATA_ACCESS_TYPE,
    source: own[0]!.connection.source,
    purpose_code: "https://pdpp.dev/purpose/assistant",
    purpose_description: HOSTILE[1],
    access_mode: "continuous",
    streams: [...new Set(own.map(({ name }) => name))].map((name) => ({ name })),
  }));
