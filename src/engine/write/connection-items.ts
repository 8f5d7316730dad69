// Items stored for a connection besides its records, and deleted with it: each under the connection's id.
import type { WriteView } from "../../store/store.ts";

export const CHECK = "check";
/** A connector's setup. */
export const CONNECTOR = "connector";
/** Credentials of a connector, sealed. */
export const SECRET = "secret";
export const SCHEDULE = "schedule";
/** The key for ids that importers and connectors generate. */
export const ID_KEY = "id_key";
/** Log of a connector: one for each run, with the connection as its holder. */
export const COLLECT_LOG = "collect_log";

/** Columns that the owner chose for a stream: one for each stream, with the connection as its holder. */
export const COLUMNS = "columns";

/**
 * The progress of the job that recognises text in attached files: one for each stream, with the connection as its
 * holder.
 */
export const ATTACHED_TEXT = "attached_text";

const KINDS = [CHECK, CONNECTOR, SECRET, SCHEDULE, ID_KEY] as const;

export async function dropConnectionItems(view: WriteView, subjectId: string, connectionId: string): Promise<void> {
  for (const kind of KINDS) await view.deleteItem(subjectId, kind, connectionId);
  await view.deleteItems(subjectId, COLLECT_LOG, connectionId);
  await view.deleteItems(subjectId, COLUMNS, connectionId);
  await view.deleteItems(subjectId, ATTACHED_TEXT, connectionId);
}
