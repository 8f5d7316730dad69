// Sources and their connections, shared by several commands.
import type { ConnectionRead, ConnectorRead } from "../../contract/connection.ts";
import type { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import { ambiguousConnection } from "../../core/scope.ts";
import type { Calls } from "./command.ts";

export async function allConnections({ call }: Calls): Promise<ConnectionRead[]> {
  return (await call("connections", {})).data;
}

export const severalConnections = (message: string, found: readonly ConnectionRead[]): PdppError =>
  ambiguousConnection(
    message,
    found.map((row) => ({
      connectorKey: row.connector_key,
      connectionId: row.connection_id,
      displayName: row.display_name,
    })),
  );

/** Registers a declaration under the given key, its existing key, or one derived from its name. */
export async function register(calls: Calls, declaration: JsonValue, key: string | undefined): Promise<ConnectorRead> {
  return calls.call("putConnector", { connector_key: key ?? (await keyFor(calls, declaration)), declaration });
}

async function keyFor({ call }: Calls, declaration: JsonValue): Promise<string> {
  const { source, display } = (declaration ?? {}) as { source?: { id?: string }; display?: { name?: string } };
  const registered = (await call("connectors", {})).data.find((row) => row.source.id === source?.id);
  if (registered !== undefined) return registered.connector_key;
  const slug = String(display?.name ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug || "source";
}

/**
 * Finds the source's connection with this name, or its only connection if no name is given. Creates it if it is
 * missing.
 */
export async function connectionOf(
  calls: Calls,
  connector: string,
  name: string | undefined,
): Promise<{ connection_id: string; made: boolean }> {
  const found = (await allConnections(calls)).filter(
    (row) =>
      (row.connector_key === connector || row.source.id === connector) &&
      (name === undefined || row.display_name === name),
  );
  if (found.length === 1) return { connection_id: found[0]!.connection_id, made: false };
  if (found.length > 1) throw severalConnections(`${connector} has ${found.length} connections`, found);
  const made = await calls.call("createConnection", { connector_id: connector, display_name: name });
  return { connection_id: made.connection_id, made: true };
}
