// Finds the connector that a command refers to, by its connection, or by its key if it is set up only once.
import type { CollectRun, ConnectorSetup } from "../../../contract/collect.ts";
import { PdppError } from "../../../contract/errors.ts";
import { ID_PREFIX } from "../../../contract/ids.ts";
import { ambiguousConnection } from "../../../core/scope.ts";
import type { Calls } from "../command.ts";

export async function allSetups({ call }: Calls): Promise<ConnectorSetup[]> {
  return (await call("connectorSetups", {})).data;
}

export async function setupNamed(calls: Calls, named: string): Promise<ConnectorSetup> {
  const all = await allSetups(calls);
  const found = all.filter(({ connection_id, connector_key }) => [connection_id, connector_key].includes(named));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    throw ambiguousConnection(
      `${found.length} connections use the connector ${named}`,
      found.map(({ connector_key, connection_id, display_name }) => ({
        connectorKey: connector_key,
        connectionId: connection_id,
        displayName: display_name,
      })),
    );
  }
  throw new PdppError("not_found", `there is no connector ${JSON.stringify(named)}`, {
    next_step: "`pdpp connectors` lists the connectors; `pdpp connectors add PATH` adds one.",
  });
}

/** Finds a run by its id, or the latest run of a connection. */
export async function runNamed(calls: Calls, named: string): Promise<CollectRun> {
  if (named.startsWith(ID_PREFIX.job)) return await calls.call("collectRun", { id: named });
  const { connection_id, last_run } = await setupNamed(calls, named);
  if (last_run !== undefined) return last_run;
  throw new PdppError("not_found", `${connection_id} has not run yet`, {
    next_step: `Run \`pdpp connectors run ${connection_id}\`.`,
  });
}
