// schema(): the index of everything granted. It has every stream name, by source, with as much detail as the budget
// allows.

import type { ConnectionRead } from "../../contract/connection.ts";
import type { SchemaConnector, SchemaDocument, StreamIndexRow } from "../../contract/schema-document.ts";
import { counted } from "../../core/counted.ts";
import { BUDGET, bytesOf, resultBytes, textBytes } from "./budgets.ts";
import { plainData, quoted } from "./plain.ts";
import { pageOf, type SchemaPage } from "./schema-cursor.ts";
import { extentText } from "./schema-extent.ts";
import type { ToolResult } from "./tool.ts";

/** The maximum number of stream name characters in one row of a source. */
const NAMES_MAX = 8_000;

interface IndexConnector {
  connector_key: string;
  /** Omitted if it says no more than the key or the name of a connection. */
  display_name?: string;
  /** Present only if the connections themselves are omitted. */
  connection_count?: number;
  /** The name of each connection by its id; null if names are omitted. */
  connections?: Record<string, string | null>;
  /** For connections that have fewer streams than their source: which ones. */
  only_streams?: Record<string, string[]>;
  streams: string[];
  /** For each stream, in order: kind, number of records, first and last day. */
  about?: string[];
}

/** Levels of detail, reduced step by step until the index fits. Names are never omitted. */
const DETAILS = ["everything", "no counts", "no connection names", "no connections", "names only"] as const;
type SchemaDetail = (typeof DETAILS)[number];

export function schemaIndex(
  document: SchemaDocument,
  connections: readonly ConnectionRead[],
  args: { connection_id?: string; cursor?: string },
): ToolResult {
  const { scope, client_id, grant_id, grant_package_id } = document.bearer;
  const me = knownOf(document.me);
  const named = new Map(connections.map((row) => [row.connection_id, row.display_name]));
  const granted = document.connectors.map(grantedOf);
  const at = (detail: SchemaDetail) =>
    document.connectors.map((one, index) => connector(one, granted[index]!, named, detail));
  const whole = at("everything");
  const total = { connectors: whole.length, streams: 0, connections: 0 };
  for (const { streams, connections = {} } of whole) {
    total.streams += streams.length;
    total.connections += Object.keys(connections).length;
  }
  const render = (
    connectors: IndexConnector[],
    detail: SchemaDetail,
    page?: SchemaPage<IndexConnector>,
  ): ToolResult => ({
    text: indexText(connectors, detail, total, [grantText(document.bearer), ...meText(me)], page?.next),
    structured: {
      data: {
        object: "schema",
        detail: "compact",
        bearer: { scope, client_id, grant_id, grant_package_id },
        ...(me === undefined ? {} : { me }),
        connectors: plainData(connectors),
        connector_count: total.connectors,
        connection_count: total.connections,
        stream_count: total.streams,
        ...(detail === "everything" ? {} : { left_out: LEFT_OUT[detail] }),
        next: NEXT,
        ...(page?.next === undefined ? {} : { next_cursor: page.next }),
      },
    },
  });
  if (args.cursor === undefined) {
    for (const detail of DETAILS) {
      const result = render(detail === "everything" ? whole : at(detail), detail);
      if (resultBytes(result) <= BUDGET.page) return result;
    }
  }
  // Names are never omitted to save bytes. They get a larger budget, and are paged beyond that.
  const fits = (result: ToolResult) =>
    bytesOf(result.structured) <= BUDGET.index && textBytes(result.text) <= BUDGET.index;
  const last = at("names only").flatMap(inParts);
  return pageOf(last, { ...args, tool: "index" }, (items, page) => render(items, "names only", page), fits);
}

const NEXT =
  "schema(stream) shows its fields and how to query them; add connection_id if several have the stream. search(query) searches everything.";

const LEFT_OUT: Record<Exclude<SchemaDetail, "everything">, string> = {
  "no counts": "kinds, counts and times; schema(stream) shows them",
  "no connection names": "display names of connections; schema(connection_id) shows one",
  "no connections": "connections; schema(stream) lists those of a stream",
  "names only": "connections and labels; schema(stream) lists the connections of a stream",
};

interface GrantedConnections {
  ids: string[];
  /** For connections that have fewer streams than their source: which ones. */
  fewer: Record<string, string[]>;
}

/** The connections of a source. They are the same at every level of detail. */
function grantedOf({ streams }: SchemaConnector): GrantedConnections {
  const byId = new Map<string, string[]>();
  for (const { name, granted_connections } of streams as StreamIndexRow[]) {
    for (const { connection_id } of granted_connections) {
      const own = byId.get(connection_id);
      if (own === undefined) byId.set(connection_id, [name]);
      // Two grants may include the same stream.
      else if (own.at(-1) !== name) own.push(name);
    }
  }
  const fewer = [...byId].filter(([, own]) => own.length < streams.length);
  return { ids: [...byId.keys()], fewer: Object.fromEntries(fewer) };
}

function connector(
  { connector_key, display_name, streams }: SchemaConnector,
  { ids, fewer }: GrantedConnections,
  named: ReadonlyMap<string, string>,
  detail: SchemaDetail,
): IndexConnector {
  const rows = streams as StreamIndexRow[];
  const shown = {
    streams: rows.map((row) => row.name),
    ...(detail === "everything" ? { about: rows.map(extentText) } : {}),
  };
  if (detail === "names only") return { connector_key, connection_count: ids.length, ...shown };
  if (detail === "no connections") return { connector_key, display_name, connection_count: ids.length, ...shown };
  const names = ids.map((id) => (detail === "no connection names" ? null : (named.get(id) ?? null)));
  return {
    connector_key,
    ...([connector_key, ...names].some((name) => name?.toLowerCase() === display_name.toLowerCase())
      ? {}
      : { display_name }),
    connections: Object.fromEntries(ids.map((id, index) => [id, names[index] ?? null])),
    ...(Object.keys(fewer).length === 0 ? {} : { only_streams: fewer }),
    ...shown,
  };
}

/** Splits a source whose names alone would fill a page. */
function inParts(row: IndexConnector): IndexConnector[] {
  const parts: IndexConnector[] = [];
  let room = 0;
  for (const name of row.streams) {
    room -= name.length + 3;
    if (room < 0 || parts.length === 0) {
      parts.push({ ...row, streams: [] });
      room = NAMES_MAX;
    }
    parts.at(-1)!.streams.push(name);
  }
  return parts;
}

function indexText(
  connectors: readonly IndexConnector[],
  detail: SchemaDetail,
  total: { connectors: number; streams: number; connections: number },
  head: readonly string[],
  next: string | undefined,
): string {
  const lines = [
    `This grant reads ${counted(total.streams, "stream")} of ${counted(total.connectors, "source")} in ${counted(total.connections, "connection")}.`,
    ...head,
    detail === "everything"
      ? "Each line: connector_key: streams (kind, records, first/last day)."
      : "Each line: connector_key: stream names.",
  ];
  for (const row of connectors) {
    const name = row.display_name === undefined ? "" : ` ${quoted(row.display_name)}`;
    const { connection_count = 1, connections } = row;
    const many = connection_count > 1 ? ` (${connection_count} connections)` : "";
    const streams = row.streams.map((stream, index) => (row.about ? `${stream} (${row.about[index]})` : stream));
    lines.push(`${row.connector_key}${name}${many}: ${streams.join(", ")}`);
    if (connections !== undefined) {
      const each = Object.entries(connections).map(([id, label]) => connectionText(id, label, row.only_streams?.[id]));
      lines.push(`  connection_id ${each.join("; ")}`);
    }
  }
  if (detail !== "everything") lines.push(`Left out: ${LEFT_OUT[detail]}.`);
  if (next !== undefined) lines.push(`next_cursor: ${next} (more streams: schema with this cursor)`);
  lines.push(`Next: ${NEXT}`);
  return lines.join("\n");
}

/** Returns the owner's known identifiers by kind. */
function knownOf(me: SchemaDocument["me"]): object | undefined {
  const known = Object.entries(me ?? {}).filter(([, texts]) => texts.length > 0);
  return known.length === 0 ? undefined : plainData(Object.fromEntries(known));
}

const meText = (me: object | undefined): string[] =>
  me === undefined ? [] : [`me, the owner: ${Object.values(me).flat().map(quoted).join(", ")}`];

/** Describes the reader as the log does. */
function grantText({ scope, client_id, grant_id, grant_package_id }: SchemaDocument["bearer"]): string {
  return `The ${scope} ${grant_package_id ?? grant_id ?? ""} of client ${client_id ?? ""}.`;
}

function connectionText(id: string, label: string | null, only: readonly string[] | undefined): string {
  return `${id}${label === null ? "" : ` ${quoted(label)}`}${only === undefined ? "" : ` (only ${only.join(", ")})`}`;
}
