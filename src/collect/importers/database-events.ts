// Reads one database of another program during a run: opens a copy, reads rows in id order, and continues after the
// last row that was stored.
import type { JsonValue } from "../../contract/json.ts";
import { type Entry, headOf } from "../entry.ts";
import type { ImportEvent, ImportInput } from "../importer.ts";
import { type ForeignDatabase, isSqlite, logOf, openForeign } from "./foreign-sqlite.ts";
import { isObject } from "./json-fields.ts";

const CHECKPOINT_ROWS = 1000;

/** The files next to a database in use: the latest writes, and their index. */
const LOG = /-(?:wal|shm)$/;
export const isDatabaseFile = ({ path }: Pick<Entry, "path">): boolean => !LOG.test(path);
/** Returns `chat.db` for `chat.db-wal`. */
export const databasePath = (path: string): string => path.replace(LOG, "");

interface DatabaseReading {
  /** Describes the expected database in the error message for missing tables or columns: "a Messages database". */
  called: string;
  needs: Readonly<Record<string, readonly string[]>>;
  /** `after` is the id of the last row that was stored, or 0 at the start. A record's offset is the id of its row. */
  read(database: ForeignDatabase, after: bigint): AsyncIterable<ImportEvent> | Iterable<ImportEvent>;
}

export const hasTables = ({ tables }: ForeignDatabase, needs: DatabaseReading["needs"]): boolean =>
  Object.entries(needs).every(([table, columns]) => columns.every((column) => tables.get(table)?.includes(column)));

export async function* databaseEvents(
  { entries }: ImportInput,
  entry: Entry,
  position: JsonValue | undefined,
  { called, needs, read }: DatabaseReading,
): AsyncGenerator<ImportEvent> {
  const at = isObject(position) ? position : {};
  if (at.ended === true) return;
  let row = typeof at.row === "string" ? BigInt(at.row) : 0n;
  try {
    if (!isSqlite(await headOf(entry, 16))) throw new Error("it is not a SQLite database");
    const wal = entries.find(({ path }) => path === `${entry.path}-wal`) ?? (await logOf(entry));
    const database = await openForeign(entry, wal);
    try {
      if (!hasTables(database, needs)) throw new Error(`it is a database, but not ${called}`);
      let rows = 0;
      for await (const event of read(database, row)) {
        yield event;
        if (event.kind !== "record" || event.offset === undefined) continue;
        row = BigInt(event.offset);
        if (++rows % CHECKPOINT_ROWS === 0) yield { kind: "checkpoint", entry, position: { row: String(row) } };
      }
    } finally {
      await database.close();
    }
  } catch (error) {
    yield { kind: "error", entry, message: (error as Error).message };
  }
  yield { kind: "checkpoint", entry, position: { row: String(row), ended: true } };
}
