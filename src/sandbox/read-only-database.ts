// Opens an SQLite file that somebody else made: for reading only, with nothing in it trusted. Node's permission model does not watch
// over SQLite, so inside a sandbox this is the only way to open one.
import sqlite, { constants } from "node:sqlite";
import { fileURLToPath } from "node:url";

const { DatabaseSync } = sqlite;
/** Kept before `hideSqlite` takes it away from everybody else. */
const { setAuthorizer } = DatabaseSync.prototype;

/** One value or one row; more than any record holds, far less than a gigabyte, which is SQLite's own limit. */
const VALUE_BYTES_MAX = 128 * 1024 * 1024;
const ALLOWED = new Set([constants.SQLITE_SELECT, constants.SQLITE_READ]);
const PRAGMAS = new Set(["table_list", "table_info", "table_xinfo", "index_list", "index_info"]);
/** None of them builds a value that is larger than its arguments. */
const FUNCTIONS = new Set(["count", "min", "max", "coalesce", "glob", "like"]);

/** Of a database that must not change while it is open, `file:` with `immutable=1` is enough and leaves no trace beside it. */
export function openReadOnly(file: string | URL): sqlite.DatabaseSync {
  const path = typeof file === "string" ? file : fileURLToPath(new URL(file.pathname, "file://"));
  if (process.permission?.has("fs.read", path) === false) throw new Error(`a parser may not open ${path}`);
  if (setAuthorizer === undefined)
    throw new Error(`SQLite files need Node 24.10 or newer, and this is ${process.version}; install a newer Node`);
  const database = new DatabaseSync(file, {
    readOnly: true,
    allowExtension: false,
    defensive: true,
    enableDoubleQuotedStringLiterals: false,
    limits: { length: VALUE_BYTES_MAX, attach: 0 },
  });
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    setAuthorizer.call(database, (action, first, second) => {
      const isAllowed =
        ALLOWED.has(action) ||
        (action === constants.SQLITE_PRAGMA && PRAGMAS.has(first ?? "")) ||
        (action === constants.SQLITE_FUNCTION && FUNCTIONS.has(second ?? ""));
      return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
    });
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

const HIDDEN_METHODS = [
  "aggregate",
  "applyChangeset",
  "constructor",
  "createSession",
  "createTagStore",
  "deserialize",
  "enableDefensive",
  "enableLoadExtension",
  "function",
  "loadExtension",
  "open",
  "serialize",
  "setAuthorizer",
] as const;

/** From then on this process opens databases through `openReadOnly` alone: an open one leads to nothing else. */
export function hideSqlite(): void {
  for (const name of HIDDEN_METHODS) Reflect.deleteProperty(DatabaseSync.prototype, name);
}
