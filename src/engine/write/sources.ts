// Registers sources, and creates, renames and deletes their connections.
import type { ConnectionDeleted, ConnectionRead, ConnectorRead } from "../../contract/connection.ts";
import { PdppError } from "../../contract/errors.ts";
import { newConnectionId } from "../../contract/ids.ts";
import { keepAttachedText } from "../../core/attached-text.ts";
import { checkSuccessor, parseDeclaration } from "../../core/declaration-check.ts";
import { connectionNotFound } from "../../core/scope.ts";
import type { WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { dropConnectionItems } from "./connection-items.ts";
import { createIdKey } from "./id-keys.ts";

export async function putConnector(
  view: WriteView,
  caller: Caller,
  args: { connector_key: string; declaration: unknown },
  now: number,
): Promise<ConnectorRead> {
  const { connector_key: key } = args;
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(key)) {
    throw new PdppError("invalid_request", "a connector key is a short name: a-z, 0-9, _ and -", {
      param: "connector_key",
    });
  }
  const parsed = parseDeclaration(args.declaration);
  const { sources, connections } = caller.catalog;
  const existing = sources.find((source) => source.sourceId === parsed.source.id);
  const declaration = keepAttachedText(parsed, existing?.declaration);
  const namesake = sources.find((source) => source.connectorKey === key);
  if (namesake && namesake !== existing) {
    throw new PdppError("already_exists", `the key ${key} is already used by the source ${namesake.sourceId}`, {
      param: "connector_key",
    });
  }
  if (existing && existing.connectorKey !== key) {
    throw new PdppError(
      "already_exists",
      `${declaration.source.id} is already registered as ${existing.connectorKey}`,
      {
        param: "connector_key",
      },
    );
  }
  const unchanged = existing && JSON.stringify(existing.declaration) === JSON.stringify(declaration);
  if (!unchanged) {
    if (existing) checkSuccessor(existing.declaration, declaration);
    await view.putSource(caller.subjectId, key, declaration, now);
    for (const connection of connections.filter((row) => row.sourceId === declaration.source.id)) {
      for (const stream of declaration.streams) await view.openStream(connection.connectionId, stream.name);
    }
  }
  return {
    object: "connector",
    connector_key: key,
    source: declaration.source,
    display_name: declaration.display.name,
    declaration_version: declaration.declaration_version,
    streams: declaration.streams.map((stream) => stream.name),
  };
}

export async function createConnection(
  view: WriteView,
  caller: Caller,
  args: { connector_id: string; display_name?: string },
  now: number,
): Promise<ConnectionRead> {
  const source = caller.catalog.sources.find(
    (row) => row.connectorKey === args.connector_id || row.sourceId === args.connector_id,
  );
  if (source === undefined) {
    throw new PdppError("not_found", `there is no source ${JSON.stringify(args.connector_id)}`, {
      param: "connector_id",
      next_step: "Register it with PUT /v1/connectors/KEY, or choose one from GET /v1/connectors.",
    });
  }
  const taken = new Set(caller.catalog.connections.map((row) => row.connectionId));
  const connectionId = newConnectionId((id) => taken.has(id));
  const displayName = args.display_name ?? source.declaration.display.name;
  await view.putConnection(caller.subjectId, { connectionId, sourceId: source.sourceId, displayName, createdAt: now });
  await createIdKey(view, caller.subjectId, connectionId, now);
  for (const stream of source.declaration.streams) await view.openStream(connectionId, stream.name);
  return {
    object: "connection",
    connection_id: connectionId,
    connector_key: source.connectorKey,
    display_name: displayName,
    source: source.declaration.source,
    created_at: new Date(now).toISOString(),
    streams: source.declaration.streams.map((stream) => stream.name),
  };
}

export async function renameConnection(
  view: WriteView,
  caller: Caller,
  args: { connection_id: string; display_name: string },
): Promise<ConnectionRead> {
  const connection = requireConnection(caller, args.connection_id);
  await view.renameConnection(args.connection_id, args.display_name);
  return {
    object: "connection",
    connection_id: args.connection_id,
    connector_key: connection.connectorKey,
    display_name: args.display_name,
    source: connection.source,
    created_at: new Date(connection.createdAt).toISOString(),
    streams: caller.catalog.streams
      .filter((stream) => stream.connectionId === args.connection_id)
      .map((stream) => stream.name),
  };
}

export async function deleteConnection(
  view: WriteView,
  caller: Caller,
  args: { connection_id: string },
  onReleased: (blobId: string) => void,
): Promise<ConnectionDeleted> {
  requireConnection(caller, args.connection_id);
  const { live, blobs } = await view.deleteConnection(args.connection_id);
  for (const blobId of blobs) onReleased(blobId);
  await dropConnectionItems(view, caller.subjectId, args.connection_id);
  return { object: "connection", connection_id: args.connection_id, deleted: true, records_deleted: live };
}

export function requireConnection({ catalog }: Caller, connectionId: string) {
  const connection = catalog.connections.find((row) => row.connectionId === connectionId);
  if (connection === undefined) throw connectionNotFound(connectionId);
  return connection;
}
