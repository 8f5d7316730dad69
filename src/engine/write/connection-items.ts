// Items stored for a connection besides its records, each under the connection's id. They are deleted with the
// connection.
import type { WriteView } from "../../store/store.ts";

export const CHECK = "check";
/** A connector's setup. */
export const CONNECTOR = "connector";
/** A connector's credentials, sealed. */
export const SECRET = "secret";
export const SCHEDULE = "schedule";
/** The key for ids that importers and connectors generate. */
export const ID_KEY = "id_key";
/** A connector's log, one for each run, with the connection as its holder. */
export const COLLECT_LOG = "collect_log";

/** The columns that the owner chose, one item for each stream, with the connection as its holder. */
export const COLUMNS = "columns";

/** The progress of text recognition in attached files, one item for each stream, with the connection as its holder. */
export const ATTACHED_TEXT = "attached_text";

const KINDS = [CHECK, CONNECTOR, SECRET, SCHEDULE, ID_KEY] as const;

export async function dropConnectionItems(view: WriteView, subjectId: string, connectionId: string): Promise<void> {
  for (const kind of KINDS) await view.deleteItem(subjectId, kind, connectionId);
  await view.deleteItems(subjectId, COLLECT_LOG, connectionId);
  await view.deleteItems(subjectId, COLUMNS, connectionId);
  await view.deleteItems(subjectId, ATTACHED_TEXT, connectionId);
}
