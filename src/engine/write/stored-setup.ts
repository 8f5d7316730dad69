// A connector's setup, as stored.
import type { ConnectorManifest, Settings } from "../../contract/connector.ts";
import { PdppError } from "../../contract/errors.ts";
import type { ItemRow } from "../../store/rows.ts";
import type { ReadView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import { CONNECTOR } from "./connection-items.ts";
import { requireConnection } from "./sources.ts";

export interface StoredSetup {
  place: string;
  manifest: ConnectorManifest;
  settings: Settings;
  /** The names of the stored secrets. */
  secrets: string[];
}

export const storedIn = (item: ItemRow): StoredSetup => item.body as unknown as StoredSetup;

export async function requireSetup(view: ReadView, caller: Caller, connectionId: string): Promise<StoredSetup> {
  requireConnection(caller, connectionId);
  const item = await view.item(caller.subjectId, CONNECTOR, connectionId);
  if (item !== undefined) return storedIn(item);
  throw new PdppError("not_found", `no connector is set up for ${connectionId}`, {
    param: "connection_id",
    next_step: "Add one with `pdpp connectors add PATH` on the machine where this home is stored.",
  });
}
