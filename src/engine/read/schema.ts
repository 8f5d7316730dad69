// Descriptions of readable data: schema documents, streams with counts, connections and sources.

import type { StreamSummary } from "../../contract/answers.ts";
import type { ConnectionRead, ConnectorRead } from "../../contract/connection.ts";
import { PdppError } from "../../contract/errors.ts";
import type { SchemaQuery, StreamQuery, StreamsQuery } from "../../contract/read.ts";
import { formatInstant } from "../../core/instant.ts";
import { compilePlan } from "../../core/plan.ts";
import { rolesOf } from "../../core/roles.ts";
import { schemaDocument, streamMetadata } from "../../core/schema-document.ts";
import { ambiguous, isOwner, rowsOf, type ScopeRow, theRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import { readMe } from "../me.ts";
import { type Answer, listJson, type ReadContext, sourceIdentity } from "./context.ts";
import { readExtents } from "./extent.ts";
import { readFreshness, readHealth } from "./freshness.ts";
import { lastChange } from "./last-change.ts";

export async function readSchema(context: ReadContext, query: SchemaQuery): Promise<Answer> {
  const { caller } = context;
  const full = query.detail === "full" || query.view === "full";
  if (full && query.stream === undefined) {
    throw new PdppError("invalid_request", "detail=full needs a stream", {
      param: "stream",
      next_step: "Call GET /v1/schema first, then GET /v1/schema?stream=STREAM&connection_id=CONNECTION&detail=full.",
    });
  }
  let rows = rowsOf(caller.scope, query.connection_id);
  if (query.stream !== undefined) {
    rows = rows.filter((row) => row.stream.name === query.stream);
    if (rows.length === 0) theRow(caller.scope, query.stream, query.connection_id);
    if (full && rows.length > 1) throw ambiguous(query.stream, rows);
  }
  const extents = await readExtents(context, rows);
  const facts = { extents, ...(query.stream === undefined ? { me: await readMe(context, rows) } : {}) };
  const asked = { stream: query.stream, detail: full ? "full" : "compact" } as const;
  const document = schemaDocument(caller.scope, rows, asked, facts);
  return { body: JSON.stringify(document), records: 0, ...(rows.length === 1 ? { row: rows[0] } : {}) };
}

export async function readStream({ caller }: ReadContext, query: StreamQuery): Promise<Answer> {
  const row = theRow(caller.scope, query.stream, query.connection_id);
  return { body: JSON.stringify(streamMetadata(caller.scope, [row], true)), row, records: 0 };
}

export async function readStreams(context: MethodContext, query: StreamsQuery): Promise<Answer> {
  const items: string[] = [];
  const rows = rowsOf(context.caller.scope, query.connection_id);
  const extents = await readExtents(context, rows);
  for (const row of rows) {
    const plan = compilePlan(row);
    const updated = await lastChange(context, plan);
    const lastUpdated = updated === null ? null : formatInstant(updated);
    const { record_count = 0, time_span } = extents.get(row)!;
    const kind = rolesOf(row.stream.declaration.schema)?.kind;
    const summary: StreamSummary = {
      object: "stream",
      name: row.stream.name,
      ...(kind === undefined ? {} : { kind }),
      record_count,
      ...(time_span === undefined ? {} : { time_span }),
      last_updated: lastUpdated,
      ...sourceIdentity(row),
      freshness: { last_updated: lastUpdated, ...(await readFreshness(context, row.stream.connectionId)) },
    };
    items.push(JSON.stringify(summary));
  }
  const self =
    query.connection_id === undefined
      ? "/v1/streams"
      : `/v1/streams?connection_id=${encodeURIComponent(query.connection_id)}`;
  return { body: listJson({ url: "/v1/streams", self, items, hasMore: false }), records: 0 };
}

export async function readConnections(
  context: MethodContext,
  { connector_key }: { connector_key?: string | undefined },
): Promise<Answer> {
  const { caller, view } = context;
  const granted = Map.groupBy(caller.scope.rows, (row: ScopeRow) => row.stream.connectionId);
  const items: string[] = [];
  for (const connection of caller.catalog.connections) {
    const { connectionId } = connection;
    const rows = granted.get(connectionId) ?? [];
    if (!isOwner(caller.scope) && rows.length === 0) continue;
    if (connector_key !== undefined && connection.connectorKey !== connector_key) continue;
    const item: ConnectionRead = {
      object: "connection",
      connection_id: connectionId,
      connector_key: connection.connectorKey,
      display_name: connection.displayName,
      source: connection.source,
      created_at: formatInstant(connection.createdAt),
      streams: rows.map((row) => row.stream.name),
      freshness: await readFreshness(context, connectionId),
    };
    if (isOwner(caller.scope)) {
      let live = 0;
      for (const row of rows) live += (await view.total(compilePlan(row))).live;
      item.health = await readHealth(context, connection, live > 0);
    }
    items.push(JSON.stringify(item));
  }
  const query = connector_key === undefined ? "" : `?connector_key=${encodeURIComponent(connector_key)}`;
  const body = listJson({ url: "/v1/connections", self: `/v1/connections${query}`, items, hasMore: false });
  return { body, records: 0 };
}

export async function readConnectors({ caller }: ReadContext): Promise<Answer> {
  const granted = new Map<string, Set<string>>();
  for (const { stream } of caller.scope.rows)
    granted.set(stream.source.id, (granted.get(stream.source.id) ?? new Set()).add(stream.name));
  const items = caller.catalog.sources
    .filter((source) => isOwner(caller.scope) || granted.has(source.sourceId))
    .map(
      ({ connectorKey, createdAt, declaration }): ConnectorRead => ({
        object: "connector",
        connector_key: connectorKey,
        source: declaration.source,
        display_name: declaration.display.name,
        declaration_version: declaration.declaration_version,
        streams: declaration.streams
          .map((stream) => stream.name)
          .filter((name) => isOwner(caller.scope) || granted.get(declaration.source.id)!.has(name)),
        ...(isOwner(caller.scope) ? { declaration, created_at: formatInstant(createdAt) } : {}),
      }),
    );
  const body = listJson({
    url: "/v1/connectors",
    self: "/v1/connectors",
    items: items.map((item) => JSON.stringify(item)),
    hasMore: false,
  });
  return { body, records: 0 };
}
